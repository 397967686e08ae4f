// Random sequences of taps, turns, faults, broken disks, clocks set back and restarts; ten thousand in torture.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anySequence, wrongsOf } from './random-sequence.ts';

it('any random sequence ends in the truth, sends nothing late, twice or unrequested, confirms nothing early, and drops no request that it answered with success (faults#28, faults#29, faults#107, faults#109, faults#112, faults#114)', async () => {
  let sequences = 0;
  await fc.assert(
    fc.asyncProperty(anySequence, async (steps) => {
      sequences += 1;
      expect(await wrongsOf(steps)).toEqual([]);
    }),
    { numRuns: Number(process.env['SEQUENCES'] ?? 2_000) },
  );
  console.log(
    `${String(sequences)} random sequences with refused tokens, broken disks and clocks set back: 0 wrong final states, 0 late or unrequested commands, 0 requests dropped after success`,
  );
}, 1_800_000);
