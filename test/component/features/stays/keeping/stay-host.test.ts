// What the host is told: codes that are not ready in time, guests that came or did not, and portals that fail.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import type { HistoryLine } from '../../../../../src/domain/history/history.ts';
import { t } from '../../../../../src/words/translate.ts';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

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

  const CODES = Array.from({ length: 100 }, (_, index) => ({
    id: accessCodeId(`c${String(index)}`),
    name: `Code ${String(index)}`,
    pin: String(2_000 + index * 7),
    schedule: { kind: 'always' } as const,
    readOnly: false,
  }));
  const refused = { refused: 'values-invalid' } as const;
  const REASONS: readonly (readonly [string, (home: StayHome) => void, RegExp])[] = [
    [
      'is full',
      (home) => (home.home.service(BACK).codesOf = [...CODES]),
      /back: The lock already has 100 codes/u,
    ],
    ['is offline', (home) => home.home.connect(BACK, false), /back: The lock is offline/u],
    ['refuses it', (home) => home.home.service(BACK).mishaps.push(refused, refused, refused), /back: \S/u],
    ['has no time zone', (home) => (home.home.zone = null), /Set the lock’s time zone first/u],
    ['has left the account before', (home) => home.home.leave(BACK), /A lock of this calendar is not in/u],
  ];

  it.each(REASONS)('is told where a lock %s', async (_, happen, words) => {
    const home = aHome();
    const lines = (): readonly string[] =>
      home.home.lines.filter((one) => one.includes('is not on every lock'));
    happen(home);
    await home.clock.advance(2 * DAY_MS + 4 * HOUR_MS);
    expect(warnings(home)).toBeGreaterThan(0);
    expect(lines()).toEqual([expect.stringMatching(words)]);
    const { alarms, phase } = home.stay('a');
    expect(phase).toBe('preparing');
    expect(alarms.map((one) => t(one)).join(' ')).toMatch(words);
    await home.clock.advance(22 * HOUR_MS);
    expect(lines()).toHaveLength(2);
  });

  it('is told where a lock was replaced after the code was on it', async () => {
    const home = aHome();
    await home.clock.advance(DAY_MS);
    expect(home.stay('a')).toMatchObject({ phase: 'ready' });
    home.home.leave(BACK);
    await home.clock.advance(DAY_MS + 4 * HOUR_MS);
    expect(warnings(home)).toBe(1);
    expect(
      home
        .stay('a')
        .alarms.map((one) => t(one))
        .join(' '),
    ).toContain('is not in the account');
  });

  it('is told where a battery is low before a stay, although the code is on every lock', async () => {
    const home = aHome();
    await home.clock.advance(DAY_MS);
    expect(home.stay('a')).toMatchObject({ phase: 'ready', alarms: [] });
    const battery = { grade: 'low', percent: 12 } as const;
    home.home.locks.apply(BACK, { type: 'reported', source: 'poll', at: home.clock.now(), battery });
    await home.clock.advance(DAY_MS + 4 * HOUR_MS);
    expect(warnings(home)).toBe(1);
    expect(home.home.lines.filter((one) => one.includes('a battery is low'))).toHaveLength(1);
    expect(home.stay('a')).toMatchObject({ phase: 'ready' });
    expect(home.stay('a').alarms.map((one) => t(one))).toEqual([
      'back: the battery is low. Replace it before the guest arrives.',
    ]);
  });

  it('is told again where the booking moves by days', async () => {
    const home = aHome();
    home.home.connect(BACK, false);
    await home.clock.advance(2 * DAY_MS + 4 * HOUR_MS);
    expect(warnings(home)).toBe(1);
    home.portal('flat').entries = [entry('a', '2026-04-20', '2026-04-22')];
    await home.clock.advance(3 * DAY_MS);
    expect(home.events.filter((line) => line.startsWith('stay-not-ready'))).toHaveLength(2);
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
