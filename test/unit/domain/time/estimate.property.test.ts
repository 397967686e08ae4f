// The estimate of the service's clock, over random sleeps, set clocks, and dates that are missing or absurd.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answered,
  boundsOf,
  noticeSleep,
  type TimeEstimate,
  unmeasured,
} from '../../../../src/domain/time/estimate.ts';
import { staleBefore } from '../../../../src/domain/time/time.ts';

const RUNS = { numRuns: 2_000 };
const MAX_AGE_MS = 900_000;
const DAY = 86_400_000;
/** A date counts whole seconds, and an answer takes up to two. */
const KNOWN_TO_MS = 1_000 + 2 * 2_000;
/** A sleep that is shorter may go unnoticed until a second date tells. */
const NOTICED_MS = 6_000;

type Step =
  | { readonly does: 'wait' | 'sleep' | 'set'; readonly ms: number }
  | { readonly does: 'ask'; readonly outMs: number; readonly backMs: number; readonly date: 'true' | 'none' };

const lasting = (does: 'wait' | 'sleep' | 'set', min: number, max: number): fc.Arbitrary<Step> =>
  fc.integer({ min, max }).map((ms) => ({ does, ms }));
const wait = lasting('wait', 0, 400_000);
const sleep = lasting('sleep', NOTICED_MS, 3 * DAY);
const set = lasting('set', -DAY, DAY);
const asks: fc.Arbitrary<Step> = fc.record({
  does: fc.constant('ask' as const),
  outMs: fc.integer({ min: 0, max: 2_000 }),
  backMs: fc.integer({ min: 0, max: 2_000 }),
  date: fc.constantFrom('true' as const, 'none' as const),
});
const ASK = { does: 'ask', outMs: 5, backMs: 5, date: 'true' } as const;
const sequences = (...steps: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<readonly Step[]> =>
  fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 30 });

/** The three clocks as they are, and what this machine makes of them. */
class World {
  truth = Date.UTC(2026, 3, 14);
  monotonicMs = 0;
  wallMs: number;
  estimate: TimeEstimate;

  /** `offMs`: how far the machine's clock is ahead of the service's. */
  constructor(offMs: number) {
    this.wallMs = this.truth + offMs;
    this.estimate = unmeasured({ monotonicMs: this.monotonicMs, wallMs: this.wallMs });
  }

  do(step: Step, offByMs = 0): void {
    if (step.does === 'ask') {
      const sentAt = this.monotonicMs;
      this.#pass(step.outMs, true);
      const dateMs = step.date === 'none' ? null : Math.floor((this.truth + offByMs) / 1_000) * 1_000;
      this.#pass(step.backMs, true);
      this.look();
      this.estimate = answered(this.estimate, { dateMs, sentAt, receivedAt: this.monotonicMs });
    } else if (step.does === 'set') {
      this.wallMs += step.ms;
    } else {
      this.#pass(step.ms, step.does === 'wait');
    }
    this.look();
  }

  look(): void {
    this.estimate = noticeSleep(this.estimate, { monotonicMs: this.monotonicMs, wallMs: this.wallMs });
  }

  get bounds() {
    return boundsOf(this.estimate);
  }

  #pass(ms: number, awake: boolean): void {
    this.truth += ms;
    this.wallMs += ms;
    this.monotonicMs += awake ? ms : 0;
  }
}

const ahead = fc.integer({ min: -5 * 3_600_000, max: 50_000 });

