// The archived history for people: times on the lock's clocks, the hours of a week, who unlocked today, and files.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../../src/domain/history/history.ts';
import { ALL_HISTORY, type HistoryCursor } from '../../../../src/domain/history/page.ts';
import type { AccessMethod } from '../../../../src/domain/locks/access.ts';
import { type LockId, lockId } from '../../../../src/domain/locks/lock.ts';
import { HistoryViews } from '../../../../src/panel/history/views.ts';
import type { ExportFormat, HistoryPageView, HistoryQuery } from '../../../../src/panel/views/history.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { readCsv } from '../../../../src/support/text/csv.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { openedStorage } from '../../storage/place.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
/** 09:00 in Paris, 03:00 in New York, on a Thursday. */
const NOW = Date.UTC(2026, 3, 16, 7);
/** Every entry, of any day. */
const ALL: HistoryQuery = { ...ALL_HISTORY, firstDay: null, lastDay: null };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);
}

function opened(
  zones: Readonly<Record<string, string>> = { front: 'Europe/Paris', back: 'America/New_York' },
  now = NOW,
) {
  const storage = openedStorage(join(temporaryFolder(), 'house.db'));
  const views = new HistoryViews({
    pages: storage.historyPages,
    now: () => now,
    zoneOf: (id) => zones[id] ?? null,
    nameOf: (id) => (id === FRONT ? 'Front door' : `=Back "door"`),
  });
  return { storage, views };
}

let made = 0;

function unlocked(
  at: number,
  name: string | null = 'Ann',
  method: AccessMethod = 'access-code',
): HistoryEntry {
  made += 1;
  return { id: `h-${made}`, at, offsetMinutes: null, what: 'unsecured', by: { method, id: null, name } };
}

function keep({ archive }: Storage, lock: LockId, ...entries: readonly HistoryEntry[]): void {
  archive.saveListed(
    { lockId: lock, entries, limit: 100, updatedAt: null },
    Math.max(NOW, ...entries.map(({ at }) => at)),
  );
}

function exported(views: HistoryViews, format: ExportFormat): string {
  let text = '';
  let below: HistoryCursor | null = null;
  do {
    const part = views.export(ALL, format, below);
    text += part.text;
    below = part.next;
  } while (below !== null);
  return text;
}

