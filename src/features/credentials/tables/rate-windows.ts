// Stores the rate windows of the credentialing interface, one row per operation, shared by all processes of this
// machine.

import type { RateFacts } from '../../../domain/polling/rate-facts.ts';
import { json } from '../../../storage/database/columns.ts';
import type { Connection } from '../../../storage/database/connection.ts';
import type { CredentialOperation } from '../policy/credential.ts';
import type { RateWindowStore } from '../policy/ports.ts';
import {
  cancelCall,
  freshRateState,
  type RateDecision,
  type RateState,
  recordAnswer,
  recordRefusal,
  reserveCall,
} from '../policy/rate-window-policy.ts';

export class SqliteRateWindows implements RateWindowStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  reserve(operation: CredentialOperation, limit: number, now: number): RateDecision {
    return this.#change(operation, limit, (state) => {
      const { state: next, decision } = reserveCall(state, now);
      return [next, decision];
    });
  }

  cancel(operation: CredentialOperation, id: number): void {
    this.#change(operation, 1, (state) => [cancelCall(state, id), null]);
  }

  answer(operation: CredentialOperation, id: number, receivedAt: number, facts: RateFacts): void {
    this.#change(operation, 1, (state) => [recordAnswer(state, id, receivedAt, facts), null]);
  }

  refuse(operation: CredentialOperation, until: number): void {
    this.#change(operation, 1, (state) => [recordRefusal(state, until), null]);
  }

  read(operation: CredentialOperation, limit: number): RateState {
    const row = this.#connection.first('SELECT state FROM rate_window WHERE operation = ?', operation);
    // Only `#change` writes this value, as JSON of this very type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a STRICT table that only this class writes
    return row === null ? freshRateState(limit) : (json(row, 'state') as RateState);
  }

  #change<Result>(
    operation: CredentialOperation,
    limit: number,
    change: (state: RateState) => readonly [RateState, Result],
  ): Result {
    return this.#connection.transaction(() => {
      const [next, result] = change(this.read(operation, limit));
      this.#connection.run(
        `INSERT INTO rate_window (operation, state) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET state = excluded.state`,
        operation,
        JSON.stringify(next),
      );
      return result;
    });
  }
}
