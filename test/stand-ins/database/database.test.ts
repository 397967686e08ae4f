// The database in memory and the real one on a disk keep the same promises; what both must do stands here once.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../src/domain/commands/command.ts';
import type { HistoryEntry } from '../../../src/domain/history/history.ts';
import type { KnownLock } from '../../../src/domain/locks/absence-policy.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryArchive } from '../../../src/domain/ports.ts';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { openedStorage } from '../../component/storage/place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pair } from '../service/tokens.ts';
import { MemoryLedger } from './events.ts';
import { MemoryArchive } from './history.ts';
import { MemoryJournal, MemoryRoster } from './locks.ts';
import { MemoryValues } from './values.ts';
import { MemoryVault } from './vault.ts';

type Parts = Pick<Storage, 'journal' | 'knownLocks' | 'ledger' | 'vault'> & {
  readonly archive: HistoryArchive;
  readonly values: Pick<Storage['settings'], 'read' | 'all' | 'write' | 'erase'>;
};

const DOOR = lockId('front');
const GARAGE = lockId('garage');
const NOON = Date.UTC(2026, 3, 14, 12);

function inMemory(): Parts {
  return {
    values: new MemoryValues(),
    journal: new MemoryJournal(),
    knownLocks: new MemoryRoster(),
    archive: new MemoryArchive(),
    ledger: new MemoryLedger(),
    vault: new MemoryVault('unlinked', null),
  };
}

function onDisk(): Parts {
  const storage = openedStorage(join(temporaryFolder(), 'latchkey.db'));
  return { ...storage, values: storage.settings };
}

function known(name: string, misses = 0): KnownLock {
  const description = { name, model: 'Deadbolt', serial: name, firmware: '1.0.0', role: 'owner' } as const;
  return { id: lockId(name), description, misses, missingSince: misses === 0 ? null : NOON };
}

function entry(id: string, at: number): HistoryEntry {
  return {
    id,
    at: NOON + at,
    offsetMinutes: null,
    what: 'secured',
    by: { method: 'thumbturn', id: null, name: null },
  };
}

function event(eventId: string, at: number | null): ServiceEvent {
  const by = { method: 'thumbturn', id: null, name: null } as const;
  return { type: 'bolt', bolt: 'secured', accessor: by, eventId, lockId: DOOR, at };
}

