// The PIN of an account: only the very same digits open.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RemotePin, WRONG_PINS_AT_MOST } from '../../../src/support/remote-pin.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a PIN', () => {
  it('is right only when every byte and the length agree', () => {
    const digits = fc.stringMatching(/^\d{4,8}$/);
    fc.assert(
      fc.property(digits, fc.oneof(digits, fc.string({ maxLength: 10 })), (pin, sent) => {
        const verdict = new RemotePin(pin, new ManualClock()).verdict(bytes(sent), 1);
        expect(verdict).toBe(sent === pin ? 'right' : sent === '' ? 'missing' : 'wrong');
      }),
    );
  });

  it('counts wrong tries in a row, and a right one resets the count', () => {
    const check = new RemotePin('1234', new ManualClock());
    for (let row = 0; row < 3; row += 1) {
      for (let guess = 1; guess < WRONG_PINS_AT_MOST; guess += 1) {
        expect(check.verdict(bytes('0000'), 1)).toBe('wrong');
      }
      expect(check.verdict(bytes('1234'), 1)).toBe('right');
    }
  });

  it('that is missing is not counted as a try', () => {
    const check = new RemotePin('1234', new ManualClock());
    for (let times = 0; times < 2 * WRONG_PINS_AT_MOST; times += 1) {
      expect(check.verdict(undefined, 1)).toBe('missing');
    }
    expect(check.verdict(bytes('1234'), 1)).toBe('right');
  });
});
