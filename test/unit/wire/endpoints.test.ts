// Every path of the service, with ids that need escaping.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
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
