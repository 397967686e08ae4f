// What controllers read of a lock: every bolt, presence, link and battery as attributes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../../src/domain/account/account.ts';
import type { Reported } from '../../../../src/domain/locks/event.ts';
import {
  type Battery,
  type Lock,
  lockId,
  type Presence,
  unknownLock,
} from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import {
  attributesOf,
  type LockAttributes,
  saysLow,
} from '../../../../src/features/matter/node/lock-attributes.ts';
import { named } from '../../../support/named-lock.ts';

/** Door Lock cluster, LockTypeEnum. */
const DEAD_BOLT = 0;
const LATCH_BOLT = 5;

const LOW_PERCENT = 20;
const fresh = unknownLock(lockId('a'), { ...named('A'), firmware: '4.2.1' });

function reported(...reports: readonly Partial<Reported>[]): Lock {
  return reports.reduce(
    (lock, report, index) =>
      advanceLock(lock, { type: 'reported', source: 'event', at: 1_000 * (index + 1), ...report }),
    fresh,
  );
}

function attributes(lock: Lock, link: RuntimeLinkState = 'linked', wasLow = false): LockAttributes {
  return attributesOf(lock, link, LOW_PERCENT, wasLow);
}

function lockState(lock: Lock, link?: RuntimeLinkState): number | null {
  return attributes(lock, link).doorLock.lockState;
}

describe('the lock state', () => {
  it('is told only with fresh evidence of a lock in reach and a link that is ours, whatever is requested, and a jam is not fully locked (faults#133)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<RuntimeLinkState>(
          'linked',
          'other-process',
          'unlinked',
          'revoked',
          'expired',
          'signed-out',
          'used-elsewhere',
          'moved',
        ),
        fc.constantFrom<Presence>('reachable', 'offline', 'missing'),
        fc.constantFrom('secured', 'unsecured', 'jammed', 'unknown'),
        fc.constantFrom('secured', 'unsecured', null),
        fc.boolean(),
        (link, presence, bolt, target, stale) => {
          const known = reported({ bolt });
          const lock = { ...known, presence, target, belief: { ...known.belief, stale } };
          // A jam needs someone at the lock, however old its report is.
          const isFresh = !stale || bolt === 'jammed';
          const isKnown = link === 'linked' && presence === 'reachable' && isFresh;
          const numbers = { secured: 1, unsecured: 2, jammed: 0, unknown: null };
          expect(lockState(lock, link)).toBe(isKnown ? numbers[bolt] : null);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the attribute Reachable', () => {
  // In an outage it is false, so that no app goes on with its last tile.
  it.each<[Presence | 'stale', RuntimeLinkState, boolean]>([
    ['reachable', 'linked', true],
    ['reachable', 'other-process', true],
    ['reachable', 'revoked', false],
    ['reachable', 'unlinked', false],
    ['offline', 'linked', false],
    ['missing', 'linked', false],
    ['stale', 'linked', false],
  ])('of a lock that is %s with a link that is %s is %s (faults#133)', (state, link, expected) => {
    const known = reported({ bolt: 'secured' });
    const stale = advanceLock(known, { type: 'aged', staleBefore: 9_000 });
    const lock = state === 'stale' ? stale : { ...known, presence: state };
    expect(attributes(lock, link).bridgedDeviceBasicInformation.reachable).toBe(expected);
  });
});

describe('the battery', () => {
  it.each<[Battery, boolean, readonly [number, number | null, number, boolean]]>([
    [{ grade: 'unknown', percent: null }, false, [0, null, 0, false]],
    [{ grade: 'normal', percent: 87 }, false, [1, 174, 0, false]],
    [{ grade: 'normal', percent: 20 }, false, [1, 40, 1, true]],
    [{ grade: 'normal', percent: 22 }, true, [1, 44, 1, true]],
    [{ grade: 'critical', percent: null }, false, [1, null, 2, true]],
  ])(
    '%j, low before: %s, has the status, half percents, level and need for new ones %j',
    (battery, wasLow, expected) => {
      const { powerSource } = attributes({ ...fresh, battery }, 'linked', wasLow);
      const { status, batPercentRemaining, batChargeLevel, batReplacementNeeded } = powerSource;
      expect([status, batPercentRemaining, batChargeLevel, batReplacementNeeded]).toEqual(expected);
    },
  );

  it('remembers by the reported values whether it was low', () => {
    expect(saysLow(null)).toBe(false);
    expect(saysLow(attributes({ ...fresh, battery: { grade: 'low', percent: null } }))).toBe(true);
  });
});

it('the attributes have the firmware, and a neutral version where the service names none', () => {
  expect(attributes(fresh).bridgedDeviceBasicInformation.softwareVersionString).toBe('4.2.1');
  const silent = { ...fresh, description: { ...fresh.description, firmware: '' } };
  expect(attributes(silent).bridgedDeviceBasicInformation.softwareVersionString).toBe('0.0.0');
});

describe('the type of the lock', () => {
  it.each([
    [null, DEAD_BOLT],
    ['WifiDeadbolt', DEAD_BOLT],
    ['', DEAD_BOLT],
    ['WifiLever', LATCH_BOLT],
  ])('is what the service calls the kind, a dead bolt before it has: %s (faults#174)', (type, lockType) => {
    const device =
      type === null ? null : { type, createdAt: null, variableLengthCodes: null, offsetMinutes: null };
    expect(attributes({ ...fresh, device }).doorLock.lockType).toBe(lockType);
  });
});
