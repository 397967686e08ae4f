// Sends events to every open page as server-sent events, with bounds on streams and unread bytes.
import type { ServerResponse } from 'node:http';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { HEARTBEAT_EVENT, HEARTBEAT_MS } from '../heartbeat.ts';
import { mayHear } from '../operations/role-table.ts';
import type { PanelEvent } from '../panel-event.ts';
import type { PageSession } from '../sessions/store.ts';

/** Streams at a time (our choice): a browser has at most six of one host. */
const MOST_STREAMS = 16;

/** A reader with this many unread bytes is taken for disconnected. */
const MOST_UNREAD_BYTES = 1024 * 1024;

/** The delay in milliseconds after which a page requests a lost stream again. */
const COME_BACK_MS = 2_000;

export class EventStreams {
  readonly #parts;
  readonly #readers = new Map<ServerResponse, PageSession>();
  #heartbeat: CancelTimer | null = null;

  constructor(parts: {
    readonly clock: Clock;
    readonly log: Log;
    /** Whether the session that a stream was opened in has not ended. Asked before anything is sent. */
    readonly isOpen: (session: PageSession) => boolean;
  }) {
    this.#parts = parts;
  }

  get isFull(): boolean {
    return this.#readers.size >= MOST_STREAMS;
  }

  /** Takes over a response after its head is sent, and keeps it open. */
  add(response: ServerResponse, session: PageSession): void {
    // A disconnected page is no fault.
    response.on('error', () => {});
    response.once('close', () => {
      this.#readers.delete(response);
      this.#restIfAlone();
    });
    this.#readers.set(response, session);
    response.write(`retry: ${COME_BACK_MS}\n\n`);
    this.#heartbeat ??= this.#nextHeartbeat();
  }

  /** Sends to every page whose login may hear it. A failed send is logged; nothing is thrown. */
  publish(event: PanelEvent): void {
    if (this.#readers.size === 0) {
      return;
    }
    try {
      this.#write(`data: ${JSON.stringify(event)}\n\n`, ({ role }) => mayHear(role, event.type));
    } catch (error) {
      this.#parts.log.error(`An event could not be sent to the dashboard: ${oneLine(messageOf(error))}`);
    }
  }

  /** Ends the streams of ended sessions. */
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

  #write(text: string, isFor: (session: PageSession) => boolean = () => true): void {
    this.sweep();
    for (const [reader, session] of this.#readers) {
      if (reader.writable && isFor(session)) {
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
      // An event, not a comment, because a page's script does not receive comments.
      this.#write(`event: ${HEARTBEAT_EVENT}\ndata:\n\n`);
    });
  }

  #restIfAlone(): void {
    if (this.#readers.size === 0) {
      this.#heartbeat?.();
      this.#heartbeat = null;
    }
  }
}
