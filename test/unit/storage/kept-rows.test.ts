// Stored rows are read back unchanged: tokens, journal, known locks, settings and secrets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { LINK_STATES } from '../../../src/domain/account/account.ts';
import type { KnownLock } from '../../../src/domain/locks/absence-policy.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { JournalNote, TokenPair } from '../../../src/domain/ports.ts';
import { SqliteTokenVault } from '../../../src/storage/account/token-vault.ts';
import { KEPT_COMMANDS } from '../../../src/storage/command-journal.ts';
import { openDatabase } from '../../../src/storage/database/open-database.ts';
import { silentLog } from '../../../src/support/log.ts';
import { newStorage, openedStorage } from '../../component/storage/place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const tokens: TokenPair = {
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  receivedAt: 1_776_168_000_000,
  expiresInMs: 3_600_000,
  issuedAt: 1_776_167_999_000,
};

it('a database has tokens on the disk when a write returns, while other rows survive a killed process only', () => {
  const database = openDatabase(join(temporaryFolder(), 'a.db'), silentLog);
  const { durable, quick } = database;
  expect([durable, quick].map((each) => each.first('PRAGMA synchronous'))).toEqual([
    { synchronous: 2 },
    { synchronous: 1 },
  ]);
  // @ts-expect-error -- A connection that a power cut may rob takes no tokens: the compiler refuses it.
  expect(new SqliteTokenVault(quick, null).read().state).toBe('unlinked');
  database.close();
});

it('a secret that was replaced or erased stands in no file of the database, while that is open (faults#123)', () => {
  const folder = temporaryFolder();
  const storage = openedStorage(join(folder, 'a.db'));
  const found = (digits: string): readonly string[] =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(digits));
  for (let turn = 0; turn < 40; turn += 1) {
    storage.secrets.write('guest:g', { pin: '83749201', turn });
  }
  expect(found('83749201')).toEqual(['a.db']);
  storage.secrets.write('guest:g', { pin: '55510273' });
  expect(found('83749201')).toEqual([]);
  storage.secrets.erase('guest:g');
  expect([found('83749201'), found('55510273')]).toEqual([[], []]);
  storage.secrets.write('guest:g', { pin: '40718836' });
  const reader = new DatabaseSync(join(folder, 'a.db'));
  reader.exec('BEGIN; SELECT * FROM secret');
  storage.secrets.erase('guest:g');
  expect(found('40718836')).toEqual(['a.db-wal']);
  reader.close();
  storage.secrets.write('guest:h', { pin: '29615408' });
  expect(found('40718836')).toEqual([]);
  storage.close();
});

describe('the token vault', () => {
  const none = { state: 'unlinked', tokens: null, generation: 0, interrupted: false };
  const linked = { state: 'linked', tokens, generation: 1, interrupted: false };

  it('begins unlinked, and returns the last state after a restart, one generation later for each', () => {
    const { storage, again } = newStorage();
    expect(storage.vault.read()).toEqual(none);
    const states = LINK_STATES.filter((state) => state !== 'linked');
    for (const [index, state] of states.entries()) {
      expect(storage.vault.write(state, null)).toBe(index + 1);
      expect(storage.vault.read()).toEqual({ ...none, state, generation: index + 1 });
    }
    storage.vault.write('linked', tokens);
    expect(again().vault.read()).toEqual({ ...linked, generation: states.length + 1 });
  });

  it('forgets a renewal that had begun when tokens are stored, the same ones included (faults#111)', () => {
    const { storage } = newStorage();
    storage.vault.write('linked', tokens);
    storage.vault.beginRenewal(tokens.refreshToken);
    storage.vault.write('linked', tokens);
    expect(storage.vault.read().interrupted).toBe(false);
  });

  it('stores times between two milliseconds, which a measured clock has', () => {
    const { storage } = newStorage();
    storage.vault.write('linked', { ...tokens, receivedAt: 1_000.4, expiresInMs: 59.7, issuedAt: 999.6 });
    const rounded = { receivedAt: 1_000, expiresInMs: 60, issuedAt: 1_000 };
    expect(storage.vault.read().tokens).toMatchObject(rounded);
  });

  it('returns tokens for the service that issued them, and for another service only its own empty place', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const [one, other] = ['one', 'other'].map((service) => openedStorage(path, service));
    one?.vault.write('linked', tokens);
    expect(other?.vault.read()).toEqual({ ...none, generation: 1 });
    expect([one?.holdsAnothersTokens(), other?.holdsAnothersTokens()]).toEqual([false, true]);
    expect(one?.vault.read()).toEqual(linked);

    expect(other?.vault.write('linked', tokens, 1)).toBe(2);
    expect(other?.vault.read()).toEqual({ ...linked, generation: 2 });
    expect(one?.vault.read()).toEqual({ ...none, generation: 2 });
    other?.vault.write('unlinked', null);
    expect(one?.holdsAnothersTokens()).toBe(false);
  });

  it('takes tokens without a recorded service for those of the service that asks', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    openedStorage(path).vault.write('linked', tokens);
    const storage = openedStorage(path, 'one');
    expect(storage.vault.read()).toEqual(linked);
    expect(storage.holdsAnothersTokens()).toBe(false);
  });
});

