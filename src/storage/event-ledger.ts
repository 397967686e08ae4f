// Which events were received: their ids, so that none has an effect twice, and what they said. Never a code.
import type { EventLedger, ReceivedEvent } from '../domain/ports.ts';
import type { Connection } from './connection.ts';

/**
 * How long an event is remembered, in milliseconds: the service repeats it for 24 hours (wire contract 7), and what is
 * older than 25 hours by its own time is refused. The rest is for clocks that disagree.
 */
export const EVENTS_KEPT_MS = 48 * 3_600_000;

/** No more are remembered (our choice): some 40 MB, and a hundred locks do not fill it in two days. */
export const MOST_EVENTS_KEPT = 100_000;

/** Old rows looked at for every new one: more than one, so that a backlog shrinks while events come in. */
const PRUNED_PER_EVENT = 4;

export class SqliteEventLedger implements EventLedger {
  readonly #connection: Connection;
  readonly #mostKept: number;

  constructor(connection: Connection, mostKept = MOST_EVENTS_KEPT) {
    this.#connection = connection;
    this.#mostKept = mostKept;
  }

  has(eventId: string): boolean {
    return this.#connection.first('SELECT 1 FROM received_event WHERE event_id = ?', eventId) !== null;
  }

  appendAll(events: readonly ReceivedEvent[]): void {
    this.#connection.transaction(() => {
      for (const { event, receivedAt } of events) {
        this.#connection.run(
          'INSERT OR IGNORE INTO received_event (event_id, received_at, event) VALUES (?, ?, ?)',
          event.eventId,
          Math.round(receivedAt),
          JSON.stringify(event),
        );
      }
      this.#prune(events);
    });
  }

  /** Looks at the oldest few only, so that an event costs the same however many are remembered. */
  #prune(events: readonly ReceivedEvent[]): void {
    const newest = events.at(-1);
    if (newest !== undefined) {
      this.#connection.run(
        `DELETE FROM received_event
         WHERE id IN (SELECT id FROM received_event ORDER BY id LIMIT ?)
           AND (received_at < ? OR id <= (SELECT max(id) FROM received_event) - ?)`,
        PRUNED_PER_EVENT * events.length,
        Math.round(newest.receivedAt) - EVENTS_KEPT_MS,
        this.#mostKept,
      );
    }
  }
}
