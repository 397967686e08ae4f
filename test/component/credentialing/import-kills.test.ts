// Importing processes that are killed while others go on.
import { expect, it } from 'vitest';
import { surviveKills } from './import-kills.ts';

// Real processes, killed at random moments: what fails once is tried once more, and shown as such.
it('an import that is killed 6 times, beside another one, ends without doubles, gaps and refusals (faults#105)', {
  retry: 1,
  timeout: 300_000,
}, async () => {
  const { doubles, missing, refused } = await surviveKills(6, Math.random);
  expect({ doubles, missing, refused }).toEqual({ doubles: 0, missing: 0, refused: 0 });
});
