// Homes with stays, in which every reading takes place, and twenty flat-years, two of each kind of home; ten thousand are among the torture tests.
import { expect, it } from 'vitest';
import { flatYears } from '../../../../support/flat-years.ts';
import { HABITS } from '../../../../support/portal-habits.ts';
import { StayYear } from '../../../../support/stay-year.ts';

/** For a busy machine. */
const TEN_MINUTES_MS = 600_000;

it('no guest stands before a locked door, and no code outlives its stay (faults#136)', {
  timeout: TEN_MINUTES_MS,
}, async () => {
  const year = new StayYear({ homes: 4, days: 40, seed: 1 });
  await year.live();
  expect(year.faults).toEqual([]);
  expect(year.figures.arrivals).toBeGreaterThan(10);
});

it('nor with a portal that does everything portals do (faults#149, faults#154, faults#155, faults#156)', {
  timeout: TEN_MINUTES_MS,
}, async () => {
  const year = new StayYear({ homes: 2, days: 45, seed: 2, habits: HABITS });
  await year.live();
  expect(year.faults).toEqual([]);
  expect(year.figures.arrivals).toBeGreaterThan(10);
});

it('nor in twenty flat-years with such portals (faults#149, faults#154, faults#155, faults#156)', {
  timeout: TEN_MINUTES_MS,
}, async () => {
  const { figures, faults } = await flatYears(20, 500_000);
  expect(faults).toEqual([]);
  expect(figures.arrivals).toBeGreaterThan(600);
  // An excuse is rare: the lock was away for all the time in which the code could have come.
  expect(figures.unjudged).toBeLessThan(figures.arrivals / 20);
});