describe('the estimate of the service’s clock', () => {
  it('is never later than the truth while the machine waits and sleeps, and never goes back', () => {
    fc.assert(
      fc.property(sequences(wait, sleep, asks), ahead, (sequence, behind) => {
        // The service may be ahead of this machine by hours, or behind it by less than a minute.
        const world = new World(behind);
        world.do({ ...ASK, outMs: 0, backMs: 0 });
        world.do(ASK);
        let earliest = Number.NEGATIVE_INFINITY;
        for (const step of sequence) {
          world.do(step);
          expect(world.bounds.earliest).toBeLessThanOrEqual(world.truth);
          expect(world.bounds.earliest).toBeGreaterThanOrEqual(earliest);
          earliest = world.bounds.earliest;
        }
      }),
      RUNS,
    );
  });

  it('is bounded: with any sleep that is not confirmed yet, it is as exact as dates and answers allow', () => {
    fc.assert(
      fc.property(sequences(wait, sleep, asks), (sequence) => {
        const world = new World(0);
        world.do({ ...ASK, outMs: 0, backMs: 0 });
        for (const step of sequence) {
          world.do(step);
          const { earliest, latest, unconfirmedSleepMs } = world.bounds;
          const driftMs = (world.truth - Date.UTC(2026, 3, 14)) * 0.000_4;
          expect(latest + unconfirmedSleepMs).toBeGreaterThanOrEqual(world.truth);
          expect(latest - earliest).toBeLessThanOrEqual(KNOWN_TO_MS + driftMs);
        }
      }),
      RUNS,
    );
  });

  it('lets no belief from before a sleep count as fresh after it, confirmed or not, with any clock set meanwhile', () => {
    fc.assert(
      fc.property(
        sequences(wait, asks),
        fc.integer({ min: MAX_AGE_MS + 2 * KNOWN_TO_MS, max: 3 * DAY }),
        sequences(wait, asks),
        (before, sleptMs, after) => {
          const world = new World(0);
          for (const step of before) {
            world.do(step);
          }
          const confirmedAt = world.bounds.earliest;
          world.do({ does: 'sleep', ms: sleptMs });
          for (const step of after) {
            expect(staleBefore(world.bounds, { maxAgeMs: MAX_AGE_MS, failing: null })).toBeGreaterThan(
              confirmedAt,
            );
            world.do(step);
          }
        },
      ),
      RUNS,
    );
  });

  it('goes back only as far as it reports, after any jumps of the machine’s clock', () => {
    fc.assert(
      fc.property(sequences(wait, sleep, set, asks), (sequence) => {
        const world = new World(0);
        let known = Number.NEGATIVE_INFINITY;
        for (const step of sequence) {
          world.do(step);
          const { earliest, setBackMs } = world.bounds;
          expect(earliest + setBackMs).toBeGreaterThanOrEqual(known - 1);
          known = earliest + setBackMs;
        }
      }),
      RUNS,
    );
  });

  it('is right again after two true dates, from any former state', () => {
    fc.assert(
      fc.property(
        sequences(wait, sleep, set, asks),
        fc.integer({ min: -DAY, max: DAY }),
        (sequence, offMs) => {
          const world = new World(offMs);
          for (const step of sequence) {
            world.do(step);
          }
          world.do(ASK);
          world.do(ASK);
          const { earliest, latest, unconfirmedSleepMs } = world.bounds;
          expect(Math.abs(world.truth - earliest)).toBeLessThanOrEqual(KNOWN_TO_MS);
          expect([world.truth <= latest + 1, unconfirmedSleepMs]).toEqual([true, 0]);
        },
      ),
      RUNS,
    );
  });

  it('is decided by one date: whether the machine slept or its clock was set', () => {
    for (const does of ['sleep', 'set'] as const) {
      const world = new World(0);
      world.do(ASK);
      world.do({ does, ms: DAY });
      expect(world.bounds.unconfirmedSleepMs).toBe(DAY);
      world.do(ASK);
      expect(Math.abs(world.truth - world.bounds.earliest)).toBeLessThanOrEqual(KNOWN_TO_MS);
      expect(world.bounds.unconfirmedSleepMs).toBe(0);
    }
  });

  it('is moved by no single strange date between answers without one (faults#106)', () => {
    const offByMs = fc.oneof(
      fc.integer({ min: 61_000, max: 10 * 365 * DAY }),
      fc.integer({ min: -DAY, max: -10_000 }),
    );
    fc.assert(
      fc.property(sequences(wait, asks), sequences(wait, asks), offByMs, (before, after, off) => {
        const [strange, plain] = [new World(0), new World(0)];
        for (const world of [strange, plain]) {
          world.do(ASK);
          for (const step of before) {
            world.do(step);
          }
        }
        strange.do(ASK, off);
        plain.do({ ...ASK, date: 'none' });
        for (const step of after) {
          expect(strange.bounds).toEqual(plain.bounds);
          strange.do(step);
          plain.do(step);
        }
        expect(strange.bounds).toEqual(plain.bounds);
      }),
      RUNS,
    );
  });
});
