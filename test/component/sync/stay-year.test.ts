// A month and a half of four homes with stays, in small; the whole year of forty is among the torture tests.
import { expect, it } from 'vitest';
import { HABITS } from '../../support/portal-habits.ts';
import { StayYear } from '../../support/stay-year.ts';

it('no guest stands before a locked door, and no code outlives its stay (faults#136)', async () => {
  const year = new StayYear({ homes: 4, days: 40, seed: 1 });
  await year.live();
  expect(year.faults).toEqual([]);
  expect(year.figures.arrivals).toBeGreaterThan(20);
});

it('nor with a portal that does everything portals do (faults#149, faults#154, faults#155, faults#156)', async () => {
  const year = new StayYear({ homes: 4, days: 45, seed: 2, habits: HABITS });
  await year.live();
  expect(year.faults).toEqual([]);
  expect(year.figures.arrivals).toBeGreaterThan(20);
});
