// Flats with booked stays for a year each, one after the other, with portals that do everything that portals do.
import { HABITS } from './portal-habits.ts';
import { StayYear } from './stay-year.ts';
import { sumOf, type YearFigures } from './stay-year-facts.ts';

export interface FlatYears {
  readonly figures: YearFigures;
  /** Each with its seed. */
  readonly faults: readonly string[];
}

/** A flat-year is one flat for 365 days. Hours in which nothing happens are passed over. */
export async function flatYears(count: number, firstSeed: number): Promise<FlatYears> {
  const all: YearFigures[] = [];
  const faults: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const year = new StayYear({ homes: 1, days: 365, seed, habits: HABITS, quiet: 'passed over' });
    await year.live();
    all.push(year.figures);
    faults.push(...year.faults.map((fault) => `seed ${String(seed)}: ${fault}`));
  }
  return { figures: sumOf(all), faults };
}
