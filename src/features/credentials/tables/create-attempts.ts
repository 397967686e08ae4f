// Journals started creates of credentials: the row precedes the call, so that no process sends a second one blindly.

import { integer, integerOrNull } from '../../../storage/database/columns.ts';
import type { Connection } from '../../../storage/database/connection.ts';
import { mayCreate } from '../policy/create-attempt-policy.ts';
import { userKey } from '../policy/credential.ts';
import type { CreateAttempt, CreateAttemptStore } from '../policy/ports.ts';

/** Settled rows are useless once every older listing has expired (our choice), in milliseconds. */
const KEEP_MS = 24 * 3_600_000;

export class SqliteCreateAttempts implements CreateAttemptStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  begin(userId: string, since: number, now: number): CreateAttempt | null {
    return this.#connection.transaction(() => {
      // A row from the future was written before the machine's clock was set back.
      this.#connection.run(
        'UPDATE create_attempt SET started_at = min(started_at, ?1), settled_at = min(settled_at, ?1) WHERE user_id = ?2',
        Math.round(now),
        userKey(userId),
      );
      const attempt = this.#read(userId);
      if (attempt !== null && !mayCreate(attempt, since)) {
        return attempt;
      }
      this.#connection.run('DELETE FROM create_attempt WHERE started_at < ?', Math.round(now - KEEP_MS));
      this.#connection.run(
        `INSERT INTO create_attempt (user_id, started_at, settled_at) VALUES (?, ?, NULL)
         ON CONFLICT DO UPDATE SET started_at = excluded.started_at, settled_at = NULL`,
        userKey(userId),
        Math.round(now),
      );
      return null;
    });
  }

  renew(userId: string, now: number): void {
    this.#connection.run(
      'UPDATE create_attempt SET started_at = ? WHERE user_id = ?',
      Math.round(now),
      userKey(userId),
    );
  }

  settle(userId: string, now: number): void {
    this.#connection.run(
      'UPDATE create_attempt SET settled_at = ? WHERE user_id = ?',
      Math.round(now),
      userKey(userId),
    );
  }

  #read(userId: string): CreateAttempt | null {
    const row = this.#connection.first(
      'SELECT started_at, settled_at FROM create_attempt WHERE user_id = ?',
      userKey(userId),
    );
    return row === null
      ? null
      : { startedAt: integer(row, 'started_at'), settledAt: integerOrNull(row, 'settled_at') };
  }
}
