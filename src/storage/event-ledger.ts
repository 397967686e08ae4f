// Records received events by id, so that none takes effect twice, with their content. Never a code.
//
// Rows are ordered by the events' own time, which is nearly that of arrival: a new row goes to the end, so a commit
// writes few pages.
import type { Instant } from '../domain/time/instant.ts';
import type { EventLedger, ReceivedEvent } from '../domain/webhooks/ports.ts';
import { type ServiceEvent, withoutSecretNames } from '../domain/webhooks/service-event.ts';
import { integerOrNull } from './database/columns.ts';
import type { Connection } from './database/connection.ts';

/**
 * Retention of an event, in milliseconds. The service repeats it for 24 hours (wire contract 7), and events older than
 * 25 hours by their own time are refused. The rest covers clock skew.
 */
export const EVENTS_KEPT_MS = 48 * 3_600_000;

/** Old events are pruned once per this many new ones, and with the first after the start (our choice). */
export const PRUNED_EVERY = 500;

const TIMELESS = 0;

export class SqliteEventLedger implements EventLedger {
  readonly #connection: Connection;
  #untilPruned = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  has(event: ServiceEvent): boolean {
    const row = this.#connection.first(
      'SELECT 1 FROM received_event WHERE happened_at = ? AND event_id = ?',
      timeOf(event),
      event.eventId,
    );
    return row !== null;
  }

  newestAt(): Instant | null {
    const row = this.#connection.first('SELECT max(happened_at) AS newest FROM received_event') ?? {};
    const newest = integerOrNull(row, 'newest');
    return newest === TIMELESS ? null : newest;
  }

  appendAll(events: readonly ReceivedEvent[]): void {
    this.#connection.transaction(() => {
      for (const { event, receivedAt } of events) {
        this.#connection.run(
          'INSERT OR IGNORE INTO received_event (happened_at, event_id, received_at, event) VALUES (?, ?, ?, ?)',
          timeOf(event),
          event.eventId,
          Math.round(receivedAt),
          JSON.stringify(withoutSecretNames(event)),
        );
        this.#pruneNowAndThen(receivedAt);
      }
    });
  }

  #pruneNowAndThen(now: Instant): void {
    this.#untilPruned -= 1;
    if (this.#untilPruned < 0) {
      this.#untilPruned = PRUNED_EVERY - 1;
      const before = Math.round(now) - EVENTS_KEPT_MS;
      this.#connection.run(
        'DELETE FROM received_event WHERE happened_at < ? AND received_at < ?',
        before,
        before,
      );
    }
  }
}

function timeOf({ at }: ServiceEvent): number {
  return Math.round(at ?? TIMELESS);
}
