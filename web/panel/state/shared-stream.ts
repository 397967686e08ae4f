// A tab's side of the stream of events that all tabs of a browser share.
import type { Relayed, Stream, Wanted } from './stream-hub.ts';

/** Opens the stream at an address. A browser without shared workers has one for each tab. */
export function openStream(url: string): Stream {
  return typeof SharedWorker === 'undefined' ? new EventSource(url) : new SharedStream(url);
}

class SharedStream extends EventTarget implements Stream {
  readonly #port: MessagePort;
  #readyState = 0;

  constructor(url: string) {
    super();
    // A name of its own would join the worker of another version of these files: their address is the name.
    this.#port = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), { type: 'module' }).port;
    this.#port.addEventListener('message', ({ data }: MessageEvent<Relayed>) => {
      this.#readyState = data.readyState;
      this.dispatchEvent(
        data.type === 'message' ? new MessageEvent('message', { data: data.data }) : new Event(data.type),
      );
    });
    this.#port.start();
    this.#want(new URL(url, document.baseURI).href);
    // A tab that is closed says so: its end of a channel has no event of its own.
    addEventListener('pagehide', () => this.#want(null), { once: true });
  }

  get readyState(): number {
    return this.#readyState;
  }

  close(): void {
    this.#want(null);
    this.#port.close();
  }

  #want(url: string | null): void {
    this.#port.postMessage({ url } satisfies Wanted);
  }
}
