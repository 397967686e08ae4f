// Server-sent events for the doors page and for tests: events, requests and the present state.
import type { FastifyReply } from 'fastify';
import type { CancelTimer, Clock } from '../../../src/support/clock.ts';

/** Changes within this time are sent as one: a page cannot show more, and a busy test should not pay for more. */
const STATE_PAUSE_MS = 50;

/** A reader with a longer queue has gone away without closing its stream. */
const LONGEST_BACKLOG_BYTES = 4 * 1024 * 1024;

/** How many past entries of each kind a new reader gets, so that a page loaded late is not empty. */
const KEPT_OF_EACH = 100;

type StreamEvent = 'activity' | 'request' | 'delivery';

export class EventStream {
  readonly #clock: Clock;
  readonly #snapshot: () => unknown;
  readonly #readers = new Set<FastifyReply['raw']>();
  readonly #kept: Record<StreamEvent, unknown[]> = { activity: [], request: [], delivery: [] };
  #pause: CancelTimer | undefined;
  #lastState = '';

  /** `snapshot` is the content of `state` events. */
  constructor(clock: Clock, snapshot: () => unknown) {
    this.#clock = clock;
    this.#snapshot = snapshot;
  }

  /** Takes the answer over and keeps it open: recent entries, then the present state, then all that follows. */
  open(reply: FastifyReply): void {
    const { raw } = reply.hijack();
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    raw.once('close', () => this.#readers.delete(raw));
    this.#readers.add(raw);
    this.#lastState = JSON.stringify(this.#snapshot());
    const kept = Object.entries(this.#kept).flatMap(([event, messages]) =>
      messages.map((data) => frame(event, JSON.stringify(data))),
    );
    raw.write(`retry: 1000\n${kept.join('')}${frame('state', this.#lastState)}`);
  }

  /** Sends an event to every reader, and marks the state as changed. */
  publish(event: StreamEvent, data: unknown): void {
    const kept = this.#kept[event];
    kept.push(data);
    if (kept.length > KEPT_OF_EACH) {
      kept.shift();
    }
    if (this.#readers.size === 0) {
      return;
    }
    this.#send(event, JSON.stringify(data));
    this.touch();
  }

  /** Something may have changed: readers get the state soon, if it differs from their last one. */
  touch(): void {
    if (this.#readers.size === 0) {
      return;
    }
    this.#pause ??= this.#clock.after(STATE_PAUSE_MS, () => {
      this.#pause = undefined;
      const state = JSON.stringify(this.#snapshot());
      if (state !== this.#lastState) {
        this.#lastState = state;
        this.#send('state', state);
      }
    });
  }

  close(): void {
    this.#pause?.();
    for (const reader of this.#readers) {
      reader.end();
    }
    this.#readers.clear();
  }

  #send(event: string, json: string): void {
    for (const reader of this.#readers) {
      reader.write(frame(event, json));
      if (reader.writableLength > LONGEST_BACKLOG_BYTES) {
        reader.destroy();
      }
    }
  }
}

function frame(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}
