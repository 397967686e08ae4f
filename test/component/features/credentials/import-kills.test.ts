// Importing processes that are killed while others go on.
import { expect, it } from 'vitest';
import { surviveKills } from './import-kills.ts';

it('an import that is killed 6 times, beside another one, ends without doubles, gaps and refusals (faults#105)', {
  timeout: 300_000,
}, async () => {
  const { doubles, missing, refused, failed } = await surviveKills(6, Math.random);
  expect({ doubles, missing, refused, failed }).toEqual({ doubles: 0, missing: 0, refused: 0, failed: [] });
});
