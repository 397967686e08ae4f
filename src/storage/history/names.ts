// The names of each lock and 15 days in the archive, by which a person is found without reading every entry.
import { type LockId, lockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { integer, text } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';

/** As the tables have it. */
export const PERIOD_MS = 15 * 86_400_000;

/** The locks with entries, now or once. */
export function locksIn(connection: Connection): readonly LockId[] {
  return connection
    .all('SELECT lock_id FROM history_count ORDER BY lock_id')
    .map((row) => lockId(text(row, 'lock_id')));
}

/** Every name of an entry since then, in no order. */
export function namesIn(connection: Connection, since: Instant): readonly string[] {
  return [
    ...new Set(
      locksIn(connection).flatMap((lock) =>
        connection
          .all(
            'SELECT DISTINCT name FROM history_name WHERE lock_id = ? AND period >= ?',
            lock,
            Math.floor(since / PERIOD_MS),
          )
          .map((row) => text(row, 'name')),
      ),
    ),
  ];
}

/** The periods in which a lock has an entry with one of the names, the newest first: begun before `before`, ended after `since`. */
export function* periodsWith(
  connection: Connection,
  lock: LockId,
  names: string,
  span: { readonly since: Instant; readonly before: Instant },
): Generator<number> {
  for (let below = Math.floor(span.before / PERIOD_MS) + 1; ; ) {
    const row = connection.first(
      `SELECT period FROM history_name WHERE lock_id = ?1 AND period < ?2 AND period >= ?3
         AND name IN (SELECT value FROM json_each(?4)) ORDER BY period DESC LIMIT 1`,
      lock,
      below,
      Math.floor(span.since / PERIOD_MS),
      names,
    );
    if (row === null) {
      return;
    }
    below = integer(row, 'period');
    yield below;
  }
}
