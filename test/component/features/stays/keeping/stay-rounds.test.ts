// The rounds in which calendars are read: the pause that a portal asks for, and as many calendars as there may be.
import { expect, it, vi } from 'vitest';
import { MOST_CALENDARS } from '../../../../../src/features/stays/account/written-calendars.ts';
import { MOST_LISTED } from '../../../../../src/features/stays/keeping/stay-views.ts';
import { RetryError } from '../../../../../src/support/errors.ts';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('a portal is not asked again before the pause that it asks for has passed (faults#158)', async () => {
  const home = new StayHome(
    new GuestHome(FRONT, BACK),
    ['busy', 'plain'].map((id) => aCalendar(id, [FRONT])),
  );
  const [busy, plain] = [home.portal('busy'), home.portal('plain')];
  for (const portal of [busy, plain]) {
    portal.fault = 'broken';
  }
  busy.retryAfterMs = 5 * HOUR_MS;
  await home.clock.advance(MINUTE_MS);
  expect([busy.readings, plain.readings]).toEqual([1, 1]);
  await home.clock.advance(4 * HOUR_MS);
  expect(busy.readings).toBe(1);
  expect(plain.readings).toBeGreaterThan(4);
  busy.fault = null;
  await home.clock.advance(HOUR_MS);
  expect(busy.readings).toBe(2);
  expect(home.stays.calendar('busy').trouble).toBeNull();
  await home.clock.advance(20 * MINUTE_MS);
  expect(busy.readings).toBe(3);
});

it('each of 200 calendars is read in each round, and those whose guest comes soon have a code (faults#158)', async () => {
  expect(MOST_CALENDARS).toBe(200);
  const ids = Array.from({ length: MOST_CALENDARS }, (_, index) => `flat-${String(index)}`);
  const home = new StayHome(
    new GuestHome(FRONT, BACK),
    ids.map((id, index) => aCalendar(id, index < 10 ? [FRONT] : [BACK], { daysAhead: index < 20 ? 7 : 1 })),
  );
  for (const [index, id] of ids.entries()) {
    home.portal(id).entries = [entry(id, '2026-04-17', '2026-04-19', { summary: `Guest ${String(index)}` })];
  }
  await home.clock.advance(10 * MINUTE_MS);
  await home.clock.advance(15 * MINUTE_MS);
  expect(ids.filter((id) => home.portal(id).readings !== 2)).toEqual([]);
  expect(ids.slice(0, 20).filter((id) => home.stay(id).phase !== 'ready')).toEqual([]);
  const pins = [FRONT, BACK].map((lock) => home.home.service(lock).codesOf.map(({ pin }) => pin));
  expect(pins.map((of) => new Set(of).size)).toEqual([10, 10]);
});

it('where the account ends, no stay gets a code, also none of those that no list shows', async () => {
  const ids = Array.from({ length: 7 }, (_, index) => `flat-${String(index)}`);
  const home = new StayHome(
    new GuestHome(FRONT),
    ids.map((id) => aCalendar(id, [FRONT], { daysAhead: 1 })),
  );
  const day = (days: number): string => new Date(Date.UTC(2026, 3, 14 + days)).toISOString().slice(0, 10);
  for (const id of ids) {
    home.portal(id).entries = Array.from({ length: 150 }, (_, index) =>
      entry(`${id} ${String(index)}`, day(3 + 2 * index), day(4 + 2 * index)),
    );
  }
  await home.clock.advance(MINUTE_MS);
  // Long work pauses for true turns of the process.
  await expect.poll(() => home.stays.later).toBe(ids.length * 150 - MOST_LISTED);
  home.stays.decisions.endAll();
  expect(home.store.stays().filter(({ isSkipped }) => !isSkipped)).toEqual([]);
  await home.clock.advance(3 * 24 * HOUR_MS);
  expect(home.home.service(FRONT).codesOf).toEqual([]);
});

it.each(['stays', 'guests'] as const)(
  'whoever is there keeps the code over a start at which the disk does not give the %s',
  async (what) => {
    const home = new StayHome(new GuestHome(FRONT), [aCalendar('flat', [FRONT])]);
    home.portal('flat').entries = [entry('a', '2026-04-13', '2026-04-16')];
    await home.clock.advance(5 * MINUTE_MS);
    const front = home.home.service(FRONT);
    const before = [...front.codesOf];
    expect(before).toHaveLength(1);
    const fail = (): never => {
      throw new RetryError('storage-failed', 'The disk failed.');
    };
    const failing =
      what === 'stays'
        ? vi.spyOn(home.store, 'stays').mockImplementation(fail)
        : vi.spyOn(home.home.store, 'guests').mockImplementation(fail);
    await home.crash();
    await home.clock.advance(5 * MINUTE_MS);
    expect(home.home.lines.join()).toContain(`The ${what} could not be read`);
    failing.mockRestore();
    await home.clock.advance(HOUR_MS);
    expect(home.stays.list()).toMatchObject([{ phase: 'ready' }]);
    expect(front.codesOf).toEqual(before);
    expect(front.sent).toHaveLength(1);
    home.close();
  },
);
