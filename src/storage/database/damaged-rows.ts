// Sets rows aside that no version of the plugin writes: kept among the secrets and named in the log, so that all others work.
import { createHash } from 'node:crypto';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import type { Connection } from './connection.ts';
import { DamagedRow, SET_ASIDE } from './damaged-row.ts';
import { type Column, textOf, unsoundColumns } from './row-rules.ts';
import { DatabaseSync } from './sqlite.ts';

/** They grow with use, and a whole pass would delay the start: they are looked at when one of their rows cannot be read. */
const LARGE: ReadonlySet<string> = new Set([
  'history_entry',
  'history_gap',
  'history_name',
  'received_event',
]);

/** A longer value is kept in part, in characters (our choice): the rest is of no use to anybody. */
const KEPT_OF_VALUE = 65_536;

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** What tells its rows apart: the row id, or the columns of its key. */
  readonly key: readonly string[];
}

type RawRow = Readonly<Record<string, unknown>>;

/** The tables of the rows that are aside in the database at this path, one for each row. Throws where it cannot be read. */
export function setAsideIn(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare('SELECT key FROM secret WHERE key LIKE ? ORDER BY key')
      .all(`${SET_ASIDE}%`)
      .map(({ key }) => String(key).split(':')[1] ?? '');
  } finally {
    database.close();
  }
}

/** Puts every unsound row of the small tables, or of all, out of the way; returns how many there were. Throws as the connection does. */
export function setDamagedAside(connection: Connection, log: Log, which: 'small' | 'all' = 'small'): number {
  const tables = tablesOf(connection).filter(({ name }) => which === 'all' || !LARGE.has(name));
  return tables.reduce((count, table) => count + setAsideOf(connection, table, log), 0);
}

/**
 * The same store, whose every call that meets a damaged row is made again once that row is aside. A store of a new table has it
 * by being passed through here.
 */
export function mending<T extends object>(store: T, mend: () => number): T {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') {
        return member;
      }
      return (...values: readonly unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(member, target, values);
        try {
          return call();
        } catch (error) {
          if (error instanceof DamagedRow && mend() > 0) {
            return call();
          }
          throw error;
        }
      };
    },
  });
}

function setAsideOf(connection: Connection, table: Table, log: Log): number {
  const damaged = [...rowsOf(connection, table)].filter((row) => unsoundIn(table, row).length > 0);
  if (damaged.length === 0) {
    return 0;
  }
  connection.transaction(() => {
    for (const row of damaged) {
      connection.run(
        'INSERT OR REPLACE INTO secret (key, value) VALUES (?, ?)',
        `${SET_ASIDE}${table.name}:${digestOf(row)}`,
        JSON.stringify({ columns: unsoundIn(table, row), row: storable(table, row) }),
      );
      remove(connection, table, row);
      replace(connection, table, row);
    }
  });
  const columns = [...new Set(damaged.flatMap((row) => unsoundIn(table, row)))].join(', ');
  log.warn(
    t(
      '{count, plural, one {A damaged row of the stored account was} other {# damaged rows of the stored account were}} set aside, and the rest is used: {table}, {columns}. The doctor names what is set aside.',
      { count: damaged.length, table: table.name, columns },
    ),
  );
  return damaged.length;
}

/** What has to stand in the place of a row: the one row of the link, and the prohibition that a lock's settings may have held. */
function replace(connection: Connection, table: Table, row: RawRow): void {
  const unsound = unsoundColumns(table.name, table.columns, row);
  const sound = (column: string): string | null => (unsound.includes(column) ? null : textIn(row, column));
  if (table.name === 'link') {
    // The refresh token is worth more than all else: the next use renews the access token.
    const refresh = sound('refresh_token');
    const state = sound('state');
    connection.run(
      `INSERT INTO link (id, state, access_token, refresh_token, received_at, expires_in_ms, generation, service)
       VALUES (1, ?1, ?2, ?3, ?4, ?5, unixepoch(), ?6)`,
      refresh === null && state === 'linked'
        ? 'unlinked'
        : (state ?? (refresh === null ? 'unlinked' : 'linked')),
      refresh === null ? null : (sound('access_token') ?? 'lost'),
      refresh,
      refresh === null ? null : 0,
      refresh === null ? null : 1,
      sound('service'),
    );
  }
  const key = sound('key') ?? '';
  if (table.name === 'setting' && key.startsWith('lock.')) {
    connection.run('INSERT INTO setting (key, value) VALUES (?, ?)', key, '{"remoteUnlock":false}');
  }
}

