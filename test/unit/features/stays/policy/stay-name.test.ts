// Names of stays: their dates, unique, and short enough for a lock; and that the history may say them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeName, isVariantOf } from '../../../../../src/domain/codes/names.ts';
import { speakableName } from '../../../../../src/domain/locks/access.ts';
import { wantedName } from '../../../../../src/features/stays/policy/stay-name.ts';

const DAY_MS = 86_400_000;

const named = (from: string, until: string, summary = 'Reserved', names: 'dates' | 'booking' = 'dates') => {
  const [arrivalAt, departureAt] = [Date.parse(`${from}T15:00Z`), Date.parse(`${until}T11:00Z`)];
  const window = { arrivalAt, departureAt, opensAt: arrivalAt, closesAt: departureAt };
  return wantedName({ summary }, window, { names, zone: 'UTC' });
};

describe('the name of a stay', () => {
  it('has its dates, and both months where they differ', () => {
    expect(named('2026-12-12', '2026-12-15')).toBe('Stay 12-15 Dec');
    expect(named('2026-12-30', '2027-01-02')).toBe('Stay 30 Dec-2 Jan');
    expect(named('2026-01-05', '2027-01-07')).toBe('Stay 5 Jan-7 Jan');
  });

  it('is that of the booking on request, as far as a lock and the log can show it', () => {
    expect(named('2026-12-12', '2026-12-15', 'Anna Müller', 'booking')).toBe('Anna Muller');
    expect(named('2026-12-12', '2026-12-15', '安娜', 'booking')).toBe('Stay 12-15 Dec');
    expect(named('2026-12-12', '2026-12-15', 'Anna 0170 5550199', 'booking')).toBe('Stay 12-15 Dec');
  });

  it.each([
    ['Jürgen Weiß', 'Jurgen Weiss'],
    ['Søren Ærø', 'Soren Aero'],
    ['Łukasz Œuvrard', 'Lukasz Oeuvrard'],
    ['Þóra D’Arc', "Thora D'Arc"],
  ])('keeps %s readable on the lock', (said, written) => {
    expect(named('2026-12-12', '2026-12-15', said, 'booking')).toBe(written);
  });

  it('gets a letter where another stay has the same name', () => {
    const taken = new Set(['stay 12-15 dec', 'stay 12-15 dec b']);
    expect(freeName('Stay 12-15 Dec', taken)).toBe('Stay 12-15 Dec C');
    expect(isVariantOf('Stay 12-15 Dec C', 'Stay 12-15 Dec')).toBe(true);
    expect(isVariantOf('Stay 12-16 Dec', 'Stay 12-15 Dec')).toBe(false);
  });

  it('may stand in the log and in the history with any dates, and a code in a name may not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.nat(40),
        (day, nights, others) => {
          const from = Date.UTC(2026, 0, 1) + day * DAY_MS;
          const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
          const wanted = named(dateOf(from), dateOf(from + nights * DAY_MS));
          const taken = new Set<string>();
          for (let number = 0; number < others; number += 1) {
            taken.add(freeName(wanted, taken).toLowerCase());
          }
          const name = freeName(wanted, taken);
          expect(name.length).toBeLessThanOrEqual(24);
          expect(speakableName(name)).toBe(name);
          expect(isVariantOf(name, wanted)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
    expect(speakableName('Stay 4711')).toBeNull();
    expect(speakableName('Stay 12-15 Dec 4711')).toBeNull();
    expect(speakableName('Stay 47-11 Dec')).toBeNull();
  });
});
