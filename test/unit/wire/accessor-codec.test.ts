// Who moved a bolt, and how: the service's words, one by one.
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../src/domain/locks/access.ts';
import { decodeAccessor } from '../../../src/wire/accessor-codec.ts';

/** Specification, Accessor types. */
const METHODS: readonly (readonly [string, AccessMethod])[] = [
  ['VirtualKey', 'virtual-key'],
  ['1TouchLocking', 'one-touch'],
  ['AccessCode', 'access-code'],
  ['AutoRelock', 'auto-relock'],
  ['Thumbturn', 'thumbturn'],
  ['UnlockButton', 'unlock-button'],
  ['LockButton', 'lock-button'],
  ['ScheduledLock', 'schedule'],
  ['PlatformHome', 'platform'],
  ['PlatformHomeNFC', 'platform-key'],
  ['AccessTypeUnavailable', 'unavailable'],
];

describe('an accessor', () => {
  it.each(METHODS)('of the type %s is %s', (accessType, method) => {
    expect(decodeAccessor({ accessType }).method).toBe(method);
  });

  it.each(['accesscode', 'Drone', '', null, 7])('of the type %j is of an unknown type', (accessType) => {
    expect(decodeAccessor({ accessType }).method).toBe('other');
  });

  it('has a name of whole characters', () => {
    expect(decodeAccessor({ friendlyName: 'Ann \ud83d' }).name).toBe('Ann \ufffd');
  });

  it('may have a number for an id, as a code has that is compared with it', () => {
    expect(decodeAccessor({ accessType: 'AccessCode', id: 17 }).id).toBe('17');
    expect(decodeAccessor({ accessType: 'AccessCode', id: [17] }).id).toBeNull();
  });

  it('may be empty', () => {
    const empty = [{}, null, 'Thumbturn', { id: '', friendlyName: '' }];
    const nobody = { method: 'other', id: null, name: null };
    expect(empty.map(decodeAccessor)).toEqual(empty.map(() => nobody));
    const ann = { accessType: 'AccessCode', id: 'a71e', friendlyName: 'Ann' };
    expect(decodeAccessor(ann)).toEqual({ method: 'access-code', id: 'a71e', name: 'Ann' });
  });
});
