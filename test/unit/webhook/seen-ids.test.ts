// Ids held as fingerprints: the same as a map of them, in memory that does not grow.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, SeenIds } from '../../../src/webhook/seen-ids.ts';

const MOST = 50;

type Step = { readonly id: string; readonly kept: boolean } | 'clear';

describe('ids that are held', () => {
  it('are what a map of them would be, whatever is set and forgotten', () => {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.record({ id: fc.nat(99).map(String), kept: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant('clear' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps: readonly Step[]) => {
        const held = new SeenIds(MOST);
        const expected = new Map<string, boolean>();
        for (const next of steps) {
          if (next === 'clear') {
            held.clear();
            expected.clear();
          } else if (expected.has(next.id) || expected.size < MOST) {
            held.set(fingerprintOf(next.id), next.kept);
            expected.set(next.id, next.kept);
          }
        }
        expect(held.size).toBe(expected.size);
        for (let id = 0; id < 100; id += 1) {
          expect(held.get(fingerprintOf(String(id)))).toBe(expected.get(String(id)) ?? null);
        }
      }),
    );
  });

  it('are told apart where they belong in the same place, and where half of what stands for them is the same', () => {
    const held = new SeenIds(MOST);
    const alike = [
      { first: -1, second: 0 },
      { first: -1, second: 2 ** 30 - 1 },
      { first: -1 >>> 1, second: 0 },
      { first: 63, second: 0 },
      { first: 0, second: 0 },
    ];
    for (const [index, fingerprint] of alike.entries()) {
      expect(held.get(fingerprint)).toBeNull();
      held.set(fingerprint, index % 2 === 0);
    }
    expect(alike.map((fingerprint) => held.get(fingerprint))).toEqual([true, false, true, false, true]);
    expect(held.size).toBe(alike.length);
  });

  it('have nearly never the same fingerprint', () => {
    const count = 20_000;
    const seen = new Set<string>();
    for (let id = 0; id < count; id += 1) {
      const { first, second } = fingerprintOf(`event-${String(id)}`);
      seen.add(`${String(first)} ${String(second)}`);
    }
    expect(seen.size).toBe(count);
  });
});
