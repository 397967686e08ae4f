// The archived history in pages: every line once and in order, filtered, with its gaps, on a real disk.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/domain/history/history.ts';
import {
  ALL_HISTORY,
  type HistoryCursor,
  type HistoryFilter,
  type LockHistoryLine,
} from '../../../src/domain/history/page.ts';
import { type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { newStorage } from './place.ts';

const NOON = Date.UTC(2026, 3, 14, 12);
const LOCKS = ['a', 'b', 'c'].map(lockId);
const [DOOR, GARAGE] = ['a', 'b'].map(lockId) as [LockId, LockId];
const HOUR = 3_600_000;

function entry(id: string, at: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  const by = { method: 'thumbturn', id: null, name: null } as const;
  return { id, at: NOON + at, offsetMinutes: null, what: 'secured', by, ...more };
}

function keep({ archive }: Storage, lock: LockId, ...entries: readonly HistoryEntry[]): void {
  archive.saveListed({ lockId: lock, entries, limit: 100, updatedAt: null }, NOON + 24 * HOUR);
}

function wordOf({ lock, line }: LockHistoryLine): string {
  return `${lock}:${line.what === 'gap' ? 'gap' : line.id}`;
}

/** All pages of a size, one after the other. */
function paged({ historyPages }: Storage, filter: HistoryFilter, limit: number): readonly string[] {
  const words: string[] = [];
  let below: HistoryCursor | null = null;
  do {
    const page = historyPages.page(filter, below, limit);
    expect(page.lines.length).toBeLessThanOrEqual(limit);
    words.push(...page.lines.map(wordOf));
    expect(words.length, 'pages that come back').toBeLessThan(1_000);
    below = page.next;
  } while (below !== null);
  return words;
}

describe('the pages of the archive', () => {
  it('hold every line of all locks once, the newest first, whatever the size of a page (property)', () => {
    const moves = fc.array(
      fc.record({ lock: fc.constantFrom(...LOCKS), at: fc.integer({ min: 0, max: 8 }) }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 7 }), fc.boolean(), (made, limit, split) => {
        const storage = newStorage().storage;
        const entries = made.map(({ lock, at }, index) => ({
          lock,
          entry: entry(`h-${String(index).padStart(2, '0')}`, at * HOUR),
        }));
        const halves = split
          ? [
              entries.filter(({ entry: { at } }) => at < NOON + 3 * HOUR),
              entries.filter(({ entry: { at } }) => at >= NOON + 5 * HOUR),
            ]
          : [entries];
        for (const half of halves) {
          for (const lock of LOCKS) {
            keep(storage, lock, ...half.filter((each) => each.lock === lock).map((each) => each.entry));
          }
        }
        const whole = storage.historyPages.page(ALL_HISTORY, null, 1_000);
        const times = whole.lines.map(({ line }) => (line.what === 'gap' ? line.to : line.at));
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(whole.lines.filter(({ line }) => line.what !== 'gap')).toHaveLength(halves.flat().length);
        const each = LOCKS.flatMap((lock) =>
          storage.archive.newest(lock, 1_000).map((line) => wordOf({ lock, line })),
        );
        expect(whole.lines.map(wordOf).toSorted()).toEqual(each.toSorted());
        expect(paged(storage, ALL_HISTORY, limit)).toEqual(whole.lines.map(wordOf));
        storage.close();
      }),
      { numRuns: 30 },
    );
  });

  it('are filtered by lock, time, person and method; the names of people by a part, regardless of case', () => {
    const storage = newStorage().storage;
    const ann = { method: 'access-code', id: 'c-1', name: 'Ann' } as const;
    keep(
      storage,
      DOOR,
      entry('h-1', 0, { by: ann }),
      entry('h-2', HOUR),
      entry('h-3', 2 * HOUR, { by: { ...ann, method: 'virtual-key' } }),
    );
    keep(storage, GARAGE, entry('g-1', HOUR, { by: ann }));
    const shown = (filter: Partial<HistoryFilter>): readonly string[] =>
      paged(storage, { ...ALL_HISTORY, ...filter }, 2);
    expect(shown({ locks: [GARAGE] })).toEqual(['b:g-1']);
    expect(shown({ since: NOON + HOUR, until: NOON + 2 * HOUR })).toEqual(['b:g-1', 'a:h-2']);
    expect(shown({ person: 'ANN' })).toEqual(['a:h-3', 'b:g-1', 'a:h-1']);
    expect(shown({ person: 'An' })).toEqual(shown({ person: 'ANN' }));
    expect(shown({ person: 'Anna' })).toEqual([]);
    expect(shown({ methods: ['virtual-key', 'thumbturn'] })).toEqual(['a:h-3', 'a:h-2']);
    expect(storage.historyPages.people(0)).toEqual(['Ann']);
  });

  it.each([
    ['Žofie Dvořáková', 'žOFIE dvoř'],
    ['Žofie', 'Z\u030cOFIE'],
    ['Юлия', 'юЛ'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυς'],
    ['Οδυσσεύς', 'ΣΕΎΣ'],
    ['Groß', 'GROSS'],
    ['İlker', 'ilk'],
    ['Ilker', 'ilk'],
    ['ＡＮＮ', 'ann'],
    ['Dog walker', 'WALK'],
  ])('find %s by %s: case counts in no script, and a part is enough (faults#122)', (name, sought) => {
    const storage = newStorage().storage;
    const by = { method: 'access-code', id: 'c-1', name } as const;
    keep(storage, DOOR, entry('h-1', 0, { by }), entry('h-2', HOUR, { by: { ...by, name: 'Bob' } }));
    expect(paged(storage, { ...ALL_HISTORY, person: sought }, 2)).toEqual(['a:h-1']);
  });

  it('find a name that may be a secret by the whole of it alone', () => {
    const storage = newStorage().storage;
    const by = { method: 'access-code', id: 'c-1', name: '4711' } as const;
    keep(storage, DOOR, entry('h-1', 0, { by }));
    const found = ['4', '471', '4711'].map((person) => paged(storage, { ...ALL_HISTORY, person }, 2));
    expect(found).toEqual([[], [], ['a:h-1']]);
  });

  it('show a gap with every filter of persons, and one that reaches beyond the chosen time', () => {
    const storage = newStorage().storage;
    keep(storage, DOOR, entry('h-1', 0));
    keep(storage, DOOR, entry('h-9', 10 * HOUR));
    expect(paged(storage, { ...ALL_HISTORY, person: 'Ann' }, 1)).toEqual(['a:gap']);
    expect(paged(storage, { ...ALL_HISTORY, since: NOON + HOUR, until: NOON + 2 * HOUR }, 1)).toEqual([
      'a:gap',
    ]);
    expect(paged(storage, { ...ALL_HISTORY, until: NOON + 1 }, 1)).toEqual(['a:gap', 'a:h-1']);
    expect(paged(storage, { ...ALL_HISTORY, until: NOON }, 1)).toEqual([]);
    expect(paged(storage, { ...ALL_HISTORY, since: NOON + 10 * HOUR }, 1)).toEqual(['a:h-9']);
  });

  it('keep each lock within its own day on every page, whatever its clocks', () => {
    const storage = newStorage().storage;
    keep(storage, DOOR, entry('h-1', 0), entry('h-2', 7 * HOUR), entry('h-3', 8 * HOUR));
    keep(storage, GARAGE, entry('g-1', HOUR), entry('g-2', 5 * HOUR), entry('g-3', 6 * HOUR));
    const untilOf = new Map([
      [DOOR, NOON + 10 * HOUR],
      [GARAGE, NOON + 4 * HOUR],
    ]);
    const ownDays: HistoryFilter = {
      ...ALL_HISTORY,
      spanOf: (lock) => ({ since: NOON, until: untilOf.get(lock) ?? null }),
    };
    const whole = storage.historyPages.page(ownDays, null, 100).lines.map(wordOf);
    expect(whole).toEqual(['a:h-3', 'a:h-2', 'b:g-1', 'a:h-1']);
    expect(paged(storage, ownDays, 1)).toEqual(whole);
  });

  it('show a gap that reaches beyond the chosen time once, beside an entry of the last moment', () => {
    const storage = newStorage().storage;
    keep(storage, DOOR, entry('h-1', 0));
    keep(storage, DOOR, entry('h-9', 10 * HOUR));
    keep(storage, GARAGE, entry('g-1', HOUR - 1));
    const hour = { ...ALL_HISTORY, since: NOON, until: NOON + HOUR };
    expect(paged(storage, hour, 1)).toEqual(['a:gap', 'b:g-1', 'a:h-1']);
  });
});
