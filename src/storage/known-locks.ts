// Keeps the account's locks, as last listed, across restarts.

import type { KnownLock } from '../domain/locks/absence-policy.ts';
import { type LockId, lockId, type Role } from '../domain/locks/lock.ts';
import type { KnownLockStore } from '../domain/ports.ts';
import type { Values } from './account/settings.ts';
import { integer, integerOrNull, text, word } from './database/columns.ts';
import type { Connection, Row } from './database/connection.ts';

const UNREAD_BESIDE = 'unread-beside-locks';

const ROLES: readonly Role[] = ['owner', 'guest', 'reader'];

export class SqliteKnownLocks implements KnownLockStore {
  readonly #connection: Connection;
  readonly #settings: Pick<Values, 'read' | 'write'>;

  constructor(connection: Connection, settings: Pick<Values, 'read' | 'write'>) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** The locks in the order of their first saving. */
  all(): readonly KnownLock[] {
    return this.#connection.all('SELECT * FROM known_lock ORDER BY rowid').map(knownLock);
  }

  find(id: LockId): KnownLock | null {
    const row = this.#connection.first('SELECT * FROM known_lock WHERE id = ?', id);
    return row === null ? null : knownLock(row);
  }

  save(locks: readonly KnownLock[]): void {
    this.#connection.transaction(() => {
      for (const lock of locks) {
        this.#saveOne(lock);
      }
    });
  }

  forget(id: LockId): void {
    this.#connection.run('DELETE FROM known_lock WHERE id = ?', id);
  }

  unreadBeside(): number {
    const count = this.#settings.read(UNREAD_BESIDE);
    return typeof count === 'number' ? count : 0;
  }

  noteUnreadBeside(count: number): void {
    this.#settings.write(UNREAD_BESIDE, count);
  }

  #saveOne(lock: KnownLock): void {
    const { name, model, serial, firmware, role } = lock.description;
    this.#connection.run(
      `INSERT INTO known_lock (id, name, model, serial, firmware, role, misses, missing_since)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET name = excluded.name, model = excluded.model, serial = excluded.serial,
         firmware = excluded.firmware, role = excluded.role, misses = excluded.misses,
         missing_since = excluded.missing_since`,
      lock.id,
      name,
      model,
      serial,
      firmware,
      role,
      lock.misses,
      lock.missingSince === null ? null : Math.round(lock.missingSince),
    );
  }
}

function knownLock(row: Row): KnownLock {
  return {
    id: lockId(text(row, 'id')),
    description: {
      name: text(row, 'name'),
      model: text(row, 'model'),
      serial: text(row, 'serial'),
      firmware: text(row, 'firmware'),
      role: word(row, 'role', ROLES),
    },
    misses: integer(row, 'misses'),
    missingSince: integerOrNull(row, 'missing_since'),
  };
}