describe('the command journal', () => {
  const draft = { lockId: lockId('front'), target: 'unsecured', issuedAt: 5_000 } as const;

  const moved = (journalId: number): JournalNote => ({ journalId, outcome: 'moved' });

  it('lists the commands without an end, and the latest with an unknown outcome, across restarts', () => {
    const { storage, again } = newStorage();
    const rows = storage.journal.begin(
      [1_000, 2_000, 4_000, 3_000.7].map((issuedAt) => Object.assign({}, draft, { issuedAt })),
    );
    const outcomes = ['uncertain', 'uncertain', 'moved'] as const;
    storage.journal.note(outcomes.map((outcome, index) => ({ journalId: rows[index] ?? 0, outcome })));
    const { journal } = again();
    expect(journal.uncertainSince(2_000.5)).toMatchObject([{ ...draft, issuedAt: 2_000 }]);
    expect(journal.open()).toMatchObject([{ ...draft, issuedAt: 3_001 }]);
  });

  it('writes the commands that begin at once, and those that end at once, in one commit each', () => {
    const { storage } = newStorage();
    const statements = vi.spyOn(StatementSync.prototype, 'run');
    const scripts = vi.spyOn(DatabaseSync.prototype, 'exec');
    const ids = storage.journal.begin([draft, draft, draft]);
    expect([statements.mock.calls.length, scripts.mock.calls.length]).toEqual([1, 0]);
    storage.journal.note(ids.map((id) => moved(id)));
    expect(scripts.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
    statements.mockRestore();
    scripts.mockRestore();
    expect(storage.journal.open()).toEqual([]);
  });

  it('removes ended commands beyond the last ones, and no open one however old', () => {
    const { storage } = newStorage();
    const [open = 0] = storage.journal.begin([draft]);
    for (let count = 0; count < KEPT_COMMANDS + 20; count += 1) {
      const ids = storage.journal.begin([draft]);
      storage.journal.note(ids.map((journalId) => ({ journalId, outcome: 'refused' })));
    }
    expect(storage.journal.open().map(({ journalId }) => journalId)).toEqual([open]);
    // The end of a forgotten command changes nothing.
    storage.journal.note([moved(open + 1)]);
    expect(storage.journal.open()).toHaveLength(1);
  });
});

describe('the table of known locks', () => {
  const lock: KnownLock = {
    id: lockId('front'),
    description: { name: 'Haustür 🔒', model: 'Deadbolt', serial: 'S-1', firmware: '1.0', role: 'guest' },
    misses: 2,
    missingSince: 1_776_168_000_000,
  };
  const changed: KnownLock = {
    id: lock.id,
    description: { name: '正面玄関', model: 'Lever', serial: 'S-2', firmware: '2.0', role: 'reader' },
    misses: 0,
    missingSince: null,
  };

  it.each([lock, changed])('has every member of a lock as it was last stored (%#)', (stored) => {
    const { storage, again } = newStorage();
    storage.knownLocks.save([changed]);
    storage.knownLocks.save([stored]);
    expect(again().knownLocks.all()).toEqual([stored]);
  });

  it('stores all locks of one call, or none', () => {
    const { storage, again } = newStorage();
    expect(() => {
      storage.knownLocks.save([lock, { ...lock, id: lockId('broken'), misses: Number.NaN }]);
    }).toThrow('known_lock');
    expect(again().knownLocks.all()).toEqual([]);
  });
});

it('a setting of the pages is listed without the secrets', () => {
  const { storage } = newStorage();
  storage.secrets.write('partner', { clientSecret: 'canary' });
  expect(storage.settings.read('partner')).toBeUndefined();
  expect([...storage.settings.all()]).toEqual([]);
  expect(storage.secrets.read('partner')).toEqual({ clientSecret: 'canary' });
});
