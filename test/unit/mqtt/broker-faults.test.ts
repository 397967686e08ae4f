// The message about a broker that cannot be used.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOfConnect, faultOfError, faultOfReason } from '../../../src/mqtt/broker-faults.ts';
import { t } from '../../../src/words/translate.ts';

describe('a fault of the broker', () => {
  it.each([
    [{ code: 134 }, 'The broker rejected the user name or password. Check both.', true],
    [{ code: 132 }, 'The broker does not speak MQTT 5. Update the broker, or use another one.', true],
    [{ code: 137 }, 'The broker is busy.', false],
    [{ code: 'ECONNREFUSED' }, 'No broker answers at this address. Check that it runs, and the port.', false],
    [
      { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
      "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
      true,
    ],
    [new Error('odd'), 'The connection to the broker failed: odd', false],
  ])('has a sentence with the next step: %o', (error, reason, isLasting) => {
    const fault = faultOfError(error);
    expect({ ...fault, reason: t(fault.reason) }).toEqual({ reason, isLasting });
  });

  it('at the connection is a wrong password, although the broker names rights; later it is a missing right', () => {
    expect(t(faultOfConnect({ code: 135 }).reason)).toBe(
      'The broker rejected the user name or password. Check both.',
    );
    expect(t(faultOfError({ code: 135 }).reason)).toMatch(/not allow this user to do that/);
    expect(t(faultOfConnect({ code: 137 }).reason)).toBe('The broker is busy.');
  });

  it('has a sentence for every reason that a broker may give', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), (code) => {
        expect(t(faultOfReason(code).reason)).toMatch(/^The broker .*\.$|^Another Latchkey .*\.$/);
      }),
    );
  });
});
