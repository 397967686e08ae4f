// What happens, told to every page that is open, as server-sent events. Bounded in streams and in what is left unread.
import type { ServerResponse } from 'node:http';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { PageSession } from './session-store.ts';

export interface EventStreamsParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the session that a stream was opened in has not ended. Asked before anything is told. */
  readonly isOpen: (session: PageSession) => boolean;
}

/** Streams at a time (our choice): a browser has at most six of one host. */
const MOST_STREAMS = 16;

/** A reader that lets this much pile up, in bytes, has gone away without saying so. */
const MOST_UNREAD_BYTES = 1024 * 1024;

/** A stream is never silent for longer, in milliseconds, so that either end notices when the other is gone (our choice). */
const HEARTBEAT_MS = 15_000;

/** After how many milliseconds a page that lost the stream asks for it again. */
const COME_BACK_MS = 2_000;

export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #readers = new Map<ServerResponse, PageSession>();
  #heartbeat: CancelTimer | null = null;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
  }

  get isFull(): boolean {
    return this.#readers.size >= MOST_STREAMS;
  }

  /** Takes a response over, whose head is sent, and keeps it open. */
  add(response: ServerResponse, session: PageSession): void {
    // Whoever went away was there no more: that is no fault.
    response.on('error', () => {});
    response.once('close', () => {
      this.#readers.delete(response);
      this.#restIfAlone();
    });
    this.#readers.set(response, session);
    response.write(`retry: ${COME_BACK_MS}\n\n`);
    this.#heartbeat ??= this.#nextHeartbeat();
  }

  /** Tells every page. What cannot be told is logged; nothing is thrown. */
  publish(event: unknown): void {
    if (this.#readers.size === 0) {
      return;
    }
    try {
      this.#write(`data: ${JSON.stringify(event)}\n\n`);
    } catch (error) {
      this.#parts.log.error(`An event could not be told to the pages: ${oneLine(messageOf(error))}`);
    }
  }

  /** Ends the streams whose session has ended. */
  sweep(): void {
    for (const [reader, session] of this.#readers) {
      if (!this.#parts.isOpen(session)) {
        reader.destroy();
      }
    }
  }

  close(): void {
    for (const reader of this.#readers.keys()) {
      reader.end();
    }
    this.#readers.clear();
    this.#restIfAlone();
  }

  #write(text: string): void {
    this.sweep();
    for (const reader of this.#readers.keys()) {
      if (reader.writable) {
        reader.write(text);
      }
      if (reader.writableLength > MOST_UNREAD_BYTES) {
        reader.destroy();
      }
    }
  }

  #nextHeartbeat(): CancelTimer {
    return this.#parts.clock.after(HEARTBEAT_MS, () => {
      this.#heartbeat = this.#nextHeartbeat();
      this.#write(': still here\n\n');
    });
  }

  #restIfAlone(): void {
    if (this.#readers.size === 0) {
      this.#heartbeat?.();
      this.#heartbeat = null;
    }
  }
}
