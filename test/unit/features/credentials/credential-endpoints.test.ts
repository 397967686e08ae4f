// Every path of the credentialing interface, with ids that need escaping.
import { describe, expect, it } from 'vitest';
import {
  CREDENTIAL_ACCEPT,
  credentialEndpoints,
  rateLimit,
} from '../../../../src/features/credentials/client/credential-endpoints.ts';
import { CREDENTIAL_OPERATIONS } from '../../../../src/features/credentials/policy/credential.ts';

describe('the credentialing interface', () => {
  const calls = credentialEndpoints;

  it.each([
    ['POST /SMC/authentication/token', calls.login()],
    ['POST /SMC/credentials/mobile', calls.create()],
    ['POST /SMC/credentials/mobile/raw', calls.createRaw()],
    ['GET /SMC/credentials/mobile', calls.list()],
    ['GET /SMC/credentials/mobile/c%2F1', calls.get('c/1')],
    ['GET /SMC/credentials/mobile/users/u%2F1', calls.getByUser('u/1')],
    ['DELETE /SMC/credentials/mobile/c%2F1', calls.delete('c/1')],
    ['DELETE /SMC/credentials/mobile/users/u%2F1', calls.deleteByUser('u/1')],
    ['POST /SMC/credentials/mobile/c%2F1/notourpayloads', calls.saveNoTour('c/1')],
    ['DELETE /SMC/credentials/mobile/c%2F1/notourpayloads', calls.deleteNoTour('c/1')],
    ['DELETE /SMC/credentials/mobile/c%2F1/notourpayloads/0%2FA', calls.deleteNoTourOfLock('c/1', '0/A')],
  ])('has %s', (expected, { method, path }) => {
    expect(`${method} ${path}`).toBe(expected);
  });

  it.each(['', '.', '..', '\ud800'])('has no path for the ID %j', (id) => {
    for (const make of [
      () => calls.delete(id),
      () => calls.deleteByUser(id),
      () => calls.deleteNoTourOfLock('c', id),
    ]) {
      expect(make).toThrow('Nothing was sent: no ID of the service reads like that.');
    }
  });

  it('is called in version 1 of its bodies, with ten logins a minute and a hundred calls of each other kind', () => {
    expect(CREDENTIAL_ACCEPT).toBe('application/json;version=1');
    const { login, ...others } = Object.fromEntries(
      CREDENTIAL_OPERATIONS.map((one) => [one, rateLimit(one)]),
    );
    expect([login, new Set(Object.values(others))]).toEqual([10, new Set([100])]);
  });
});
