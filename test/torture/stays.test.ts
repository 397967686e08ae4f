// Ten thousand flat-years with stays, moves, cancellations, portals that do everything portals do, offline locks and kills.
// FLAT_YEARS and FLAT_SEED live a part of them; DENSE_DAYS is the length of the years in which every reading takes place.
import { expect, it } from 'vitest';
import { flatYears } from '../support/flat-years.ts';
import { HABITS } from '../support/portal-habits.ts';
import { StayYear } from '../support/stay-year.ts';
import { NEVER } from '../support/stay-year-facts.ts';

const FLAT_YEARS = Number(process.env['FLAT_YEARS'] ?? 10_000);
const FIRST_SEED = Number(process.env['FLAT_SEED'] ?? 1_000);
const DENSE_DAYS = Number(process.env['DENSE_DAYS'] ?? 365);
const FOUR_HOURS_MS = 4 * 3_600_000;

it(`in ${String(FLAT_YEARS)} flat-years no guest stands before a locked door, and no code opens for another one (faults#149, faults#154, faults#155, faults#156)`, {
  timeout: FOUR_HOURS_MS,
}, async () => {
  const { figures, faults } = await flatYears(FLAT_YEARS, FIRST_SEED);
  console.log(figures);
  expect(faults).toEqual([]);
  expect(figures).toMatchObject(NEVER);
});

it('nor in a year of 40 flats of one account in which every reading takes place (faults#136)', {
  timeout: FOUR_HOURS_MS,
}, async () => {
  const year = new StayYear({ homes: 40, days: DENSE_DAYS, seed: 4, habits: HABITS });
  await year.live();
  console.log(year.figures);
  expect(year.faults).toEqual([]);
  expect(year.figures).toMatchObject(NEVER);
});