describe.each([
  ['the stand-in of the database', inMemory],
  ['the real database', onDisk],
] as const)('%s', (_name, open) => {
  it('keeps values as JSON by key, in the order of the keys', () => {
    const { values } = open();
    values.write('b', { text: 'x', left: undefined });
    values.write('a', null);
    values.write('c', 1);
    values.write('c', 2);
    values.erase('never-there');
    expect([...values.all()]).toEqual([
      ['a', null],
      ['b', { text: 'x' }],
      ['c', 2],
    ]);
    values.erase('b');
    expect([values.read('a'), values.read('b')]).toEqual([null, undefined]);
  });

  it('opens a command with its row, and gives it back until it has an end', () => {
    const { journal } = open();
    const draft = { lockId: DOOR, target: 'unsecured', issuedAt: NOON } as const;
    const [first = 0, second = 0] = journal.begin([draft, { ...draft, lockId: GARAGE }]);
    expect(first).not.toBe(second);
    journal.note([{ journalId: first, commandId: commandId('c-1') }]);
    expect(journal.open()).toEqual([
      { ...draft, journalId: first, commandId: 'c-1' },
      { ...draft, lockId: GARAGE, journalId: second, commandId: null },
    ]);
    journal.note([{ journalId: first, outcome: 'moved' }]);
    expect(journal.open().map(({ journalId }) => journalId)).toEqual([second]);
  });

  it('counts the first end of a command, and remembers the uncertain ones by their time', () => {
    const { journal } = open();
    const draft = { lockId: DOOR, target: 'unsecured', issuedAt: NOON } as const;
    const [id = 0] = journal.begin([draft]);
    journal.note([{ journalId: id, outcome: 'uncertain' }]);
    journal.note([{ journalId: id, outcome: 'moved' }]);
    expect(journal.open()).toEqual([]);
    expect(journal.uncertainSince(NOON)).toEqual([{ ...draft, journalId: id, commandId: null }]);
    expect(journal.uncertainSince(NOON + 1)).toEqual([]);
  });

  it('knows locks in the order in which they were saved first', () => {
    const { knownLocks } = open();
    knownLocks.save([known('b'), known('a')]);
    knownLocks.save([known('a'), known('b', 2)]);
    expect(knownLocks.all()).toEqual([known('b', 2), known('a')]);
    expect(knownLocks.find(lockId('b'))).toEqual(known('b', 2));
    expect(knownLocks.find(lockId('never-there'))).toBeNull();
    knownLocks.forget(lockId('b'));
    knownLocks.forget(lockId('never-there'));
    expect(knownLocks.all()).toEqual([known('a')]);
  });

  it('keeps how many members of a list could not be read beside all locks', () => {
    const { knownLocks } = open();
    expect(knownLocks.unreadBeside()).toBe(0);
    knownLocks.noteUnreadBeside(2);
    expect(knownLocks.unreadBeside()).toBe(2);
  });

  it('remembers entries once, the newest first, for each lock by itself', () => {
    const { archive } = open();
    const [early, late] = [entry('h-1', 0), entry('h-2', 60_000)];
    archive.saveListed({ lockId: DOOR, entries: [late, early], limit: 100, updatedAt: NOON }, NOON + 60_000);
    archive.saveListed({ lockId: DOOR, entries: [late, early], limit: 100, updatedAt: NOON }, NOON + 60_000);
    expect(archive.newest(DOOR, 10)).toEqual([late, early]);
    expect(archive.newest(DOOR, 1)).toEqual([late]);
    expect(archive.newest(GARAGE, 10)).toEqual([]);
  });

  it('marks how far a history was read, and no list without a time takes that back', () => {
    const { archive } = open();
    expect(archive.mark(DOOR)).toBeUndefined();
    archive.begin([{ lockId: DOOR, updatedAt: null }]);
    expect(archive.mark(DOOR)).toBeNull();
    archive.saveListed({ lockId: DOOR, entries: [], limit: 100, updatedAt: NOON }, NOON);
    archive.begin([{ lockId: DOOR, updatedAt: NOON + 1 }]);
    archive.saveListed({ lockId: DOOR, entries: [], limit: 100, updatedAt: null }, NOON);
    expect(archive.mark(DOOR)).toBe(NOON);
  });

  it('shows what was reported among what was listed', () => {
    const { archive } = open();
    archive.saveReported([{ lockId: DOOR, entry: entry('e-1', 30_000), late: false }], NOON + 30_000);
    archive.saveListed({ lockId: DOOR, entries: [entry('h-1', 0)], limit: 100, updatedAt: NOON }, NOON);
    expect(archive.newest(DOOR, 10)).toEqual([entry('e-1', 30_000), entry('h-1', 0)]);
  });

  it('shows a gap where an entry of the list could not be read, until a list has it (faults#183)', () => {
    const { archive } = open();
    const [early, middle, late] = [entry('h-1', 0), entry('h-2', 30_000), entry('h-3', 60_000)];
    const listed = { lockId: DOOR, limit: 100, updatedAt: NOON };
    const hole = { from: early.at, to: late.at };
    for (let count = 0; count < 2; count += 1) {
      archive.saveListed({ ...listed, entries: [late, early], holes: [hole] }, NOON + 60_000);
      expect(archive.newest(DOOR, 10)).toEqual([late, { what: 'gap', ...hole }, early]);
    }
    archive.saveListed({ ...listed, entries: [late, middle, early] }, NOON + 60_000);
    expect(archive.newest(DOOR, 10)).toEqual([late, middle, early]);
  });

  it('knows an event again by its id and its time', () => {
    const { ledger } = open();
    expect(ledger.newestAt()).toBeNull();
    ledger.appendAll([{ event: event('e-1', null), receivedAt: NOON }]);
    expect(ledger.newestAt()).toBeNull();
    ledger.appendAll([{ event: event('e-2', NOON), receivedAt: NOON + 5 }]);
    ledger.appendAll([{ event: event('e-2', NOON), receivedAt: NOON + 9 }]);
    expect(ledger.newestAt()).toBe(NOON);
    expect(ledger.has(event('e-1', null))).toBe(true);
    expect(ledger.has(event('e-2', NOON))).toBe(true);
    expect(ledger.has(event('e-2', NOON + 1))).toBe(false);
    expect(ledger.has(event('e-3', NOON))).toBe(false);
  });

  it('stores tokens over the generation that they replace, and over no other', () => {
    const { vault } = open();
    const { generation } = vault.read();
    const stored = vault.write('linked', pair(1, NOON), generation);
    expect(stored).not.toBe(generation);
    expect(vault.write('linked', pair(2, NOON), generation)).toBeNull();
    expect(vault.read()).toEqual({
      state: 'linked',
      tokens: pair(1, NOON),
      generation: stored,
      interrupted: false,
    });
  });

  it('tells that a renewal was begun until it is ended, or its tokens are stored', () => {
    const { vault } = open();
    vault.write('linked', pair(1, NOON));
    vault.beginRenewal('r1');
    expect(vault.read().interrupted).toBe(true);
    vault.endRenewal();
    expect(vault.read().interrupted).toBe(false);
    vault.beginRenewal('r1');
    vault.write('linked', pair(2, NOON));
    expect(vault.read().interrupted).toBe(false);
    vault.beginRenewal('r1');
    expect(vault.read().interrupted).toBe(false);
  });
});
