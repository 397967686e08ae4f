// The check of Homebridge's interface before anything relies on it: any missing part keeps Matter off.
import { describe, expect, it } from 'vitest';
import { faultOfMatter } from '../../../src/matter/evidence-lock.ts';
import { StandInMatter } from '../../stand-ins/homebridge/matter.ts';

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

  it("finds that a lock of ours is not accepted, which would leave Homebridge's own in its place", () => {
    const shell = new StandInMatter();
    const { DoorLock } = shell.deviceTypes;
    if (DoorLock === undefined) {
      throw new Error('The pretended shell has no lock');
    }
    shell.deviceTypes['DoorLock'] = { ...DoorLock, with: () => DoorLock };
    expect(faultOfMatter(shell, true)).toBe('the lock was not taken');
  });

  it('returns the error when the interface throws', () => {
    const shell = new StandInMatter();
    const { DoorLock } = shell.deviceTypes;
    if (DoorLock === undefined) {
      throw new Error('The pretended shell has no lock');
    }
    shell.deviceTypes['DoorLock'] = {
      ...DoorLock,
      with: () => {
        throw new Error('no such cluster');
      },
    };
    expect(faultOfMatter(shell, true)).toBe('no such cluster');
  });
});
