// Stores values set on the pages by key: lock settings and, in a separate table, secrets.
import type { UnreadRow } from '../../domain/codes/ports.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { json, text } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { SET_ASIDE } from '../database/damaged-row.ts';

/** `secret` is a separate table, so that showing or exporting settings cannot include one by accident. */
export type KeptTable = 'setting' | 'secret';

/** Any JSON value; undefined members are left out, as in JSON. */
export type KeptValue = string | number | boolean | object | null;

export type Values = Pick<KeptValues, 'read' | 'all' | 'write' | 'erase'>;

/** Small JSON values by key. The caller validates them. */
export class KeptValues {
  readonly #connection: Connection;
  readonly #table: KeptTable;
  /** Another process was reading, or the disk failed, when the log was to lose a secret. */
  #logKeepsFormer = false;

  /** `connection` should be of full durability: a prohibition set by a person must survive a power cut. */
  constructor(connection: Connection, table: KeptTable) {
    this.#connection = connection;
    this.#table = table;
  }

  read(key: string): unknown {
    const row = this.#connection.first(`SELECT value FROM ${this.#table} WHERE key = ?`, key);
    return row === null ? undefined : json(row, 'value');
  }

  all(): ReadonlyMap<string, unknown> {
    const rows = this.#connection.all(`SELECT key, value FROM ${this.#table} ORDER BY key`);
    return new Map(rows.map((row): [string, unknown] => [text(row, 'key'), json(row, 'value')]));
  }

  write(key: string, value: KeptValue): void {
    const former = `SELECT key FROM ${this.#table} WHERE key = ?`;
    const hadSecret = this.#table === 'secret' && this.#connection.first(former, key) !== null;
    this.#connection.run(
      `INSERT INTO ${this.#table} (key, value) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value`,
      key,
      JSON.stringify(value),
    );
    this.#forgetFormer(hadSecret);
  }

  erase(key: string): void {
    const { changed } = this.#connection.run(`DELETE FROM ${this.#table} WHERE key = ?`, key);
    this.#forgetFormer(this.#table === 'secret' && changed > 0);
  }

  /** A secret that was replaced or erased, such as a PIN, must not stay in the database's log (faults#123). */
  #forgetFormer(hadSecret: boolean): void {
    this.#logKeepsFormer ||= hadSecret;
    if (this.#logKeepsFormer) {
      this.#logKeepsFormer = !this.#connection.emptyLog();
    }
  }
}

/** The values whose keys begin so, in the order of the keys. */
export function valuesUnder(values: Pick<Values, 'all'>, prefix: string): readonly unknown[] {
  return [...values.all()].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
}

/** A row that cannot be read. `keys`: where it, and what was set aside of it, stand. */
export interface UnreadValue extends UnreadRow {
  readonly keys: readonly string[];
}

/** Erases rows that stand among the secrets. */
export function eraseUnread(secrets: Pick<Values, 'erase'>, unread: readonly UnreadValue[]): void {
  for (const key of unread.flatMap(({ keys }) => keys)) {
    secrets.erase(key);
  }
}

/** The values that this version cannot read: of another shape, or set aside because they are damaged. `rules`: by the prefix of their keys. */
export function unreadUnder(
  rules: Readonly<Record<string, (value: unknown) => boolean>>,
  {
    table,
    secrets,
    settings,
  }: { readonly table: KeptTable } & Readonly<Record<'secrets' | 'settings', Pick<Values, 'all'>>>,
): readonly UnreadValue[] {
  const aside = secrets.all();
  const kept = table === 'secret' ? aside : settings.all();
  const prefixOf = (key: string): string | undefined =>
    Object.keys(rules).find((prefix) => key.startsWith(prefix));
  const unread = new Map<string, UnreadValue>();
  const add = (key: string, part: string, place: string): void => {
    const known = unread.get(key);
    unread.set(key, {
      id: key.slice(prefixOf(key)?.length),
      text: (known?.text ?? '') + part,
      keys: [...(known?.keys ?? []), place],
    });
  };
  /** False for what another rule, or none, is about. */
  const isUnsound = (key: string, value: unknown): boolean => rules[prefixOf(key) ?? '']?.(value) === false;
  for (const [key, value] of kept) {
    if (isUnsound(key, value)) {
      add(key, JSON.stringify(value), key);
    }
  }
  for (const [key, value] of aside) {
    const row = key.startsWith(`${SET_ASIDE}${table}:`) && isObject(value) ? value['row'] : null;
    const former = isObject(row) ? row['key'] : null;
    // Another row may have taken its place since.
    if (isObject(row) && typeof former === 'string' && isUnsound(former, kept.get(former))) {
      add(former, typeof row['value'] === 'string' ? row['value'] : '', key);
    }
  }
  return [...unread.values()];
}
