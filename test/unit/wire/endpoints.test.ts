// Every path of the service, with ids that need escaping.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import {
  CREDENTIAL_ACCEPT,
  credentialEndpoints,
  rateLimit,
} from '../../../src/features/credentials/client/credential-endpoints.ts';
import { CREDENTIAL_OPERATIONS } from '../../../src/features/credentials/policy/credential.ts';
import { deviceEndpoints, eventEndpoints } from '../../../src/wire/endpoints.ts';

const LOCK = lockId('a/b');

describe('the paths of one product', () => {
  const paths = deviceEndpoints('smart locks');

  it.each([
    ['/smart%20locks/devices', paths.devices],
    ['/smart%20locks/devices/a%2Fb/commands', paths.commands(LOCK)],
    ['/smart%20locks/devices/a%2Fb/commands/c%3F', paths.command(LOCK, commandId('c?'))],
    ['/smart%20locks/devices/a%2Fb/lock', paths.lock(LOCK)],
    ['/smart%20locks/devices/a%2Fb/unlock', paths.unlock(LOCK)],
    ['/smart%20locks/devices/a%2Fb/history', paths.history(LOCK)],
    ['/smart%20locks/devices/a%2Fb/accesscodes', paths.accessCodes(LOCK)],
    ['/smart%20locks/devices/a%2Fb/accesscodes/k%23', paths.accessCode(LOCK, accessCodeId('k#'))],
  ])('have %s', (expected, path) => {
    expect(path).toBe(expected);
  });
});

it.each(['', '.', '..', '\ud800'])('no path is made from the ID %j', (id) => {
  const devices = deviceEndpoints('locks');
  const events = eventEndpoints('locks');
  const made = [
    () => devices.accessCode(LOCK, accessCodeId(id)),
    () => devices.accessCodes(lockId(id)),
    () => devices.command(LOCK, commandId(id)),
    () => deviceEndpoints(id).devices,
    () => events.subscription(id),
    () => credentialEndpoints.delete(id),
    () => credentialEndpoints.deleteByUser(id),
    () => credentialEndpoints.deleteNoTourOfLock('c', id),
  ];
  for (const make of made) {
    expect(make).toThrow('Nothing was sent: no ID of the service reads like that.');
  }
});

it.each(['...', '%2e%2e', '..a', '. .', '\u2024.'])('the ID %j stays within its segment', (id) => {
  const path = deviceEndpoints('locks').accessCode(LOCK, accessCodeId(id));
  expect(new URL(path, 'https://service.example').pathname).toBe(path);
});

it('the paths of webhooks are those of their product', () => {
  const paths = eventEndpoints('smart locks');
  expect([paths.subscriptions, paths.subscription('s/1'), paths.publicKey]).toEqual([
    '/smart%20locks/events/subscriptions',
    '/smart%20locks/events/subscriptions/s%2F1',
    '/smart%20locks/events/publickey',
  ]);
});

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

  it('is called in version 1 of its bodies, with ten logins a minute and a hundred calls of each other kind', () => {
    expect(CREDENTIAL_ACCEPT).toBe('application/json;version=1');
    const { login, ...others } = Object.fromEntries(
      CREDENTIAL_OPERATIONS.map((one) => [one, rateLimit(one)]),
    );
    expect([login, new Set(Object.values(others))]).toEqual([10, new Set([100])]);
  });
});
