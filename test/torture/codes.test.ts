// A hundred thousand random sequences each, of code operations and of guests, with faults and crashes against a model.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeSteps, runCodeSteps } from '../support/code-sequences.ts';
import { guestSteps, runGuestSteps } from '../support/guest-sequences.ts';

/** `STORIES` asks for fewer, for a change that is under way. */
const NUM_RUNS = Number(process.env['STORIES'] ?? 100_000);
const TWO_HOURS_MS = 7_200_000;

it('operations lose no code, double none, and end with the outcome that they report (faults#71)', {
  timeout: TWO_HOURS_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(codeSteps, async (steps) => {
      expect(await runCodeSteps(steps)).toEqual([]);
    }),
    { numRuns: NUM_RUNS },
  );
});

it('guests overwrite no foreign code unasked, end true on every lock, and none is gone whose digits open a door (faults#71, faults#116)', {
  timeout: TWO_HOURS_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(guestSteps, async (steps) => {
      expect(await runGuestSteps(steps)).toEqual([]);
    }),
    { numRuns: NUM_RUNS },
  );
});
