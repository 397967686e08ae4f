// Foreign text in the log: one line, no escape sequences, of bounded length.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../../src/support/log.ts';

describe('foreign text', () => {
  it('becomes one printable line of at most 200 characters, whatever it is (faults#65)', () => {
    const nasty = fc.string({
      unit: fc.oneof(fc.constantFrom('\u001b[2J', '\r\n', '\u2028', '\u202e', '\0'), fc.string()),
    });
    fc.assert(
      fc.property(nasty, (text) => {
        const line = oneLine(text);
        expect(line.length).toBeLessThanOrEqual(200);
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that is harmless stays unchanged', () => {
    expect(oneLine('Haustür: zugesperrt 🔒')).toBe('Haustür: zugesperrt 🔒');
    expect(oneLine(`${'a'.repeat(198)}🔒🔒`).isWellFormed()).toBe(true);
  });
});
