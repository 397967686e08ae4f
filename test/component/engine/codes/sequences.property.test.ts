// Five hundred random sequences of code operations with faults and crashes against a model.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeSteps, runCodeSteps } from '../../../support/code-sequences.ts';

it('operations lose no code, double none, and end with the outcome that they report (faults#71)', async () => {
  await fc.assert(
    fc.asyncProperty(codeSteps, async (steps) => {
      expect(await runCodeSteps(steps)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
