// One damaged value in any row of any table: that row is set aside, named and kept, and everything else works.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ALL_HISTORY } from '../../../src/domain/history/page.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { CredentialOperation } from '../../../src/features/credentials/policy/credential.ts';
import { SqliteCreateAttempts } from '../../../src/features/credentials/tables/create-attempts.ts';
import { SqliteRateWindows } from '../../../src/features/credentials/tables/rate-windows.ts';
import { KeptStayStore } from '../../../src/features/stays/tables/stay-store.ts';
import { setAsideIn } from '../../../src/storage/database/damaged-rows.ts';
import { STEPS } from '../../../src/storage/database/migrations.ts';
import { openDatabase } from '../../../src/storage/database/open-database.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { addRow, columnsIn, DAMAGES, isSingle, unchecked } from './damage.ts';

/** A database with this version's tables. */
function freshPath(more = ''): string {
  const path = join(temporaryFolder(), 'a.db');
  if (more === '') {
    writeFileSync(path, FRESH, { mode: 0o600 });
    return path;
  }
  const database = openDatabase(path, silentLog);
  database.durable.script(more);
  database.close();
  return path;
}

/** Made once: hundreds of rows are damaged. */
const FRESH = freshBytes();

function freshBytes(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  const path = join(folder, 'a.db');
  openDatabase(path, silentLog).close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

const COLUMNS = columnsIn(inMemory());
const TABLES = [...new Set(COLUMNS.map(({ table }) => table))];

function inMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const step of STEPS) {
    database.exec(step);
  }
  return database;
}

/** They are looked at when one of their rows cannot be read, and a row that can be stays. */
const LARGE = new Set(['history_entry', 'history_gap', 'history_name', 'received_event']);

/** Opens the storage, reads all of it, writes to all that a start writes to, and closes it; returns the lines of its log. */
function lived(path: string): { readonly lines: readonly string[]; readonly storage: Storage } {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (line: string) => lines.push(line) };
  const storage = openStorage({ path, clock: new ManualClock(), log });
  const lock = lockId('lock_id-1');
  storage.vault.read();
  storage.journal.open();
  storage.journal.uncertainSince(0);
  storage.knownLocks.all();
  storage.knownLocks.find(lock);
  storage.ledger.newestAt();
  for (const { name } of [{ name: '1' }, { name: 'sound' }, ...COLUMNS]) {
    storage.archive.mark(lockId(`lock_id-${name}`));
    storage.archive.newest(lockId(`lock_id-${name}`), 50);
  }
  storage.historyPages.people(0);
  storage.historyPages.page(ALL_HISTORY, null, 50);
  storage.codes.guests();
  storage.openFeature(() => new KeptStayStore(storage.secrets)).stays();
  storage.settings.all();
  storage.secrets.all();
  const windows = storage.openFeature(({ quick }) => new SqliteRateWindows(quick));
  windows.read('operation-1' as CredentialOperation, 10);
  storage.openFeature(({ durable }) => new SqliteCreateAttempts(durable)).settle('somebody', 1);
  storage.journal.note(
    storage.journal
      .begin([{ lockId: lock, target: 'secured', issuedAt: 1 }])
      .map((journalId) => ({ journalId, outcome: 'moved' as const })),
  );
  storage.settings.write('later', 1);
  storage.close();
  return { lines, storage };
}

