// The archived history for people: times on the lock's clocks, the hours of a week, who unlocked today, and files.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HistoryViews } from '../../../src/app/history-views.ts';
import type { AccessMethod } from '../../../src/domain/access.ts';
import type { HistoryEntry } from '../../../src/domain/history.ts';
import { ALL_HISTORY, type HistoryCursor } from '../../../src/domain/history-page.ts';
import { type LockId, lockId } from '../../../src/domain/lock.ts';
import type { ExportFormat } from '../../../src/panel/history-view.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { readCsv } from '../../../src/support/csv.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openedStorage } from '../storage/place.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
/** 09:00 in Paris, 03:00 in New York, on a Thursday. */
const NOW = Date.UTC(2026, 3, 16, 7);
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
  archive.keepListed(
    { lockId: lock, entries, limit: 100, updatedAt: null },
    Math.max(NOW, ...entries.map(({ at }) => at)),
  );
}

function exported(views: HistoryViews, format: ExportFormat): string {
  let text = '';
  let below: HistoryCursor | null = null;
  do {
    const part = views.export(ALL_HISTORY, format, below);
    text += part.text;
    below = part.next;
  } while (below !== null);
  return text;
}

describe('the history for people', () => {
  it("gives each line on its lock's clocks: of the zone, else as the service says, else as of the nearest entry", () => {
    const { storage, views } = opened({ front: 'Europe/Paris' });
    keep(storage, FRONT, unlocked(NOW - HOUR));
    keep(storage, BACK, { ...unlocked(NOW - 2 * HOUR), offsetMinutes: 345 }, unlocked(NOW - 3 * HOUR));
    const { lines } = views.page(ALL_HISTORY, null, 50);
    expect(lines.map(({ lockName, offsetMinutes }) => [lockName, offsetMinutes])).toEqual([
      ['Front door', 120],
      ['=Back "door"', 345],
      ['=Back "door"', 345],
    ]);
  });

  it('takes the nearest of two entries, not the newest, for the clocks of one without an offset', () => {
    const { storage, views } = opened({});
    keep(storage, BACK, { ...unlocked(NOW - HOUR), offsetMinutes: 60 }, unlocked(NOW - 5 * HOUR), {
      ...unlocked(NOW - 6 * HOUR),
      offsetMinutes: 120,
    });
    const { lines } = views.page(ALL_HISTORY, null, 50);
    expect(lines.map(({ offsetMinutes }) => offsetMinutes)).toEqual([60, 120, 120]);
  });

  it('names nobody whose name may be a secret (faults#66)', () => {
    const { storage, views } = opened();
    keep(storage, FRONT, unlocked(NOW - HOUR, '4711'), unlocked(NOW - 2 * HOUR, 'Ann'));
    const names = views.page(ALL_HISTORY, null, 50).lines.map((line) => line.what !== 'gap' && line.by.name);
    expect([names, views.people()]).toEqual([[null, 'Ann'], ['Ann']]);
  });

  it('counts the unlocks of seven days by the hour of the lock, and marks the hours of a gap', () => {
    const { storage, views } = opened();
    keep(storage, FRONT, unlocked(NOW - HOUR), unlocked(NOW - HOUR + 60_000), {
      ...unlocked(NOW - HOUR),
      what: 'secured',
    });
    keep(storage, BACK, unlocked(NOW - DAY));
    keep(storage, BACK, unlocked(NOW - 2 * HOUR));
    const { days, total } = views.week(ALL_HISTORY, 0);
    expect(days.map(({ date }) => date)).toEqual([
      '2026-04-10',
      '2026-04-11',
      '2026-04-12',
      '2026-04-13',
      '2026-04-14',
      '2026-04-15',
      '2026-04-16',
    ]);
    const today = days.at(-1);
    expect([total, today?.unlocks[8], today?.unlocks[1]]).toEqual([4, 2, 1]);
    expect([days[5]?.unlocks[3], days[5]?.gaps[2], days[5]?.gaps[4], today?.gaps[1], today?.gaps[2]]).toEqual(
      [1, false, true, true, false],
    );
    expect([
      views.week(ALL_HISTORY, 1).total,
      views.week({ ...ALL_HISTORY, locks: [FRONT] }, 0).total,
    ]).toEqual([0, 2]);
  });

  it.each([
    ['Pacific/Auckland', 14, '2026-04-17', 2],
    ['Pacific/Kiritimati', 12, '2026-04-17', 2],
    ['Pacific/Honolulu', 5, '2026-04-15', 19],
  ])('ends the week with the day that it is in %s at %i:00 UTC (faults#122)', (zone, hour, date, atHour) => {
    const now = Date.UTC(2026, 3, 16, hour);
    const { storage, views } = opened({ front: zone }, now);
    keep(storage, FRONT, unlocked(now));
    const { days, total } = views.week(ALL_HISTORY, 0);
    expect([days.length, days.at(-1)?.date, total]).toEqual([7, date, 1]);
    expect(days.at(-1)?.unlocks[atHour]).toBe(1);
    expect(views.week(ALL_HISTORY, 1).days.at(-1)?.date).toBe(dayBefore(days[0]?.date ?? ''));
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
    const page = views.page(ALL_HISTORY, null, 20_000);
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
    const { visitors, hasGap } = views.today(ALL_HISTORY);
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
    expect(views.today(ALL_HISTORY).hasGap).toBe(true);
  });

  it('writes all of it to a file, whatever its length, in which no cell is run by a spreadsheet', () => {
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
