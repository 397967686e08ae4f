// Wire contract 2: devices as a user sees them.
import { describe, expect, test } from 'vitest';
import { defaultSetup } from '../../src/world/default-setup.ts';
import { createWorld } from '../../src/world/house/world.ts';
import { DOOR, home, refusalOf, START } from './home.ts';

describe('wire contract 2, devices', () => {
  test('the list adds the role of the user who asks', () => {
    const { world, device } = home();
    expect(world.listDevices('owner')).toEqual([{ role: 'owner', ...device() }]);
    expect(world.listDevices('guest')).toEqual([{ role: 'guest', ...device() }]);
    expect(world.listDevices('watcher')).toEqual([{ role: 'watcher', ...device() }]);
  });

  test('a user without locks has an empty list', () => {
    const { world } = home();
    expect(world.listDevices('stranger')).toEqual([]);
    expect(world.listDevices('nobody-at-all')).toEqual([]);
  });

  test('another user’s device and an unknown device are the same 404', () => {
    const { world } = home();
    const notFound = { status: 404, errorCode: 1, description: 'Device not found' };
    expect(refusalOf(world.getDevice('stranger', DOOR))).toEqual(notFound);
    expect(refusalOf(world.getDevice('owner', 'no-such-door'))).toEqual(notFound);
    expect(refusalOf(world.submitCommand('stranger', DOOR, 'ChangeLockState', {}))).toEqual(notFound);
    expect(refusalOf(world.getCommand('stranger', DOOR, 'any'))).toEqual(notFound);
    expect(refusalOf(world.listAccessCodes('stranger', DOOR))).toEqual(notFound);
    expect(refusalOf(world.getAccessCode('stranger', DOOR, 'any'))).toEqual(notFound);
    expect(refusalOf(world.history('stranger', DOOR, 50, false))).toEqual(notFound);
  });

  test('the offset of the zone follows daylight saving', () => {
    const { device, world } = home();
    expect(device().timezoneOffset).toBe('-04:00');
    world.advance(Date.UTC(2026, 10, 1, 5, 59));
    expect(device().timezoneOffset).toBe('-04:00');
    world.advance(Date.UTC(2026, 10, 1, 6));
    expect(device().timezoneOffset).toBe('-05:00');
  });

  test.each([
    ['WifiDeadbolt', 1200, 'Model-D1'],
    ['WifiLever', 600, 'Model-L1'],
  ] as const)('a %s takes %i ms for its travel', (type, travelMs, modelName) => {
    const { command, device, pass } = home({ type });
    command('ChangeLockState', { lockState: 'Unlocked' });
    pass(travelMs - 1);
    expect(device()).toMatchObject({ lockState: 'Locked', modelName });
    pass(1);
    expect(device()).toMatchObject({ lockState: 'Unlocked' });
  });
});

test('the world of a first run has three doors, and a guest with a key to the first', () => {
  const world = createWorld(defaultSetup('first run', START));
  const seenBy = (userId: string) =>
    world.listDevices(userId).map(({ role, name, type, features }) => [role, name, type, features.vlac]);
  expect(seenBy('resident')).toEqual([
    ['owner', 'Front door', 'WifiDeadbolt', true],
    ['owner', 'Back door', 'WifiDeadbolt', false],
    ['owner', 'Garage', 'WifiLever', false],
  ]);
  expect(seenBy('guest-of-house')).toEqual([['guest', 'Front door', 'WifiDeadbolt', true]]);
});

