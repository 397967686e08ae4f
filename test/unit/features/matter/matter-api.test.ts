// The check of Homebridge's interface before anything relies on it: any missing part keeps Matter off.
import { describe, expect, it } from 'vitest';
import { faultOfMatter } from '../../../../src/features/matter/node/evidence-lock.ts';
import { StandInMatter } from '../../../stand-ins/homebridge/matter.ts';

type LockType = NonNullable<StandInMatter['deviceTypes'][string]>;

describe('the check of the Matter interface', () => {
  it('accepts the supported interface', () => {
    expect(faultOfMatter(new StandInMatter(), false)).toBeNull();
    expect(faultOfMatter(new StandInMatter(), true)).toBeNull();
  });

  it.each([undefined, null, 42, 'matter', {}, { deviceTypes: null }])(
    'names the missing functions in %j',
    (matter) => {
      expect(faultOfMatter(matter, false)).toBe('registerPlatformAccessories is missing');
    },
  );

  it.each([
    ['a status', (shell: StandInMatter) => delete shell.status['Busy'], 'status.Busy is missing'],
    [
      'the statuses by number',
      (shell: StandInMatter) => delete shell.status['MatterProtocolError'],
      'status.MatterProtocolError is missing',
    ],
    [
      'the lock',
      (shell: StandInMatter) => delete shell.deviceTypes['DoorLock'],
      'deviceTypes.DoorLock.with is missing',
    ],
    [
      'the bridged device',
      (shell: StandInMatter) => delete shell.deviceTypes['BridgedNode'],
      'deviceTypes.BridgedNode.behaviors.bridgedDeviceBasicInformation is missing',
    ],
  ])('names %s when that is missing', (_, breakIt, fault) => {
    const shell = new StandInMatter();
    breakIt(shell);
    expect(faultOfMatter(shell, true)).toBe(fault);
  });

  it.each([
    ["that would keep Homebridge's own lock", (own: LockType) => own, 'the lock was not taken'],
    [
      'that throws',
      () => {
        throw new Error('no such cluster');
      },
      'no such cluster',
    ],
  ])('finds an interface %s', (_, taken, fault) => {
    const shell = new StandInMatter();
    const lock = shell.deviceTypes['DoorLock'] ?? expect.fail('The pretended shell has no lock');
    shell.deviceTypes['DoorLock'] = { ...lock, with: () => taken(lock) };
    expect(faultOfMatter(shell, true)).toBe(fault);
  });
});
