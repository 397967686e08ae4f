// How long to stay away after failures in a row.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BackOff, backOffMs } from '../../../../src/domain/polling/backoff-policy.ts';

const backOffs: fc.Arbitrary<BackOff> = fc
  .tuple(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e8))
  .map(([firstMs, moreMs]) => ({ firstMs, longestMs: firstMs + moreMs }));

/** Far beyond the failures after which doubling leaves the numbers that a computer knows. */
const failuresInARow = fc.integer({ min: 1, max: 5_000 });

describe('the pause after failures in a row', () => {
  it('begins with the first pause', () => {
    fc.assert(
      fc.property(backOffs, (backOff) => {
        expect(backOffMs(1, backOff)).toBe(backOff.firstMs);
      }),
    );
  });

  it('doubles with each failure up to the longest pause, and stays there', () => {
    fc.assert(
      fc.property(failuresInARow, backOffs, (failures, backOff) => {
        const doubled = 2 * backOffMs(failures, backOff);
        expect(backOffMs(failures + 1, backOff)).toBe(Math.min(doubled, backOff.longestMs));
      }),
    );
  });
});
