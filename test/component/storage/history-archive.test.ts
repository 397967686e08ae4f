// The history archive on a real disk: ordered, free of duplicates, bounded, and with its gaps shown.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type HistoryEntry,
  type HistoryLine,
  type HistoryWhat,
  MOST_HISTORY_ENTRIES,
} from '../../../src/domain/history/history.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryArchive } from '../../../src/domain/ports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { newStorage, openedStorage } from './place.ts';

const DOOR = lockId('door-1');
const NOON = Date.UTC(2026, 3, 14, 12);
const RESIDENT = { method: 'virtual-key', id: 'u-1', name: 'Resident' } as const;
const OURS = { method: 'own-command', id: 'u-1', name: null } as const;
const HAND = { method: 'thumbturn', id: null, name: null } as const;

function entry(id: string, at: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return { id, at: NOON + at, offsetMinutes: null, what: 'secured', by: HAND, ...more };
}

function archive(): HistoryArchive {
  return newStorage().storage.archive;
}

/** What the service lists at that instant, the newest first; of all its entries where no limit is named. */
function listAt(
  into: HistoryArchive,
  now: number,
  entries: readonly HistoryEntry[],
  limit = MOST_HISTORY_ENTRIES,
): void {
  into.saveListed({ lockId: DOOR, entries, limit, updatedAt: null }, now);
}

function list(into: HistoryArchive, ...entries: readonly HistoryEntry[]): void {
  listAt(into, Math.max(NOON, ...entries.map(({ at }) => at)), entries.toReversed());
}

function emit(into: HistoryArchive, ...entries: readonly HistoryEntry[]): void {
  const reported = entries.map((each) => ({ lockId: DOOR, entry: each, late: false }));
  into.saveReported(reported, Math.max(NOON, ...entries.map(({ at }) => at)));
}

function idsOf(lines: readonly HistoryLine[]): readonly string[] {
  return lines.map((line) => (line.what === 'gap' ? 'gap' : line.id));
}

