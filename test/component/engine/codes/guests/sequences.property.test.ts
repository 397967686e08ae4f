// Three hundred random sequences of guests, with locks that come and go, faults, crashes and another app, against a model.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guestSteps, runGuestSteps } from '../../../../support/guest-sequences.ts';

/** Ids change hands unseen; then lists are empty, and the id that a guest had removes another code. */
const IDS_CHANGED: Parameters<typeof runGuestSteps>[0] = [
  { kind: 'add', set: 0 },
  { kind: 'wait', ms: 7_000 },
  { kind: 'stranger', back: true },
  { kind: 'renumber', back: true },
  { kind: 'empty', back: true, forMs: 60_000, isHalf: false },
  { kind: 'remove', which: 0 },
  { kind: 'wait', ms: 130_000 },
];

it('guests overwrite no foreign code unasked, end true on every lock, and none is gone whose digits open a door (faults#71, faults#116)', async () => {
  await fc.assert(
    fc.asyncProperty(guestSteps, async (steps) => {
      expect(await runGuestSteps(steps)).toEqual([]);
    }),
    { numRuns: 300, examples: [[IDS_CHANGED]] },
  );
});