describe('devices that come, go and change', () => {
  test('a new lock is listed, a removed one is gone for all, a renamed one keeps its id', () => {
    const { world, activities } = home();
    const id = world.addDevice({ name: 'Shed', type: 'WifiLever', roles: { guest: 'owner' } });
    expect(world.listDevices('guest').map((device) => device.name)).toEqual(['Front door', 'Shed']);
    world.renameDevice(id, 'Tool shed');
    expect(world.listDevices('guest').map((device) => [device.id, device.name])).toContainEqual([
      id,
      'Tool shed',
    ]);
    world.removeDevice(id);
    expect(world.listDevices('guest').map((device) => device.name)).toEqual(['Front door']);
    expect(activities.map((worldEvent) => 'change' in worldEvent && worldEvent.change)).toEqual([
      'added',
      'renamed',
      'removed',
    ]);
  });

  test('what was due for a removed lock no longer happens', () => {
    const { world, command, pass, kinds } = home();
    command('ChangeLockState', { lockState: 'Unlocked' });
    world.removeDevice(DOOR);
    pass(120_000);
    expect(kinds()).toEqual([]);
  });

  test('a lock given to a user who does not exist is refused whole', () => {
    const { world } = home();
    expect(() => world.addDevice({ name: 'Shed', type: 'WifiLever', roles: { nobody: 'owner' } })).toThrow(
      'No user with the id "nobody" in this world',
    );
    expect(world.deviceIds()).toEqual([DOOR]);
  });

  test('hands on a lock that is not there get an error that names it', () => {
    const { world } = home();
    expect(() => world.turnThumbturn('gone')).toThrow('No device with the id "gone" in this world');
    expect(() => world.inspect('gone')).toThrow('No device with the id "gone" in this world');
  });
});

describe('wire contract 11, roles', () => {
  test('everybody with a role reads; nobody else does', () => {
    const { world } = home();
    for (const user of ['owner', 'guest', 'watcher']) {
      expect(world.getDevice(user, DOOR).ok).toBe(true);
      expect(world.listAccessCodes(user, DOOR).ok).toBe(true);
      expect(world.history(user, DOOR, 1, false).ok).toBe(true);
    }
  });

  const forbidden = { status: 403, errorCode: 1, description: 'Not permitted for this role' };

  test('a guest moves the lock and changes no codes', () => {
    const { world } = home();
    for (const name of ['AddAccessCode', 'UpdateAccessCode', 'DeleteAccessCode', 'DeleteAllAccessCodes']) {
      expect(refusalOf(world.submitCommand('guest', DOOR, name, {}))).toEqual(forbidden);
    }
    expect(world.submitCommand('guest', DOOR, 'ChangeLockState', { lockState: 'Locked' }).ok).toBe(true);
  });

  test('any other role changes nothing, whatever the command', () => {
    const { world } = home();
    expect(refusalOf(world.submitCommand('watcher', DOOR, 'ChangeLockState', {}))).toEqual(forbidden);
    expect(refusalOf(world.submitCommand('watcher', DOOR, 'Nonsense', {}))).toEqual(forbidden);
  });

  test('a role can be given, changed and taken away, and the history says so', () => {
    const { world, history } = home();
    world.setRole(DOOR, 'stranger', 'guest');
    expect(world.listDevices('stranger')).toHaveLength(1);
    world.setRole(DOOR, 'stranger', 'owner');
    expect(world.submitCommand('stranger', DOOR, 'DeleteAllAccessCodes', {}).ok).toBe(true);
    world.setRole(DOOR, 'stranger', null);
    expect(world.listDevices('stranger')).toEqual([]);
    expect(history().map((entry) => [entry.eventCode, entry.accessor.id])).toEqual([
      ['MobileUserDeleted', 'stranger'],
      ['AdminPrivilegeDeleted', 'stranger'],
      ['AdminPrivilegeAdded', 'stranger'],
      ['MobileUserAdded', 'stranger'],
    ]);
  });

  test('an event concerns those who have a role at that moment', () => {
    const { world, activities } = home();
    world.setRole(DOOR, 'guest', null);
    world.turnThumbturn(DOOR);
    expect(activities.at(-1)).toMatchObject({
      kind: 'lock-state-changed',
      deviceId: DOOR,
      userIds: ['owner', 'watcher'],
    });
  });

  test('sign-out-everywhere concerns the user alone and no device', () => {
    const { world, activities } = home();
    world.signOutEverywhere('guest');
    expect(activities).toMatchObject([
      { kind: 'signed-out-everywhere', userId: 'guest', deviceId: null, userIds: ['guest'] },
    ]);
    expect(() => {
      world.signOutEverywhere('nobody');
    }).toThrow(/No user/);
  });
});
