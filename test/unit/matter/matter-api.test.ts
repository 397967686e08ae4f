// The interface of Homebridge that is checked before anything relies on it: whatever is missing keeps Matter off.
import { describe, expect, it } from 'vitest';
import { faultOfMatter } from '../../../src/matter/evidence-lock.ts';
import { PretendMatter } from '../../component/matter/fixture.ts';

describe('the check of the Matter interface', () => {
  it('accepts what it was made for', () => {
    expect(faultOfMatter(new PretendMatter(), false)).toBeNull();
    expect(faultOfMatter(new PretendMatter(), true)).toBeNull();
  });

  it.each([undefined, null, 42, 'matter', {}, { deviceTypes: null }])(
    'names what is missing in %j',
    (matter) => {
      expect(faultOfMatter(matter, false)).toBe('registerPlatformAccessories is missing');
    },
  );

  it.each([
    ['a status', (shell: PretendMatter) => delete shell.status['Busy'], 'status.Busy is missing'],
    [
      'the statuses by number',
      (shell: PretendMatter) => delete shell.status['MatterProtocolError'],
      'status.MatterProtocolError is missing',
    ],
    [
      'the lock',
      (shell: PretendMatter) => delete shell.deviceTypes['DoorLock'],
      'deviceTypes.DoorLock.with is missing',
    ],
    [
      'the bridged device',
      (shell: PretendMatter) => delete shell.deviceTypes['BridgedNode'],
      'deviceTypes.BridgedNode.behaviors.bridgedDeviceBasicInformation is missing',
    ],
  ])('names %s when that is missing', (_, breakIt, fault) => {
    const shell = new PretendMatter();
    breakIt(shell);
    expect(faultOfMatter(shell, true)).toBe(fault);
  });

  it('sees that a lock of its own is not taken, which would leave the one that says Locked at once', () => {
    const shell = new PretendMatter();
    const { DoorLock } = shell.deviceTypes;
    if (DoorLock === undefined) {
      throw new Error('The pretended shell has no lock');
    }
    shell.deviceTypes['DoorLock'] = { ...DoorLock, with: () => DoorLock };
    expect(faultOfMatter(shell, true)).toBe('the lock was not taken');
  });

  it('gets the error when the interface throws', () => {
    const shell = new PretendMatter();
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
