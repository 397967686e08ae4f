// Creates the tables and upgrades older databases: numbered steps, forward only.
//
// A step removes nothing. After an update, the new command line may migrate the database while the old plugin still
// runs: everything that the old version reads and writes must stay in place.
import { FinalError } from '../../support/errors.ts';
import { integer } from './columns.ts';
import type { Connection } from './connection.ts';

/** Step N upgrades a database from version N to N + 1. A released step is never edited. */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE link (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    state TEXT NOT NULL,
    access_token TEXT,
    refresh_token TEXT,
    received_at INTEGER,
    expires_in_ms INTEGER,
    generation INTEGER NOT NULL,
    service TEXT,
    issued_at INTEGER,
    CHECK ((access_token IS NULL) = (refresh_token IS NULL)
       AND (access_token IS NULL) = (received_at IS NULL)
       AND (access_token IS NULL) = (expires_in_ms IS NULL))
  ) STRICT;
  INSERT INTO link (id, state, generation) VALUES (1, 'unlinked', 0);

  CREATE TABLE write_probe (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    counter INTEGER NOT NULL,
    ballast BLOB NOT NULL,
    spending TEXT
  ) STRICT;

  -- One page per row, because its commit delays the command. The newest row is always kept, so no number is given
  -- twice; of 500 rows the open ones are found without an index.
  CREATE TABLE command (
    id INTEGER PRIMARY KEY,
    lock_id TEXT NOT NULL,
    target TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    command_id TEXT,
    outcome TEXT
  ) STRICT;

  CREATE TABLE known_lock (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    model TEXT NOT NULL,
    serial TEXT NOT NULL,
    firmware TEXT NOT NULL,
    role TEXT NOT NULL,
    misses INTEGER NOT NULL,
    missing_since INTEGER
  ) STRICT;

  CREATE TABLE owner_lease (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    owner_id TEXT,
    pid INTEGER NOT NULL,
    started TEXT,
    boot TEXT,
    pid_space TEXT,
    socket_path TEXT NOT NULL,
    renewals INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE secret (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE received_event (
    happened_at INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (happened_at, event_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE history_entry (
    lock_id TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    entry_id TEXT NOT NULL,
    reported INTEGER NOT NULL,
    what TEXT NOT NULL,
    method TEXT NOT NULL,
    accessor_id TEXT,
    accessor_name TEXT,
    offset_minutes INTEGER,
    service_word TEXT,
    PRIMARY KEY (lock_id, happened_at, entry_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE history_gap (
    lock_id TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (lock_id, ended_at)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sync_cursor (lock_id TEXT PRIMARY KEY, updated_at INTEGER) STRICT, WITHOUT ROWID;

  CREATE TABLE rate_window (operation TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE create_attempt (
    user_id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    settled_at INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  // What a search by name and the limit of a lock need without reading every entry: the names in each 15 days, and a count.
  // Triggers keep both, so that the entries of an older version count as well. Only removals by name and age take names away.
  `
  CREATE TABLE history_name (
    lock_id TEXT NOT NULL,
    period INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (lock_id, period, name)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO history_name
    SELECT lock_id, happened_at / 1296000000, accessor_name FROM history_entry WHERE accessor_name IS NOT NULL;

  CREATE TABLE history_count (lock_id TEXT PRIMARY KEY, entries INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO history_count SELECT lock_id, count(*) FROM history_entry GROUP BY lock_id;

  CREATE TRIGGER history_entry_added AFTER INSERT ON history_entry BEGIN
    INSERT INTO history_count VALUES (new.lock_id, 1) ON CONFLICT DO UPDATE SET entries = entries + 1;
    INSERT OR IGNORE INTO history_name
      SELECT new.lock_id, new.happened_at / 1296000000, new.accessor_name WHERE new.accessor_name IS NOT NULL;
  END;
  CREATE TRIGGER history_entry_renamed AFTER UPDATE OF accessor_name ON history_entry
  WHEN new.accessor_name IS NOT NULL BEGIN
    INSERT OR IGNORE INTO history_name VALUES (new.lock_id, new.happened_at / 1296000000, new.accessor_name);
  END;
  CREATE TRIGGER history_entry_removed AFTER DELETE ON history_entry BEGIN
    UPDATE history_count SET entries = entries - 1 WHERE lock_id = old.lock_id;
  END;
  `,
];

/** Upgrades the database to the current version, each step whole or not at all. Refuses a newer version. */
export function migrate(connection: Connection, path: string, steps: readonly string[] = STEPS): void {
  if (versionOf(connection) === steps.length) {
    return;
  }
  connection.transaction(() => {
    // Read again: another process may have migrated during the wait.
    const version = versionOf(connection);
    if (version > steps.length) {
      throw new FinalError(
        'bad-configuration',
        `Storage refused: ${path} was written by a newer version (its format is ${version}, this version knows ` +
          `${steps.length}); update this plugin, or move the file away and connect the account again.`,
      );
    }
    for (const step of steps.slice(version)) {
      connection.script(step);
    }
    connection.script(`PRAGMA user_version = ${steps.length}`);
  });
}

function versionOf(connection: Connection): number {
  return integer(connection.first('PRAGMA user_version') ?? {}, 'user_version');
}
