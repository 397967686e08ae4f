// Stored rows are read back unchanged: tokens, journal, known locks, settings and secrets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LINK_STATES } from '../../../src/domain/account/account.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import type { KnownLock } from '../../../src/domain/locks/absence-policy.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { JournalNote, TokenPair } from '../../../src/domain/ports.ts';
import { SqliteTokenVault } from '../../../src/storage/account/token-vault.ts';
import { KEPT_COMMANDS } from '../../../src/storage/command-journal.ts';
import { openDatabase } from '../../../src/storage/database/open-database.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { silentLog } from '../../../src/support/log.ts';
import { openedStorage } from '../../component/storage/place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function opened(): { storage: Storage; again: () => Storage } {
  const path = join(temporaryFolder(), 'latchkey.db');
  const storage = openedStorage(path);
  return {
    storage,
    again: () => {
      storage.close();
      return openedStorage(path);
    },
  };
}

const tokens: TokenPair = {
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  receivedAt: 1_776_168_000_000,
  expiresInMs: 3_600_000,
  issuedAt: 1_776_168_000_000,
};

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
const anyInstant = fc.integer({ min: 0, max: 4_102_444_800_000 });
const anyTokens = fc.record({
  accessToken: fc.string({ maxLength: 3_000 }),
  refreshToken: anyText,
  receivedAt: anyInstant,
  expiresInMs: fc.nat(),
  issuedAt: fc.option(anyInstant),
});