function textIn(row: RawRow, name: string): string | null {
  const value = row[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function unsoundIn({ name, columns }: Table, row: RawRow): readonly string[] {
  const unsound = unsoundColumns(name, columns, row);
  if (name !== 'link' || unsound.length > 0) {
    return unsound;
  }
  const parts = ['access_token', 'refresh_token', 'received_at', 'expires_in_ms'];
  const missing = parts.filter((part) => row[part] === null);
  return missing.length === 0 || missing.length === parts.length ? [] : missing;
}

/** Every row as it is: whole numbers of any size, and texts that are no UTF-8 as their bytes. */
function* rowsOf(connection: Connection, { name, columns, key }: Table): Generator<RawRow> {
  const cells = columns.map(
    ({ name: column }) =>
      `CASE typeof("${column}") WHEN 'text' THEN CAST("${column}" AS BLOB) ELSE "${column}" END AS "${column}", typeof("${column}") AS "${column}#"`,
  );
  const rowId = key.length === 1 && key[0] === 'rowid' ? ['rowid AS "rowid#"'] : [];
  for (const raw of connection.rawRows(`SELECT ${[...cells, ...rowId].join(', ')} FROM "${name}"`)) {
    const texts = columns.flatMap(({ name: column }): (readonly [string, unknown])[] => {
      const value = raw[column];
      return raw[`${column}#`] === 'text' && value instanceof Uint8Array
        ? [[column, textOf(value) ?? value]]
        : [];
    });
    yield { ...raw, ...Object.fromEntries(texts) };
  }
}

function remove(connection: Connection, { name, key }: Table, row: RawRow): void {
  if (key[0] === 'rowid') {
    connection.run(`DELETE FROM "${name}" WHERE rowid = ?`, bound(row['rowid#']));
    return;
  }
  const conditions = key.map((column) =>
    row[`${column}#`] === 'text' ? `CAST("${column}" AS BLOB) IS ?` : `+"${column}" IS ?`,
  );
  const values = key.map((column) => {
    const value = row[column];
    return bound(row[`${column}#`] === 'text' && typeof value === 'string' ? Buffer.from(value) : value);
  });
  connection.run(`DELETE FROM "${name}" WHERE ${conditions.join(' AND ')}`, ...values);
}

function bound(value: unknown): null | number | bigint | string | Uint8Array {
  return typeof value === 'number' ||
    typeof value === 'bigint' ||
    typeof value === 'string' ||
    value instanceof Uint8Array
    ? value
    : null;
}

function storable({ columns }: Table, row: RawRow): object {
  return Object.fromEntries(
    columns.map(({ name }) => {
      const value = row[name];
      if (value instanceof Uint8Array) {
        return [name, { base64: Buffer.from(value).toString('base64').slice(0, KEPT_OF_VALUE) }];
      }
      return [
        name,
        typeof value === 'bigint'
          ? String(value)
          : typeof value === 'string'
            ? value.slice(0, KEPT_OF_VALUE)
            : value,
      ];
    }),
  );
}

function digestOf(row: RawRow): string {
  const hash = createHash('sha256');
  for (const [name, value] of Object.entries(row)) {
    hash.update(`${name}\0`).update(value instanceof Uint8Array ? value : String(value));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Every table of the plugin's own, as the database describes it. */
function tablesOf(connection: Connection): readonly Table[] {
  return connection
    .all(
      `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .map((table) => {
      const name = String(table['name']);
      const described = connection.all(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid',
        name,
      );
      const key = described.filter(({ pk }) => Number(pk) > 0).map((column) => String(column['name']));
      return {
        name,
        columns: described.map((column) => ({
          name: String(column['name']),
          type: String(column['type']),
          isRequired: Number(column['notnull']) > 0 || Number(column['pk']) > 0,
        })),
        key: Number(table['wr']) > 0 ? key : ['rowid'],
      };
    });
}
