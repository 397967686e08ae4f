// What the pages keep under a name: settings of a lock, and, in a table of their own, secrets.
import { text } from './columns.ts';
import type { Connection } from './connection.ts';

/** `secret` is apart so that whoever shows or exports settings cannot meet one by accident. */
export type KeptTable = 'setting' | 'secret';

/** What JSON can hold; members that are undefined are left out, as in JSON. */
export type KeptValue = string | number | boolean | object | null;

/** Small JSON values by key. What a value means, and whether it is one, is the caller's to check. */
export class KeptValues {
  readonly #connection: Connection;
  readonly #table: KeptTable;

  /** `connection` should be of full durability: what a person forbade must hold after a power cut. */
  constructor(connection: Connection, table: KeptTable) {
    this.#connection = connection;
    this.#table = table;
  }

  /** The value as it was written, or undefined when there is none. */
  read(key: string): unknown {
    const row = this.#connection.first(`SELECT value FROM ${this.#table} WHERE key = ?`, key);
    return row === null ? undefined : JSON.parse(text(row, 'value'));
  }

  /** Every value, by key, in the order of the keys. */
  all(): ReadonlyMap<string, unknown> {
    const rows = this.#connection.all(`SELECT key, value FROM ${this.#table} ORDER BY key`);
    return new Map(rows.map((row): [string, unknown] => [text(row, 'key'), JSON.parse(text(row, 'value'))]));
  }

  /** Replaces the value. */
  write(key: string, value: KeptValue): void {
    this.#connection.run(
      `INSERT INTO ${this.#table} (key, value) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value`,
      key,
      JSON.stringify(value),
    );
  }

  erase(key: string): void {
    this.#connection.run(`DELETE FROM ${this.#table} WHERE key = ?`, key);
  }
}