describe('a database', () => {
  it('has tokens on the disk when a write returns, while other rows survive a killed process only', () => {
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
});

describe('a secret', () => {
  it('that was replaced or erased stands in no file of the database, while that is open (faults#123)', () => {
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
    storage.close();
  });
});

describe('the token vault', () => {
  const none = { state: 'unlinked', tokens: null, generation: 0, interrupted: false };
  const linked = { state: 'linked', tokens, generation: 1, interrupted: false };

  it('begins unlinked, and returns a pair and its state after a restart, one generation later', () => {
    const { storage, again } = opened();
    expect(storage.vault.read()).toEqual(none);
    expect(storage.vault.write('linked', tokens)).toBe(1);
    expect(again().vault.read()).toEqual(linked);
  });

  it('returns the last write, and counts every change', () => {
    const { storage } = opened();
    let generation = 0;
    const state = fc.constantFrom(...LINK_STATES);
    fc.assert(
      fc.property(state, fc.option(anyTokens), (written, pair) => {
        generation += 1;
        expect(storage.vault.write(written, pair)).toBe(generation);
        expect(storage.vault.read()).toEqual({ ...none, state: written, tokens: pair, generation });
      }),
    );
  });

  it('is written only over the expected generation, when one is named', () => {
    const { storage } = opened();
    storage.vault.write('linked', tokens);
    expect(storage.vault.write('revoked', null, 0)).toBeNull();
    expect(storage.vault.write('revoked', null, 2)).toBeNull();
    expect(storage.vault.read()).toEqual(linked);
    expect(storage.vault.write('revoked', null, 1)).toBe(2);
    expect(storage.vault.read()).toEqual({ ...none, state: 'revoked', generation: 2 });
  });

  it('remembers that a renewal of its tokens has begun, until it ends or they are replaced (faults#111)', () => {
    const { storage } = opened();
    storage.vault.write('linked', tokens);
    storage.vault.beginRenewal('of-another-link');
    expect(storage.vault.read()).toEqual(linked);
    storage.vault.beginRenewal(tokens.refreshToken);
    expect(storage.vault.read()).toEqual({ ...linked, interrupted: true });
    storage.vault.endRenewal();
    expect(storage.vault.read().interrupted).toBe(false);
    storage.vault.beginRenewal(tokens.refreshToken);
    storage.vault.write('linked', tokens);
    expect(storage.vault.read().interrupted).toBe(false);
  });

  it('stores times between two milliseconds, which a measured clock has', () => {
    const { storage } = opened();
    storage.vault.write('linked', { ...tokens, receivedAt: 1_000.4, expiresInMs: 59.7, issuedAt: 999.6 });
    const rounded = { receivedAt: 1_000, expiresInMs: 60, issuedAt: 1_000 };
    expect(storage.vault.read().tokens).toMatchObject(rounded);
  });

  it('returns tokens for the service that issued them, and for another service only its own empty place', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const [one, other] = ['one', 'other'].map((service) => openedStorage(path, 'tester', service));
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
    const storage = openedStorage(path, 'tester', 'one');
    expect(storage.vault.read()).toEqual(linked);
    expect(storage.holdsAnothersTokens()).toBe(false);
  });
});

describe('the command journal', () => {
  const draft = { lockId: lockId('front'), target: 'unsecured', issuedAt: 5_000 } as const;

  const moved = (journalId: number): JournalNote => ({ journalId, outcome: 'moved' });

  it('holds a command open until its end is written, across restarts', () => {
    const { storage, again } = opened();
    const drafts = [draft, { ...draft, target: 'secured', issuedAt: 6_000.6 }] as const;
    const [first = 0, second = 0] = storage.journal.begin(drafts);
    storage.journal.note([{ journalId: second, commandId: commandId('c-2') }]);

    const { journal } = again();
    expect(journal.open()).toEqual([
      { journalId: first, ...draft, commandId: null },
      { journalId: second, ...draft, target: 'secured', issuedAt: 6_001, commandId: 'c-2' },
    ]);
    journal.note([{ journalId: first, outcome: 'unsent' }]);
    expect(journal.open().map(({ journalId }) => journalId)).toEqual([second]);
    journal.note([moved(second)]);
    expect(journal.open()).toEqual([]);
  });

  it('lists the latest commands that ended with an unknown outcome, across restarts', () => {
    const { storage, again } = opened();
    const rows = storage.journal.begin(
      [1_000, 2_000, 3_000.7, 4_000].map((issuedAt) => Object.assign({}, draft, { issuedAt })),
    );
    const outcomes = ['uncertain', 'uncertain', 'moved'] as const;
    storage.journal.note(outcomes.map((outcome, index) => ({ journalId: rows[index] ?? 0, outcome })));
    expect(again().journal.uncertainSince(2_000.5)).toMatchObject([{ ...draft, issuedAt: 2_000 }]);
  });

  it('keeps the first end of a command, whatever is noted later', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const storage = openedStorage(path);
    const [id = 0] = storage.journal.begin([draft]);
    storage.journal.note([moved(id)]);
    storage.journal.note([{ journalId: id, outcome: 'uncertain' }]);
    storage.close();
    const database = new DatabaseSync(path);
    expect(database.prepare('SELECT outcome FROM command').all()).toMatchObject([{ outcome: 'moved' }]);
    database.close();
  });

  it('writes the commands that begin at once, and those that end at once, in one commit each', () => {
    const { storage } = opened();
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

  it('never gives two commands the same number, not even after old ones are removed', () => {
    const { storage } = opened();
    const ids = Array.from({ length: 2 * KEPT_COMMANDS }, () => {
      const [id = 0] = storage.journal.begin([draft]);
      storage.journal.note([moved(id)]);
      return id;
    });
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('removes ended commands beyond the last ones, and no open one however old', () => {
    const { storage } = opened();
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
  const anyLock: fc.Arbitrary<KnownLock> = fc.record({
    id: anyText.map(lockId),
    description: fc.record({
      name: anyText,
      model: anyText,
      serial: anyText,
      firmware: anyText,
      role: fc.constantFrom('owner', 'guest', 'reader'),
    }),
    misses: fc.nat({ max: 1_000 }),
    missingSince: fc.option(anyInstant),
  });

  it('has every stored lock as it was last stored, and no forgotten one', () => {
    const { storage } = opened();
    const model = new Map<string, KnownLock>();
    const { knownLocks } = storage;
    fc.assert(
      fc.property(anyLock, fc.boolean(), (lock, forget) => {
        knownLocks.save([lock]);
        model.set(lock.id, lock);
        if (forget) {
          knownLocks.forget(lock.id);
          model.delete(lock.id);
        }
        expect(new Map(knownLocks.all().map((known) => [known.id, known]))).toEqual(model);
      }),
    );
  });

  const [lock] = fc.sample(anyLock, { numRuns: 1, seed: 1 }) as [KnownLock];
  const named = (id: string): KnownLock => ({ ...lock, id: lockId(id) });

  it('stores all locks of one call, or none', () => {
    const { storage, again } = opened();
    expect(() => {
      storage.knownLocks.save([lock, { ...named('broken'), misses: Number.NaN }]);
    }).toThrow('known_lock');
    expect(again().knownLocks.all()).toEqual([]);
  });

  it('keeps the order in which locks came, after any update', () => {
    const { storage, again } = opened();
    for (const id of ['side', 'front', 'cellar', 'side']) {
      storage.knownLocks.save([named(id)]);
    }
    const ids = again()
      .knownLocks.all()
      .map(({ id }) => id);
    expect(ids).toEqual(['side', 'front', 'cellar']);
  });
});

describe('a setting of the pages', () => {
  it('is read back as any JSON value, across restarts, until it is erased', () => {
    const { storage, again } = opened();
    const value = { remoteUnlock: false, names: ['Haustür', '正面玄関'], threshold: 20, none: null };
    storage.settings.write('lock:front', value);
    storage.settings.write('lock:front', { ...value, threshold: 25 });
    storage.settings.write('flag', false);

    const { settings } = again();
    expect(settings.read('lock:front')).toEqual({ ...value, threshold: 25 });
    expect([...settings.all()]).toEqual([
      ['flag', false],
      ['lock:front', { ...value, threshold: 25 }],
    ]);
    settings.erase('lock:front');
    expect(settings.read('lock:front')).toBeUndefined();
    expect(settings.read('never')).toBeUndefined();
  });

  it('is listed without the secrets', () => {
    const { storage } = opened();
    storage.secrets.write('partner', { clientSecret: 'canary' });
    expect(storage.settings.read('partner')).toBeUndefined();
    expect([...storage.settings.all()]).toEqual([]);
    expect(storage.secrets.read('partner')).toEqual({ clientSecret: 'canary' });
  });
});
