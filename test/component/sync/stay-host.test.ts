// What the host is told: codes that are not ready in time, guests that came or did not, and portals that fail.
import { describe, expect, it } from 'vitest';
import type { HistoryLine } from '../../../src/domain/history/history.ts';
import { t } from '../../../src/words/translate.ts';
import { BACK, FRONT, GuestHome } from '../../homes/guest-home.ts';
import { aCalendar, entry, StayHome } from '../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function aHome(): StayHome {
  const home = new StayHome(new GuestHome(FRONT, BACK), [aCalendar('flat', [FRONT, BACK])]);
  home.portal('flat').entries = [entry('a', '2026-04-17', '2026-04-19')];
  return home;
}

describe('a code that is not on every lock (faults#157)', () => {
  const warnings = (home: StayHome): number =>
    home.events.filter((line) => line === 'stay-not-ready Stay 17-19 Apr').length;

  it('is told a day and two hours before the check-in, once each, with the reason', async () => {
    const home = aHome();
    home.home.connect(BACK, false);
    await home.clock.advance(2 * DAY_MS + 2 * HOUR_MS);
    expect(warnings(home)).toBe(0);
    await home.clock.advance(2 * HOUR_MS);
    expect(warnings(home)).toBe(1);
    const line = home.home.lines.find((one) => one.includes('is not on every lock'));
    expect(line).toContain('less than 24 hours');
    expect(line).toMatch(/offline/u);
    await home.clock.advance(18 * HOUR_MS);
    expect(warnings(home)).toBe(1);
    await home.clock.advance(4 * HOUR_MS);
    expect(warnings(home)).toBe(2);
    await home.crash();
    await home.clock.advance(HOUR_MS);
    expect(warnings(home)).toBe(2);
  });

  it('is not told of one that is ready, or on its way for a late booking', async () => {
    const home = aHome();
    await home.clock.advance(3 * DAY_MS + 2 * HOUR_MS);
    home.portal('flat').entries = [
      entry('a', '2026-04-17', '2026-04-19'),
      entry('b', '2026-04-19', '2026-04-20'),
    ];
    await home.clock.advance(2 * DAY_MS);
    expect(home.events.filter((line) => line.startsWith('stay-not-ready'))).toEqual([]);
  });
});

describe('an arrival (faults#159)', () => {
  const by = { method: 'access-code', id: null, name: 'Stay 17-19 Apr' } as const;
  const line = (what: HistoryLine['what']): HistoryLine =>
    ({ id: what, at: Date.UTC(2026, 3, 17, 15, 1), offsetMinutes: 0, what, by }) as HistoryLine;

  it.each(['code-added', 'code-updated', 'secured', 'wrong-code', 'unrecognised'] as const)(
    'is not "%s" by the code of the stay',
    async (what) => {
      const home = aHome();
      home.lines = [line(what)];
      await home.clock.advance(3 * DAY_MS + 5 * HOUR_MS);
      expect(home.stay('a')).toMatchObject({ phase: 'ready', arrivedAt: null });
    },
  );

  it('is an unlock by it', async () => {
    const home = aHome();
    home.lines = [line('unsecured')];
    await home.clock.advance(3 * DAY_MS + 5 * HOUR_MS);
    expect(home.stay('a')).toMatchObject({ phase: 'arrived' });
  });
});

it('a reading right after the start says that the portal fails', async () => {
  const home = aHome();
  home.portal('flat').fault = 'broken';
  await home.stays.read(home.calendars);
  const { trouble } = home.stays.calendar('flat');
  expect(trouble === null ? null : t(trouble)).toContain('portal fails');
});