describe('the archive', () => {
  it('counts the age from today, also for a lock that reports nothing any more', () => {
    const { storage } = newStorage();
    const day = 86_400_000;
    list(storage.archive, entry('h-1', 0));
    storage.archive.prune(NOON + 729 * day);
    expect(idsOf(storage.archive.newest(DOOR, 10))).toEqual(['h-1']);
    storage.archive.prune(NOON + 730 * day);
    expect(idsOf(storage.archive.newest(DOOR, 10))).toEqual([]);
  });

  it('keeps what happens after an erasure, though an entry of a clock that was ahead was erased', () => {
    const { storage } = newStorage();
    const [before, after] = [entry('h-1', 0), entry('h-2', 3_600_000)];
    const ahead = entry('h-9', 20 * 3_600_000);
    listAt(storage.archive, NOON, [ahead, before]);
    expect(storage.archive.erase({ lock: DOOR, person: null }, NOON + 1_000)).toBe(2);
    listAt(storage.archive, NOON + 3_600_000, [ahead, after, before]);
    expect(idsOf(storage.archive.newest(DOOR, 10))).toEqual(['h-2']);
  });

  it('erases a person or a lock for good: later lists and a restart bring nothing back, new entries are kept', () => {
    const { storage, again } = newStorage();
    const of = (id: string, at: number) => entry(id, at, { by: RESIDENT });
    list(storage.archive, of('h-1', 0), entry('h-2', 1_000));
    expect(storage.archive.count({ lock: null, person: 'resident' })).toBe(1);
    expect(storage.archive.erase({ lock: null, person: 'resident' }, NOON + 2_000)).toBe(1);
    list(storage.archive, of('h-1', 0), entry('h-2', 1_000), of('h-3', 3_000));
    expect(idsOf(storage.archive.newest(DOOR, 10))).toEqual(['h-3', 'h-2']);
    const later = again().archive;
    emit(later, of('h-0', -1_000));
    list(later, of('h-1', 0), entry('h-2', 1_000), of('h-3', 3_000));
    expect(idsOf(later.newest(DOOR, 10))).toEqual(['h-3', 'h-2']);
    expect(later.erase({ lock: DOOR, person: null }, NOON + 4_000)).toBe(2);
    list(later, entry('h-2', 1_000), of('h-3', 3_000));
    expect(idsOf(later.newest(DOOR, 10))).toEqual([]);
  });

  it('erases a guest who is gone for good, whom later lists know by the name of the code alone', () => {
    const { storage, again } = newStorage();
    const by = (id: string, name: string) => ({ by: { method: 'access-code', id, name } as const });
    list(storage.archive, entry('h-1', 0, by('a1', '山田')), entry('h-2', 1_000, by('b2', 'Anna')));
    list(storage.archive, entry('h-3', 2_000, by('b2', 'Bernd')));
    expect(storage.archive.erase({ lock: null, person: '山田' }, NOON + 10_000)).toBe(1);
    expect(storage.archive.erase({ lock: null, person: 'Anna' }, NOON + 10_000)).toBe(1);
    // The second code went on under another name, which is not of the one who was erased.
    const after = [
      entry('h-1', 0, by('a1', 'Guest')),
      entry('h-4', 3_000, by('a1', 'Guest')),
      entry('h-5', 4_000, by('b2', 'Bernd')),
      entry('h-6', 11_000, by('a1', 'Guest')),
    ];
    list(again().archive, ...after);
    expect(idsOf(again().archive.newest(DOOR, 10))).toEqual(['h-6', 'h-5', 'h-3']);
  });

  it('keeps a guest erased whose code is called otherwise on the lock, once nobody knows the guest any more', () => {
    const { storage, path } = newStorage();
    const by = (name: string) => ({ by: { method: 'access-code', id: 'c-1', name } }) as const;
    const event = { type: 'bolt', bolt: 'unsecured', accessor: by('Door 12 Anna').by } as const;
    const received = { ...event, eventId: 'e-1', at: NOON, lockId: DOOR };
    storage.ledger.appendAll([{ event: received, receivedAt: NOON }]);
    list(storage.archive, entry('h-1', 0, by('Anna')), entry('h-2', 1_000, { by: RESIDENT }));
    expect(storage.archive.erase({ lock: null, person: 'anna' }, NOON + 2_000)).toBe(1);
    expect(readFileSync(path).includes('Door 12 Anna')).toBe(false);
    // The guest was removed: the service's list has the name of the code.
    const listed = [entry('h-1', 0, by('Door 12 Anna')), entry('h-2', 1_000, { by: RESIDENT })];
    list(storage.archive, ...listed, entry('h-3', 3_000, by('Door 12 Anna')));
    expect(idsOf(storage.archive.newest(DOOR, 10))).toEqual(['h-3', 'h-2']);
  });

  it('leaves an erased person or lock in no file, also not among the events that were received lately', () => {
    const { storage, path } = newStorage();
    const folder = dirname(path);
    const filesWith = (text: string): readonly string[] =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
    const named = { type: 'bolt', bolt: 'unsecured', accessor: RESIDENT } as const;
    const coded = { type: 'code-added', codeId: 'c-1', codeName: 'Cellist' } as const;
    const received = [
      { ...named, eventId: 'e-1', at: NOON, lockId: DOOR },
      { ...coded, eventId: 'e-2', at: NOON + 1, lockId: DOOR },
      { ...coded, codeName: 'Gardener', eventId: 'e-3', at: NOON + 2, lockId: lockId('gate-2') },
    ];
    storage.ledger.appendAll(received.map((event) => ({ event, receivedAt: NOON })));
    list(storage.archive, entry('h-1', 0, { by: RESIDENT }));
    storage.archive.erase({ lock: null, person: 'resident' }, NOON + 2_000);
    expect(filesWith('Resident')).toEqual([]);
    expect(filesWith('Cellist')).toEqual(['latchkey.db']);
    storage.archive.erase({ lock: DOOR, person: null }, NOON + 3_000);
    expect(filesWith('Cellist')).toEqual([]);
    expect(filesWith('Gardener')).not.toEqual([]);
    // They stay known as received.
    expect(received.map((event) => storage.ledger.has(event))).toEqual([true, true, true]);
  });

  it('forgets the events of an erased person in parts, and after a crash the rest', () => {
    const { storage, path, again } = newStorage();
    const named = (name: string) => ({
      type: 'bolt' as const,
      bolt: 'unsecured' as const,
      accessor: { ...RESIDENT, name },
    });
    const received = Array.from({ length: 10_000 }, (_, index) => ({
      receivedAt: NOON,
      event: {
        ...named(index % 100 === 0 ? 'Tuba player' : 'Cellist'),
        eventId: `e-${String(index)}`,
        at: NOON + index,
        lockId: DOOR,
      },
    }));
    storage.ledger.appendAll(received);
    const by = { by: { ...RESIDENT, name: 'Tuba player' } };
    list(storage.archive, entry('h-1', 0, by));
    expect(storage.archive.erase({ lock: null, person: 'tuba player' }, NOON + 20_000)).toBe(1);
    expect(storage.archive.forgetSome()).toBe(true);
    const next = again();
    list(next.archive, entry('h-2', 30_000, by));
    expect(readFileSync(path).includes('Tuba player')).toBe(true);
    next.archive.prune(NOON + 40_000);
    expect(idsOf(next.archive.newest(DOOR, 10))).toEqual(['h-2']);
    expect(next.historyPages.people(0)).toEqual(['Tuba player']);
    list(next.archive, entry('h-1', 0, by));
    expect(next.archive.erase({ lock: null, person: 'tuba player' }, NOON + 40_000)).toBe(1);
    let turns = 1;
    while (next.archive.forgetSome()) {
      turns += 1;
    }
    expect(turns).toBeGreaterThan(1);
    expect(readFileSync(path).includes('Tuba player')).toBe(false);
    expect(readFileSync(path).includes('Cellist')).toBe(true);
    expect(received.slice(0, 200).every(({ event }) => next.ledger.has(event))).toBe(true);
  });

  it('shows no gap of an entry that could not be read where that time was erased', () => {
    const made = newStorage().storage.archive;
    const entries = [entry('h-2', 60_000), entry('h-1', 0)];
    const listed = {
      lockId: DOOR,
      entries,
      limit: 100,
      updatedAt: NOON,
      holes: [{ from: NOON, to: NOON + 60_000 }],
    };
    made.saveListed(listed, NOON + 60_000);
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-2', 'gap', 'h-1']);
    made.erase({ lock: DOOR, person: null }, NOON + 70_000);
    made.saveListed(listed, NOON + 80_000);
    expect(made.newest(DOOR, 10)).toEqual([]);
  });

  it('returns its entries, the newest first, each with its time at the door and its person, across restarts', () => {
    const { storage, again } = newStorage();
    const by = { method: 'access-code', id: 'a71e', name: 'Dog walker' } as const;
    const walker = { offsetMinutes: -240, by };
    list(storage.archive, entry('h-1', 0, walker), entry('h-2', 1_000_000));
    expect(again().archive.newest(DOOR, 10)).toEqual([entry('h-2', 1_000_000), entry('h-1', 0, walker)]);
  });

  it('keeps the entries of a lock when the lock is forgotten', () => {
    const { archive: kept, knownLocks } = newStorage().storage;
    list(kept, entry('h-1', 0), entry('h-2', 1_000_000));
    knownLocks.forget(DOOR);
    expect(idsOf(kept.newest(DOOR, 10))).toEqual(['h-2', 'h-1']);
  });

  it('keeps an entry that is listed again unchanged, and learns the time at the door', () => {
    const made = archive();
    list(made, entry('h-1', 0), entry('h-2', 9_000));
    list(made, entry('h-1', 0, { offsetMinutes: 60 }), entry('h-2', 9_000));
    list(made, entry('h-1', 0), entry('h-2', 9_000));
    expect(made.newest(DOOR, 10)).toEqual([entry('h-2', 9_000), entry('h-1', 0, { offsetMinutes: 60 })]);
  });

  const guest = { ...RESIDENT, id: 'u-2', name: 'Guest' };
  describe.each([true, false])('keeps one entry of a move that a webhook reports first: %s', (first) => {
    it.each<
      [string, reported: Partial<HistoryEntry>, listed: Partial<HistoryEntry>, kept: Partial<HistoryEntry>]
    >([
      ['by the id of the list', {}, {}, {}],
      [
        'with the accessor of the webhook, where the list has none',
        { what: 'unsecured' },
        { what: 'unrecognised' },
        { what: 'unsecured' },
      ],
      [
        'as ours where it is, even if the service lists another accessor',
        { by: OURS },
        { by: RESIDENT },
        { by: OURS },
      ],
      [
        'as ours where the service lists it as unrecognised',
        { by: OURS },
        { what: 'unrecognised', by: RESIDENT },
        { by: OURS },
      ],
      ['not as ours where another person is listed', { by: OURS }, { by: guest }, { by: guest }],
    ])('%s, also when it is listed again', (_form, reported, listed, kept) => {
      const made = archive();
      const reports = (): void => {
        emit(made, entry('e-1', 500, reported));
      };
      const lists = (): void => {
        list(made, entry('h-1', 0, listed));
      };
      for (const step of first ? [reports, lists, lists] : [lists, reports, lists]) {
        step();
      }
      expect(made.newest(DOOR, 10)).toEqual([entry('h-1', 0, kept)]);
    });
  });

  it('keeps two entries of different words or times apart', () => {
    const made = archive();
    emit(made, entry('e-1', 0), entry('e-2', 900, { what: 'unsecured' }));
    list(made, entry('h-1', 2_001), entry('h-2', 5_000));
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-2', 'h-1', 'e-2', 'e-1']);
  });

  it('notes a gap where the list does not reach back to the last known entry, and keeps it', () => {
    const made = archive();
    list(made, entry('h-1', 0), entry('h-2', 10_000));
    list(made, entry('h-50', 50_000), entry('h-51', 60_000));
    emit(made, entry('e-30', 30_000));
    list(made, entry('h-51', 60_000), entry('h-52', 70_000));
    const lines = made.newest(DOOR, 10);
    expect(idsOf(lines)).toEqual(['h-52', 'h-51', 'h-50', 'gap', 'e-30', 'h-2', 'h-1']);
    expect(lines[3]).toEqual({ what: 'gap', from: NOON + 10_000, to: NOON + 50_000 });
    expect(idsOf(made.newest(DOOR, 3))).toEqual(['h-52', 'h-51', 'h-50']);
  });

  describe('with a service that lists as many entries as it remembers', () => {
    const full = Array.from({ length: MOST_HISTORY_ENTRIES }, (_, at) =>
      entry(`h-${at}`, 50_000 + at * 5_000),
    );

    function gaps(made: HistoryArchive): readonly HistoryLine[] {
      list(made, ...full);
      list(made, ...full);
      return made.newest(DOOR, 200).filter(({ what }) => what === 'gap');
    }

    it('notes a gap where fewer were asked for, because the service gives no more at once', () => {
      const entries = full.slice(0, 50).toReversed();
      const [made, modest] = [archive(), archive()];
      for (const [into, limit] of [[made], [modest, 50]] as const) {
        emit(into, entry('e-1', 0));
        listAt(into, NOON + 1_000_000, entries, limit);
      }
      expect(made.newest(DOOR, 200).filter(({ what }) => what === 'gap')).toEqual([]);
      expect(modest.newest(DOOR, 200).at(-2)).toEqual({ what: 'gap', from: NOON, to: NOON + 50_000 });
    });

    it.each<[string, { listed?: number; reported?: readonly number[]; beganAt?: number }, number | null]>([
      ['after the entries of webhooks', { reported: [0, 20_000, 60_500] }, 20_000],
      ['after the last of a webhook, not after listed ones', { listed: 0, reported: [20_000] }, 20_000],
      ['from where the history began, when no entry was reported at all', { beganAt: 7_000 }, 7_000],
      [
        'nowhere if webhooks reported the oldest listed move',
        { listed: 0, reported: [20_000, 50_300] },
        null,
      ],
      ['nowhere if the list reaches back to before the history began', { beganAt: 51_000 }, null],
      ['nowhere if its beginning is unknown', {}, null],
    ])('notes a gap %s', (_where, { listed, reported = [], beganAt }, from) => {
      const made = archive();
      if (beganAt !== undefined) {
        made.begin([{ lockId: DOOR, updatedAt: NOON + beganAt }]);
      }
      if (listed !== undefined) {
        list(made, entry('h', listed));
      }
      emit(made, ...reported.map((at) => entry(`e-${String(at)}`, at)));
      const expected = from === null ? [] : [{ what: 'gap', from: NOON + from, to: NOON + 50_000 }];
      expect(gaps(made)).toEqual(expected);
    });

    it('notes a gap though webhooks reported a part of it late, up to the oldest listed entry', () => {
      const made = archive();
      emit(made, entry('e-1', 0));
      const late = [entry('e-2', 20_000), entry('e-3', 50_000)];
      made.saveReported(
        late.map((each) => ({ lockId: DOOR, entry: each, late: true })),
        NOON,
      );
      expect(gaps(made)).toEqual([{ what: 'gap', from: NOON, to: NOON + 50_000 }]);
      expect(idsOf(made.newest(DOOR, 200)).slice(-4)).toEqual(['h-0', 'gap', 'e-2', 'e-1']);
    });
  });

  it('notes no gap at the beginning, where the list joins, or for an empty list', () => {
    const made = archive();
    emit(made, entry('e-1', 0));
    list(made, entry('h-5', 50_000));
    list(made);
    list(made, entry('h-5', 50_000), entry('h-6', 60_000));
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-6', 'h-5', 'e-1']);
  });

  it('is bounded in number and in time, counted after every 500 entries', () => {
    const kept = { entries: 2_000, ageMs: 30 * 24 * 3_600_000 };
    const made = openedStorage(join(temporaryFolder(), 'house.db'), undefined, kept).archive;
    const many = Array.from({ length: kept.entries + 5 }, (_, at) => entry(`h-${at}`, at * 5_000));
    list(made, ...many);
    expect(made.newest(DOOR, 10_000)).toHaveLength(kept.entries);
    expect(made.newest(DOOR, 10_000).at(-1)).toMatchObject({ id: 'h-5' });
    const more = Array.from({ length: 499 }, (_, at) => entry(`m-${at}`, (many.length + at) * 5_000));
    list(made, ...many.slice(-1), ...more);
    expect(made.newest(DOOR, 10_000)).toHaveLength(kept.entries);
    list(made, entry('h-late', kept.ageMs + 100_000_000));
    expect(idsOf(made.newest(DOOR, 10_000))).toEqual(['h-late', 'gap']);
  });

  it("keeps the service's word for an unknown event, and reads words of a later version as unknown", () => {
    const { storage, path } = newStorage();
    const made = storage.archive;
    const strange = entry('h-1', 0, { what: 'unrecognised', serviceWord: 'DoorPropped' });
    list(made, strange);
    expect(made.newest(DOOR, 10)).toEqual([strange]);
    const database = new DatabaseSync(path);
    database.exec("UPDATE history_entry SET what = 'later', method = 'later'");
    database.close();
    expect(made.newest(DOOR, 10)).toEqual([{ ...strange, by: { ...HAND, method: 'other' } }]);
  });

  it('takes no listed entry for a lost connection or a wrong code of the same moment', () => {
    const made = archive();
    const unknown = { method: 'unavailable', id: null, name: null } as const;
    emit(
      made,
      entry('e-1', 0, { what: 'online', by: unknown }),
      entry('e-2', 10, { what: 'wrong-code', by: unknown }),
    );
    list(made, entry('h-1', 5, { what: 'unrecognised', by: unknown }));
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['e-2', 'h-1', 'e-1']);
  });

  it.each([
    ['ten years ahead', Date.UTC(2036, 3, 14)],
    ['at the epoch', 0],
    ['before the epoch', -1],
  ])(
    'leaves out an entry dated %s, listed or reported by a webhook, and loses no other to it (faults#87)',
    (_when, at) => {
      const made = archive();
      const good = [entry('h-1', 0), entry('h-2', 1_000_000)];
      const strange = { ...entry('h-strange', 0), at };
      const now = NOON + 2_000_000;
      listAt(made, now, [...good, strange]);
      made.saveReported([{ lockId: DOOR, entry: strange, late: false }], now);
      listAt(made, now, good);
      expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-2', 'h-1']);
    },
  );

  it('keeps an entry with the wall time of another zone, up to a day ahead', () => {
    const made = archive();
    const ahead = [entry('h-1', 24 * 3_600_000), entry('h-2', 24 * 3_600_000 + 1)];
    listAt(made, NOON, ahead);
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-1']);
  });

  it('loses nothing to an entry from years ahead that an earlier version stored (faults#87)', () => {
    const made = archive();
    const years = 10 * 366 * 24 * 3_600_000;
    list(made, entry('h-2036', years));
    listAt(made, NOON, [entry('h-1', 0)]);
    listAt(made, NOON, [entry('h-2', 1_000)]);
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-2036', 'h-2', 'h-1']);
  });

  it('takes the nearer of two equal moves within two seconds for a listed one', () => {
    const made = archive();
    emit(made, entry('e-1', 0), entry('e-2', 1_500));
    list(made, entry('h-2', 1_600), entry('h-1', 100));
    expect(idsOf(made.newest(DOOR, 10))).toEqual(['h-2', 'h-1']);
    const other = archive();
    emit(other, entry('e-1', 0), entry('e-2', 1_500));
    list(other, entry('h-2', 1_600));
    expect(idsOf(other.newest(DOOR, 10))).toEqual(['h-2', 'e-1']);
  });

  it('loses and doubles no entry, in any order of lists and webhooks', () => {
    const whats: readonly HistoryWhat[] = ['secured', 'unsecured', 'jammed'];
    const sequence = Array.from({ length: 12 }, (_, at) =>
      entry(`h-${at}`, at * 10_000, { what: whats[at % 3] ?? 'alarm' }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ until: fc.nat(12), webhook: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        (steps) => {
          const made = archive();
          for (const { until, webhook } of [...steps].sort((a, b) => a.until - b.until)) {
            if (webhook) {
              emit(
                made,
                ...sequence.slice(0, until).map(({ id, at, what }) => entry(`e-${id}`, at - NOON, { what })),
              );
            } else {
              list(made, ...sequence.slice(0, until));
            }
          }
          list(made, ...sequence);
          expect(idsOf(made.newest(DOOR, 100))).toEqual(sequence.map(({ id }) => id).toReversed());
        },
      ),
      { numRuns: 30 },
    );
  });
});
