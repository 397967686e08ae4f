// The two foundations of a repeatable world: what is due when, and chance from a seed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DueQueue } from '../../src/time/due-queue.ts';
import { createRandom } from '../../src/world/random.ts';

describe('the queue of due tasks', () => {
  test('returns them in the order of time, equal times in the order of addition, without cancelled ones', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.boolean())), (plan) => {
        const queue = new DueQueue();
        const done: number[] = [];
        for (const [index, [at, isCancelled]] of plan.entries()) {
          const task = queue.add(at, () => done.push(index));
          if (isCancelled) {
            task.cancel();
          }
        }
        for (let due = queue.take(100); due !== null; due = queue.take(100)) {
          due.run();
        }
        const expected = plan
          .map(([at, isCancelled], index) => ({ at, isCancelled, index }))
          .filter((entry) => !entry.isCancelled)
          .sort((one, other) => one.at - other.at || one.index - other.index)
          .map((entry) => entry.index);
        expect(done).toEqual(expected);
        expect(queue.nextAt()).toBe(null);
      }),
    );
  });

  test('what is due later stays', () => {
    const queue = new DueQueue();
    queue.add(10, () => undefined);
    expect(queue.take(9)).toBe(null);
    expect(queue.nextAt()).toBe(10);
    expect(queue.take(10)?.at).toBe(10);
  });
});

describe('seeded chance', () => {
  test('is the same for the same seed and another for another', () => {
    const draw = (seed: string) => {
      const random = createRandom(seed);
      return [random.next(), random.integer(1, 1_000_000), random.uuid()];
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  test('a known seed gives known numbers, on every machine', () => {
    expect(createRandom('latchkey').uuid()).toBe('53b9274d-b958-4a29-887f-708502d1323f');
  });

  test('reaches both ends of a range and stays within it', () => {
    const random = createRandom('range');
    const drawn = new Set(Array.from({ length: 500 }, () => random.integer(3, 7)));
    expect([...drawn].sort((one, other) => one - other)).toEqual([3, 4, 5, 6, 7]);
  });

  test('spreads evenly enough', () => {
    const random = createRandom('spread');
    const counts = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 10_000; draw += 1) {
      const bin = Math.floor(random.next() * 10);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1150);
  });

  test('makes version 4 UUIDs, none twice', () => {
    const random = createRandom('ids');
    const ids = Array.from({ length: 10_000 }, () => random.uuid());
    expect(new Set(ids).size).toBe(10_000);
    expect(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
  });
});
