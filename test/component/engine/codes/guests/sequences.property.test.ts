// Three hundred random sequences of guests, with locks that come and go, faults, crashes and another app, against a model.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guestSteps, runGuestSteps } from '../../../../support/guest-sequences.ts';

it('guests overwrite no foreign code unasked, end true on every lock, and none is gone whose digits open a door (faults#71, faults#116)', async () => {
  await fc.assert(
    fc.asyncProperty(guestSteps, async (steps) => {
      expect(await runGuestSteps(steps)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
