// Damages single values of an account's database as a failing disk or another program does, past every check of SQLite.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isKey: boolean;
}

/** What may stand in a place where it should not. Each returns SQL for the value; null: it would be sound there. */
export const DAMAGES: Readonly<Record<string, (column: Column) => string | null>> = {
  'another type': ({ type }) => (type === 'INTEGER' ? "'text'" : '17'),
  'a blob': ({ type }) => (type === 'BLOB' ? null : "x'00ff00'"),
  nothing: ({ isRequired, isKey }) => (isRequired && !isKey ? 'NULL' : null),
  'a number that is too large': ({ type }) => (type === 'INTEGER' ? '9007199254740993' : null),
  'a number below zero': ({ type }) => (type === 'INTEGER' ? '-9007199254740990' : null),
  'a number with a fraction': ({ type }) => (type === 'INTEGER' ? '1.5' : null),
  'a date in the year 9999': ({ name }) => (/_(?:at|since)$/.test(name) ? '253402300799999' : null),
  'bytes that are no UTF-8': ({ type }) => (type === 'TEXT' ? "CAST(x'41ff42' AS TEXT)" : null),
  'two megabytes': ({ type }) => (type === 'TEXT' ? 'CAST(zeroblob(2097152) AS TEXT)' : null),
  'half of its JSON': (column) => (isJson(column) ? `'{"a":'` : null),
  'a word that is none': (column) => (isWord(column) ? "'canary'" : null),
};

const SAMPLES: Readonly<Record<string, SQLInputValue>> = {
  'link.state': 'linked',
  'command.target': 'secured',
  'known_lock.role': 'owner',
  'history_entry.offset_minutes': 60,
  'rate_window.state': '{"limit":1,"lastId":0,"slots":[],"window":null,"blockedUntil":0,"seenAt":0}',
};

const isJson = ({ table, name }: Column): boolean =>
  /^(?:setting\.value|secret\.value|received_event\.event|rate_window\.state)$/.test(`${table}.${name}`);

const isWord = ({ table, name }: Column): boolean =>
  /^(?:link\.state|command\.target|known_lock\.role)$/.test(`${table}.${name}`);

/** Every column of every table of the plugin's own. */
export function columnsIn(database: DatabaseSync): readonly Column[] {
  const found = database
    .prepare(
      `SELECT t.name AS tableName, c.name AS name, c.type AS type, c."notnull" > 0 AS isRequired, c.pk > 0 AS isKey
       FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  return found.map((row) => ({
    table: String(row['tableName']),
    name: String(row['name']),
    type: String(row['type']),
    isRequired: row['isRequired'] === 1,
    isKey: row['isKey'] === 1,
  }));
}

/** Changes rows of a closed database without the checks of its tables, which are there again afterwards. */
export function unchecked(path: string, work: (database: DatabaseSync) => void): void {
  const laxPath = `${path}-lax`;
  const database = new DatabaseSync(laxPath);
  database.exec(`ATTACH '${path}' AS whole`);
  const tables = database
    .prepare(
      "SELECT name, sql FROM whole.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all()
    .map((row) => ({ name: String(row['name']), sql: String(row['sql']) }));
  database.exec('PRAGMA ignore_check_constraints = ON');
  for (const { name, sql } of tables) {
    database.exec(laxOf(sql));
    database.exec(`INSERT INTO main."${name}" SELECT * FROM whole."${name}"`);
  }
  database.exec(
    `PRAGMA user_version = ${String(database.prepare('PRAGMA whole.user_version').get()?.['user_version'])}`,
  );
  database.exec('DETACH whole');
  work(database);
  database.close();
  let file = readFileSync(laxPath, 'latin1');
  for (const { sql } of tables) {
    file = file.replace(laxOf(sql), () => sql);
  }
  rmSync(laxPath);
  rmSync(`${path}-wal`, { force: true });
  rmSync(`${path}-shm`, { force: true });
  writeFileSync(path, file, { encoding: 'latin1', mode: 0o600 });
}

/** The same table without its checks, in as many letters: so the text in the file can be replaced by the true one. */
function laxOf(sql: string): string {
  return (
    sql
      .replaceAll('STRICT,', '       ')
      // SQLite keeps nothing after the last word.
      .replace(/\(([^]*)\) STRICT$/, '(       $1)')
      .replaceAll('NOT NULL', '        ')
      .replaceAll(/\bTEXT\b/g, 'BLOB')
  );
}

/** Adds a sound row, whose texts end so; in a table of one row, in its place. */
export function addRow(database: DatabaseSync, columns: readonly Column[], mark: string): void {
  const [first] = columns;
  const values = columns.map((column, at): SQLInputValue => {
    const sample = SAMPLES[`${column.table}.${column.name}`];
    if (sample !== undefined) {
      return sample;
    }
    if (column.type === 'INTEGER') {
      return column.name === 'id' && isSingle(column.table)
        ? 1
        : 1_700_000_000_000 +
            at +
            Buffer.from(mark).reduce((sum, letter) => (sum * 31 + letter) % 999_983, 0);
    }
    return column.type === 'BLOB' ? Buffer.from('x') : isJson(column) ? '{}' : `${column.name}-${mark}`;
  });
  database
    .prepare(`INSERT OR REPLACE INTO "${first?.table ?? ''}" VALUES (${columns.map(() => '?').join(', ')})`)
    .run(...values);
}

export function isSingle(table: string): boolean {
  return ['link', 'write_probe', 'owner_lease'].includes(table);
}