function rowsOf(path: string, sql: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(path);
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

const setAside = (path: string): readonly string[] =>
  rowsOf(path, "SELECT key FROM secret WHERE key LIKE 'set-aside:%'").map(({ key }) => String(key));

describe.each(TABLES)('a row of %s', (table) => {
  const columns = COLUMNS.filter((column) => column.table === table);

  it('that is sound is not touched', () => {
    const path = freshPath();
    unchecked(path, (database) => addRow(database, columns, '1'));
    const before = rowsOf(path, `SELECT * FROM "${table}"`);
    expect(lived(path).lines).toEqual([]);
    expect(before).toHaveLength(1);
    expect(setAside(path)).toEqual([]);
  });

  const textColumn = columns.find(({ type }) => type === 'TEXT')?.name ?? '';

  it.each(Object.keys(DAMAGES))(
    'with %s in any of its columns is set aside, and the rest works (faults#146)',
    (kind) => {
      const damaged = columns.flatMap((column) => {
        const value = DAMAGES[kind]?.(column) ?? null;
        // An INTEGER PRIMARY KEY is the row's own number, which SQLite keeps whole.
        return value === null || (column.isKey && column.name === 'id' && column.type === 'INTEGER')
          ? []
          : [{ name: column.name, value }];
      });
      const together = isSingle(table) ? damaged.map((one) => [one]) : [damaged];
      for (const some of together.filter(({ length }) => length > 0)) {
        const path = freshPath();
        unchecked(path, (database) => {
          if (!isSingle(table)) {
            addRow(database, columns, 'sound');
          }
          for (const { name, value } of some) {
            addRow(database, columns, name);
            const which = isSingle(table) ? 'true' : `"${textColumn}" = '${textColumn}-${name}'`;
            database.exec(`UPDATE "${table}" SET "${name}" = ${value} WHERE ${which}`);
          }
        });
        const { lines } = lived(path);
        const names = some.map(({ name }) => name);
        if (!LARGE.has(table)) {
          expect(lines).toEqual([expect.stringContaining(`: ${table}, `)]);
          expect(names.filter((name) => !lines[0]?.includes(name))).toEqual([]);
          expect([names, setAside(path)]).toEqual([
            names,
            names.map(() => expect.stringMatching(`^set-aside:${table}:`) as string),
          ]);
        }
        expect([names, lived(path).lines]).toEqual([names, []]);
        const kept = rowsOf(
          path,
          `SELECT * FROM "${table}" WHERE ${isSingle(table) ? 'true' : `"${textColumn}" = '${textColumn}-sound'`}`,
        );
        // A row of a table with one row is made again where it is needed.
        expect([names, kept.length]).toEqual([
          names,
          table === 'owner_lease' || table === 'write_probe' ? 0 : 1,
        ]);
      }
    },
  );
});

describe('a damaged row', () => {
  it('of the link leaves the refresh token where it was, and the next use renews it (faults#146)', () => {
    const columns = COLUMNS.filter(({ table }) => table === 'link');
    for (const name of ['received_at', 'issued_at', 'expires_in_ms', 'generation', 'state']) {
      const path = freshPath();
      unchecked(path, (database) => {
        addRow(database, columns, '1');
        database.exec(`UPDATE link SET "${name}" = x'00'`);
      });
      const storage = openStorage({ path, clock: new ManualClock(), log: silentLog });
      expect(storage.vault.read()).toMatchObject({
        state: 'linked',
        tokens: { accessToken: 'access_token-1', refreshToken: 'refresh_token-1', receivedAt: 0 },
      });
      storage.close();
    }
  });

  it('of the settings of a lock forbids unlocking from afar until a person sets it again (faults#146)', () => {
    const path = freshPath();
    const { storage } = lived(path);
    expect(storage).toBeDefined();
    unchecked(path, (database) => {
      database.exec(
        `INSERT INTO setting VALUES ('lock.front', '{"remoteUnlock":fal'), ('lock.back', '{"hidden":true}')`,
      );
    });
    lived(path);
    expect(rowsOf(path, "SELECT * FROM setting WHERE key LIKE 'lock.%' ORDER BY key")).toMatchObject([
      { key: 'lock.back', value: '{"hidden":true}' },
      { key: 'lock.front', value: '{"remoteUnlock":false}' },
    ]);
  });

  it('of a table that this version does not know is set aside by its types and names alone', () => {
    const path = freshPath(
      'CREATE TABLE later (key TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    );
    unchecked(path, (database) => {
      database.exec(
        `INSERT INTO later VALUES ('a', 1), ('b', 'never'), ('c', 253402300799999), (CAST(x'ff' AS TEXT), 2)`,
      );
    });
    lived(path);
    expect(rowsOf(path, 'SELECT * FROM later')).toMatchObject([{ key: 'a', seen_at: 1 }]);
    expect(setAside(path)).toHaveLength(3);
  });

  it('is named by its table for the doctor', () => {
    const path = freshPath();
    unchecked(path, (database) => database.exec("INSERT INTO known_lock (id) VALUES ('front')"));
    expect(setAsideIn(path)).toEqual([]);
    lived(path);
    expect(setAsideIn(path)).toEqual(['known_lock']);
  });

  it('that comes while the account is open is set aside when it is read', () => {
    const path = freshPath();
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => lines.push(line) };
    const storage = openStorage({ path, clock: new ManualClock(), log });
    const other = new DatabaseSync(path);
    other.exec(`INSERT INTO secret VALUES ('guest:1', '{'), ('guest:2', '{}')`);
    other.close();
    expect([...storage.secrets.all().keys()].filter((key) => key.startsWith('guest:'))).toEqual(['guest:2']);
    expect(lines).toHaveLength(1);
    storage.close();
  });
});
