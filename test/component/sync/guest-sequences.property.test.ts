// Two thousand random sequences of guests, with locks that come and go, faults, crashes and another app, against a model.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guestSteps, runGuestSteps } from '../../support/guest-sequences.ts';

it('guests are doubled never, overwrite nobody unasked, and end true on every lock (faults#71)', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(guestSteps, async (steps) => {
      expect(await runGuestSteps(steps)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
