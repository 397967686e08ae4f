// The days of a soak: the same from the same seed, and with everything in them that a run promises.
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../simulator/src/world/random.ts';
import { DAY_MS, type PlannedScene, planDay } from '../../soak/day-plan.ts';

const LOCKS = 10;
const MINUTE_MS = 60_000;
const DAYS = Array.from({ length: 30 }, (_, index) => planOf(index + 1));

function planOf(day: number, seed = 'latchkey'): readonly PlannedScene[] {
  return planDay(day, LOCKS, createRandom(`${seed}/${String(day)}`));
}

function timesOf(plan: readonly PlannedScene[], kind: string): number[] {
  return plan.flatMap(({ atMs, scene }) => (scene.kind === kind ? [atMs] : []));
}

describe('a day of a soak', () => {
  it('is the same for the same seed, and another for another seed', () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).not.toEqual(planOf(8));
    expect(planOf(7)).not.toEqual(planOf(7, 'another'));
  });

  it('is played in order and within the day', () => {
    for (const plan of DAYS) {
      const times = plan.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((atMs) => atMs >= 0 && atMs < DAY_MS)).toBe(true);
    }
  });

  it.each([
    ['outage', 'outage-ends', 10, 60],
    ['network-goes', 'network-comes', 1, 15],
    ['service-stops', 'service-starts', 0, 1],
    ['offline', 'online', 5, 90],
  ])('has one loss from %s to %s', (begins, ends, least, most) => {
    for (const plan of DAYS) {
      const [[from = Number.NaN], [until = Number.NaN]] = [timesOf(plan, begins), timesOf(plan, ends)];
      expect(timesOf(plan, begins)).toHaveLength(1);
      expect((until - from) / MINUTE_MS).toBeGreaterThanOrEqual(least);
      expect((until - from) / MINUTE_MS).toBeLessThanOrEqual(most);
    }
  });

  it('has a turn at a door of which no event arrives, because the network is down', () => {
    for (const plan of DAYS) {
      const [[from = Number.NaN], [until = Number.NaN]] = [
        timesOf(plan, 'network-goes'),
        timesOf(plan, 'network-comes'),
      ];
      expect(timesOf(plan, 'hand').some((atMs) => atMs > from && atMs < until)).toBe(true);
    }
  });

  it('compares Home often, and never soon after a change or during a loss', () => {
    for (const plan of DAYS) {
      expect(timesOf(plan, 'look').length).toBeGreaterThan(5);
      const happened = plan.filter(({ scene }) => scene.kind !== 'look');
      const [outage = 0] = timesOf(plan, 'outage');
      const [outageEnds = 0] = timesOf(plan, 'outage-ends');
      for (const atMs of timesOf(plan, 'look')) {
        expect(happened.some((other) => other.atMs <= atMs && other.atMs > atMs - 8 * MINUTE_MS)).toBe(false);
        expect(atMs >= outage && atMs <= outageEnds).toBe(false);
      }
    }
  });

  it('reaches every lock, and brings and removes guests', () => {
    const all = DAYS.flat();
    const locks = new Set(all.flatMap(({ scene }) => (scene.kind === 'hand' ? [scene.lock] : [])));
    expect(locks.size).toBe(LOCKS);
    expect(timesOf(all, 'guest-comes')).toHaveLength(30);
    expect(timesOf(all, 'guest-goes')).toHaveLength(15);
  });
});
