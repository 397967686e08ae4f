// Members of a delivery read by hand say what the schemas say: two ways to read, one meaning.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lenientInstantOf, lenientTextOf, memberOf, opaqueIdOf } from '../../../src/wire/lenient-members.ts';
import { lenientInstant, lenientText, opaqueId } from '../../../src/wire/lenient-schema.ts';

const idSchema = opaqueId.nullable().catch(null);

const anything = fc.oneof(
  fc.jsonValue(),
  fc.anything(),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    '.',
    '..',
    '...',
    0,
    -0,
    '\u0000',
    '\ud800',
    'a'.repeat(256),
    'a'.repeat(257),
    undefined,
  ),
);

const times = fc.oneof(
  anything,
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.stringMatching(
    /^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{1,9})?(Z|[+-][0-2][0-9]:[0-9]{2})?$/,
  ),
);

describe('a member that is read by hand', () => {
  it('is the same text as by the schema', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(lenientTextOf(value)).toBe(lenientText.parse(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same id as by the schema', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(opaqueIdOf(value)).toBe(idSchema.parse(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same instant as by the schema', () => {
    fc.assert(
      fc.property(times, (value) => {
        expect(lenientInstantOf(value)).toBe(lenientInstant.parse(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is there where a schema would find it, and nowhere else', () => {
    const schema = z.object({ id: z.unknown() }).catch({ id: undefined });
    fc.assert(
      fc.property(fc.oneof(anything, fc.record({ id: anything }, { requiredKeys: [] })), (value) => {
        expect(memberOf(value, 'id')).toEqual(schema.parse(value).id);
      }),
    );
    expect(memberOf({}, 'toString')).toBeUndefined();
    expect(memberOf(JSON.parse('{"__proto__":{"id":"x"}}'), 'id')).toBeUndefined();
  });
});
