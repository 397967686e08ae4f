// Texts of any code points, half of them of ASCII with its control characters.
import fc, { type StringConstraints } from 'fast-check';

const [SURROGATES_FROM, SURROGATES] = [0xd800, 0x800];
const LAST = 0x10ffff;

const anyCodePoint = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: LAST - SURROGATES }))
  .map((code) => String.fromCodePoint(code < SURROGATES_FROM ? code : code + SURROGATES));

/** As with the unit `binary`, whose table takes a second to make in each process. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCodePoint });
