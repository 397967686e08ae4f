import { AuthorizationError } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { faultOfNats } from '../../../src/nats/nats-connection.ts';

describe('a node of a cluster that ends a connection', () => {
  it('because too many came at once says nothing of the login: the home tries again soon (faults#103)', () => {
    expect(faultOfNats(new AuthorizationError('Authentication Timeout'))).toEqual({
      reason: { text: 'The broker is busy.' },
      isLasting: false,
    });
  });

  it('because its login was revoked just now says so (faults#177)', () => {
    const refused = faultOfNats(new AuthorizationError('Authorization Violation'));
    expect(faultOfNats(new Error("'User Authentication Revoked'"))).toEqual(refused);
  });

  it('because it does not accept the login is not asked again for a while', () => {
    expect(faultOfNats(new AuthorizationError('Authorization Violation'))).toMatchObject({ isLasting: true });
  });
});
