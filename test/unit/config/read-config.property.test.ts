// Any block at all: it is read or refused in lines that repeat nothing, and never thrown at.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/read-config.ts';
import { howOften } from '../../harness/how-often.ts';
import { linesOf } from '../../support/checked-config.ts';

const BLOCKS = howOften(2_000, 10_000);

describe('any block', () => {
  const CANARY = 'canary-7f3a';
  const keys = [
    'name partner webhooks panel polling offline lowBattery alerts locks',
    'storage debug authUrl baseUrl redirectUri clientSecret subscriptionKeys tls keys path',
    'port id timeZone wrongCode movedBy __proto__ constructor toString',
  ].flatMap((line) => line.split(' '));
  const leaf = fc.oneof(
    fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withBigInt: true, maxDepth: 1 }),
    fc.constantFrom<unknown>(
      CANARY,
      `https://u:${CANARY}@x.example`,
      `http://10.0.0.1/${CANARY}`,
      `{"${CANARY}`,
      [CANARY],
      '',
      -1,
    ),
  );
  const { block } = fc.letrec<{ block: unknown; value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('block'),
      fc.array(tie('block'), { maxLength: 2 }),
    ),
    block: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 6 }),
  }));

  it('is read, or refused in lines, and causes no exception (faults#3)', () => {
    let refused = 0;
    fc.assert(
      fc.property(
        fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: fc.anything() }),
        (written) => {
          const reading = readConfig(written);
          const lines = linesOf(written);
          refused += reading.ok ? 0 : 1;
          const said = lines.every((line) => /^[^\n]+: [^\n]+$/.test(line) && !line.includes(CANARY));
          return said && (reading.ok || lines.length > 0);
        },
      ),
      { numRuns: BLOCKS },
    );
    expect(refused).toBeGreaterThan(BLOCKS / 10);
  });
});
