// A month and a half of four homes with stays, in small; the whole year of forty is among the torture tests.
import { expect, it } from 'vitest';
import { StayYear } from '../../support/stay-year.ts';

it('no guest stands before a locked door, and no code outlives its stay (faults#136)', async () => {
  const year = new StayYear({ homes: 4, days: 40, seed: 1 });
  await year.live();
  expect(year.faults).toEqual([]);
  expect(year.figures.arrivals).toBeGreaterThan(20);
});
