// The long version of the kills of an import: a thousand.
import { expect, it } from 'vitest';
import { surviveKills } from '../component/features/credentials/import-kills.ts';

it('an import that is killed 1,000 times, beside another one, ends without doubles, gaps and refusals (faults#105)', async () => {
  const { rows, doubles, missing, refused } = await surviveKills(1_000, Math.random);
  console.log(
    `1,000 kills of an import of ${rows} credentials: ${doubles} doubles, ${missing} missing, ${refused} answers 429`,
  );
  expect({ doubles, missing, refused }).toEqual({ doubles: 0, missing: 0, refused: 0 });
}, 7_200_000);
