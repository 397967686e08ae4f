// Shares one stream of events among all tabs of a browser: a browser keeps six connections to a host, and a stream takes one.
import { HEARTBEAT_EVENT, SILENCE_MS } from '../../../src/panel/heartbeat.ts';

/** What of a stream a tab uses. */
export interface Stream {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: Event) => void): void;
  close(): void;
}

/** What a tab is sent: an event of the stream, and the state of the stream with it. */
export interface Relayed {
  readonly type: 'open' | 'error' | 'message' | typeof HEARTBEAT_EVENT;
  readonly readyState: number;
  /** Of a `message`; else null. */
  readonly data: unknown;
}

/** What a tab sends: the address of the stream it wants, or null when it wants none any more. */
export type Wanted = { readonly url: string | null };

/** The side of a tab's channel that the hub uses. */
export interface Tab {
  readonly postMessage: (relayed: Relayed) => void;
}

/** `EventSource.OPEN` and `EventSource.CLOSED`. */
const OPEN = 1;
const CLOSED = 2;

const RELAYED = ['open', 'error', 'message', HEARTBEAT_EVENT] as const;

export class StreamHub {
  readonly #open: (url: string) => Stream;
  readonly #now: () => number;
  readonly #tabs = new Set<Tab>();
  #stream: Stream | null = null;
  #aliveAt = 0;

  constructor(open: (url: string) => Stream, now: () => number) {
    this.#open = open;
    this.#now = now;
  }

  receive(tab: Tab, { url }: Wanted): void {
    if (url === null) {
      this.#tabs.delete(tab);
      this.#endIfUnused();
      return;
    }
    this.#tabs.add(tab);
    // A stream that ended, or has been silent for so long that tabs give it up, is replaced once for all of them.
    if (this.#stream === null || this.#stream.readyState === CLOSED || this.#isSilent()) {
      this.#start(url);
    } else if (this.#stream.readyState === OPEN) {
      tab.postMessage({ type: 'open', readyState: OPEN, data: null });
    }
  }

  #isSilent(): boolean {
    return Math.abs(this.#now() - this.#aliveAt) >= SILENCE_MS;
  }

  #start(url: string): void {
    this.#stream?.close();
    this.#aliveAt = this.#now();
    const stream = this.#open(url);
    this.#stream = stream;
    for (const type of RELAYED) {
      stream.addEventListener(type, (event) => {
        if (this.#stream !== stream) {
          return;
        }
        this.#aliveAt = type === 'error' ? this.#aliveAt : this.#now();
        const data: unknown = type === 'message' && 'data' in event ? event.data : null;
        for (const tab of this.#tabs) {
          tab.postMessage({ type, readyState: stream.readyState, data });
        }
      });
    }
  }

  #endIfUnused(): void {
    if (this.#tabs.size === 0) {
      this.#stream?.close();
      this.#stream = null;
    }
  }
}