describe('the history for people', () => {
  it("gives each line on its lock's clocks: by the zone, else by the service's offset, else by the nearest entry", () => {
    const { storage, views } = opened({ front: 'Europe/Paris' });
    keep(storage, FRONT, unlocked(NOW - HOUR));
    keep(storage, BACK, { ...unlocked(NOW - 2 * HOUR), offsetMinutes: 345 }, unlocked(NOW - 3 * HOUR));
    const { lines } = views.page(ALL, null, 50);
    expect(lines.map(({ lockName, offsetMinutes }) => [lockName, offsetMinutes])).toEqual([
      ['Front door', 120],
      ['=Back "door"', 345],
      ['=Back "door"', 345],
    ]);
  });

  it('has no name that may be a secret (faults#66)', () => {
    const { storage, views } = opened();
    keep(storage, FRONT, unlocked(NOW - HOUR, '4711'), unlocked(NOW - 2 * HOUR, 'Ann'));
    const names = views.page(ALL, null, 50).lines.map((line) => line.what !== 'gap' && line.by.name);
    expect([names, views.people()]).toEqual([[null, 'Ann'], ['Ann']]);
  });

  describe('by days', () => {
    const during = (views: HistoryViews, firstDay: string | null, lastDay: string | null, limit = 50) =>
      views.page({ ...ALL, firstDay, lastDay }, null, limit);
    const timesOf = ({ lines }: HistoryPageView) =>
      lines.map((line) => (line.what === 'gap' ? 'gap' : line.at));

    it('lists the days of each lock from its own midnight to its own midnight', () => {
      const { storage, views } = opened();
      const [paris, newYork] = [Date.UTC(2026, 3, 14, 22), Date.UTC(2026, 3, 15, 4)];
      const around = (midnight: number) => [midnight - 1, midnight, midnight + DAY - 1, midnight + DAY];
      keep(storage, FRONT, ...around(paris).map((at) => unlocked(at)));
      keep(storage, BACK, ...around(newYork).map((at) => unlocked(at)));
      expect(timesOf(during(views, '2026-04-15', '2026-04-15'))).toEqual([
        newYork + DAY - 1,
        paris + DAY - 1,
        newYork,
        paris,
      ]);
      const [first, second] = [during(views, null, '2026-04-15', 3), during(views, '2026-04-15', null, 3)];
      expect(timesOf(first)).toEqual([newYork + DAY - 1, paris + DAY - 1, newYork]);
      expect(timesOf(views.page({ ...ALL, firstDay: null, lastDay: '2026-04-15' }, first.next, 3))).toEqual([
        newYork - 1,
        paris,
        paris - 1,
      ]);
      expect(timesOf(second)[0]).toBe(newYork + DAY);
    });

    it('begins a day of changed clocks with the offset that holds at midnight', () => {
      const { storage, views } = opened({ front: 'Pacific/Auckland' });
      // Summer time ended at 03:00 on April 5: that day began 13 hours before UTC, and the next one 12.
      const [begin, end] = [Date.UTC(2026, 3, 4, 11), Date.UTC(2026, 3, 5, 12)];
      keep(storage, FRONT, unlocked(begin - 1), unlocked(begin), unlocked(end - 1), unlocked(end));
      expect(timesOf(during(views, '2026-04-05', '2026-04-05'))).toEqual([end - 1, begin]);
    });

    it('takes the dates of the entries where the zone of a lock is not known', () => {
      const { storage, views } = opened({});
      const midnight = Date.UTC(2026, 3, 14, 18, 15);
      const there = (at: number): HistoryEntry => ({ ...unlocked(at), offsetMinutes: 345 });
      const long = { ...unlocked(NOW), offsetMinutes: -600 };
      keep(storage, BACK, there(midnight - 1), there(midnight), there(midnight + DAY - 1), long);
      expect(timesOf(during(views, '2026-04-15', '2026-04-15'))).toEqual([midnight + DAY - 1, midnight]);
    });

    it('writes the chosen days alone to a file, and counts its lines', () => {
      const { storage, views } = opened();
      keep(storage, FRONT, unlocked(NOW - 3 * DAY), unlocked(NOW - DAY), unlocked(NOW));
      const part = views.export({ ...ALL, firstDay: '2026-04-15', lastDay: '2026-04-15' }, 'csv', null);
      expect([part.lines, part.text.trim().split('\n').length, part.next]).toEqual([1, 2, null]);
      expect(part.text).toContain('2026-04-15T09:00:00.000+02:00');
    });

    it('leaves "today" and the week as they are', async () => {
      const { storage, views } = opened();
      keep(storage, FRONT, unlocked(NOW - HOUR));
      const longAgo = { ...ALL, firstDay: '2020-01-01', lastDay: '2020-01-31' };
      expect(views.page(longAgo, null, 50).lines).toEqual([]);
      expect([views.today(longAgo), await views.week(longAgo, 0)]).toEqual([
        views.today(ALL),
        await views.week(ALL, 0),
      ]);
      expect(views.today(longAgo).visitors).toHaveLength(1);
    });
  });

  it('counts the unlocks of seven days by the hour of the lock, and marks the hours of a gap', async () => {
    const { storage, views } = opened();
    keep(storage, FRONT, unlocked(NOW - HOUR), unlocked(NOW - HOUR + 60_000), {
      ...unlocked(NOW - HOUR),
      what: 'secured',
    });
    keep(storage, BACK, unlocked(NOW - DAY));
    keep(storage, BACK, unlocked(NOW - 2 * HOUR));
    const { days, total } = await views.week(ALL, 0);
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([7, '2026-04-10', '2026-04-16']);
    const today = days.at(-1);
    expect([total, today?.unlocks[8], today?.unlocks[1]]).toEqual([4, 2, 1]);
    expect([days[5]?.unlocks[3], days[5]?.gaps[2], days[5]?.gaps[4], today?.gaps[1], today?.gaps[2]]).toEqual(
      [1, false, true, true, false],
    );
    expect([
      (await views.week(ALL, 1)).total,
      (await views.week({ ...ALL, locks: [FRONT] }, 0)).total,
    ]).toEqual([0, 2]);
  });

  it.each([
    ['Pacific/Auckland', 14, '2026-04-17', 2],
    ['Pacific/Kiritimati', 12, '2026-04-17', 2],
    ['Pacific/Honolulu', 5, '2026-04-15', 19],
  ])(
    'ends the week with the day that it is in %s at %i:00 UTC (faults#122)',
    async (zone, hour, date, atHour) => {
      const now = Date.UTC(2026, 3, 16, hour);
      const { storage, views } = opened({ front: zone }, now);
      keep(storage, FRONT, unlocked(now));
      const { days, total } = await views.week(ALL, 0);
      expect([days.length, days.at(-1)?.date, total]).toEqual([7, date, 1]);
      expect(days.at(-1)?.unlocks[atHour]).toBe(1);
      expect((await views.week(ALL, 1)).days.at(-1)?.date).toBe(dayBefore(days[0]?.date ?? ''));
    },
  );

  it('reads the week a day in a turn, so that nothing waits for many locks (faults#163)', async () => {
    const { storage } = opened();
    const spans: number[] = [];
    const turns: number[] = [];
    let isOver = false;
    const views = new HistoryViews({
      pages: {
        page: (filter, below, limit) => {
          spans.push((filter.until ?? 0) - (filter.since ?? 0));
          return storage.historyPages.page(filter, below, limit);
        },
        people: () => [],
      },
      now: () => NOW,
      zoneOf: () => null,
      nameOf: (id) => id,
    });
    const looking = (): void => {
      turns.push(spans.length);
      if (!isOver) {
        setImmediate(looking);
      }
    };
    setImmediate(looking);
    await views.week(ALL, 0);
    isOver = true;
    expect(spans).toEqual(Array.from({ length: 10 }, () => DAY));
    const inOneTurn = turns.map((count, index) => count - (turns[index - 1] ?? 0));
    expect(Math.max(...inOneTurn)).toBe(1);
  });

  it('looks 20,000 lines without an offset up at once (faults#122)', () => {
    let lookedAt = 0;
    const lines = Array.from({ length: 20_000 }, (_, index) => {
      const line = unlocked(NOW - index * 60_000);
      const offsetMinutes = index % 1_000 === 0 ? 120 : null;
      const counted = Object.defineProperty({ ...line }, 'offsetMinutes', {
        enumerable: true,
        get: () => {
          lookedAt += 1;
          return offsetMinutes;
        },
      });
      return { lock: FRONT, line: counted };
    });
    const views = new HistoryViews({
      pages: { page: () => ({ lines, next: null }), people: () => [] },
      now: () => NOW,
      zoneOf: () => null,
      nameOf: () => 'Front door',
    });
    const page = views.page(ALL, null, 20_000);
    expect(page.lines.every(({ offsetMinutes }) => offsetMinutes === 120)).toBe(true);
    expect(lookedAt).toBeLessThan(10 * lines.length);
  });

  it('tells who came in today on the calendar of the lock, and counts no unlock from inside', () => {
    const { storage, views } = opened();
    keep(
      storage,
      FRONT,
      unlocked(NOW - HOUR),
      unlocked(NOW - 2 * HOUR),
      unlocked(NOW - 3 * HOUR, null, 'thumbturn'),
      unlocked(NOW - 10 * HOUR, 'Ben'),
    );
    keep(storage, BACK, unlocked(NOW - 30 * 60_000), unlocked(NOW - 4 * HOUR, 'Cleo'));
    const { visitors, hasGap } = views.today(ALL);
    expect(hasGap).toBe(false);
    expect(visitors).toEqual([
      {
        name: 'Ann',
        method: 'access-code',
        lockNames: ['=Back "door"', 'Front door'],
        count: 3,
        firstAt: NOW - 2 * HOUR,
        lastAt: NOW - 30 * 60_000,
        offsetMinutes: -240,
      },
    ]);
    keep(storage, FRONT, unlocked(NOW - 60_000, 'Zoe'));
    expect(views.today(ALL).hasGap).toBe(true);
  });

  it('writes all entries to a file, whatever its length, in which a spreadsheet runs no cell', () => {
    const { storage, views } = opened();
    keep(
      storage,
      FRONT,
      ...Array.from({ length: 2_100 }, (_, index) => unlocked(NOW - (index + 2) * 60_000, '@cmd')),
    );
    keep(storage, BACK, unlocked(NOW - 60_000, '=HYPERLINK("x")'), {
      ...unlocked(NOW - 30_000, null),
      what: 'unrecognised',
      serviceWord: '+1',
    });
    const reading = readCsv(exported(views, 'csv'));
    const rows = reading.ok ? reading.records.map(({ cells }) => cells) : [];
    expect([rows.length, rows[0]?.slice(0, 5)]).toEqual([
      2_103,
      ['time', 'lock', 'event', 'person', 'method'],
    ]);
    expect(rows[1]?.slice(0, 7)).toEqual([
      '2026-04-16T02:59:30.000-04:00',
      `'=Back "door"`,
      'unrecognised',
      '',
      'access-code',
      '',
      "'+1",
    ]);
    expect(rows[2]?.[3]).toBe(`'=HYPERLINK("x")`);
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    const values: unknown = JSON.parse(exported(views, 'json'));
    expect(values).toHaveLength(2_102);
    expect(Array.isArray(values) ? values.slice(0, 2) : values).toMatchObject([
      { event: 'unrecognised', serviceWord: '+1' },
      { person: '=HYPERLINK("x")', lock: { id: 'back' } },
    ]);
  });

  it.each(['csv', 'json'] as const)('writes a gap as a gap (%s)', (format) => {
    const { storage, views } = opened();
    keep(storage, FRONT, unlocked(NOW - DAY));
    keep(storage, FRONT, unlocked(NOW - HOUR));
    const text = exported(views, format);
    expect(text).toContain('gap');
    expect(text.match(/2026-04-15T09:00:00.000\+02:00/g)).toHaveLength(2);
    expect(JSON.parse(exported(opened().views, 'json'))).toEqual([]);
  });
});
