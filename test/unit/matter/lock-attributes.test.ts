// What controllers read of a lock: every bolt, presence, link and battery as attributes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../src/domain/account/account.ts';
import type { Reported } from '../../../src/domain/locks/event.ts';
import {
  type Battery,
  type Lock,
  lockId,
  type Presence,
  unknownLock,
} from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import { attributesOf, type LockAttributes, saysLow } from '../../../src/matter/lock-attributes.ts';
import { named } from '../../support/named-lock.ts';

const LIMITS = { thresholdPercent: 20, clearPercent: 25 };
const fresh = unknownLock(lockId('a'), { ...named('A'), firmware: '4.2.1' });

function reported(...reports: readonly Partial<Reported>[]): Lock {
  return reports.reduce(
    (lock, report, index) =>
      advanceLock(lock, { type: 'reported', source: 'event', at: 1_000 * (index + 1), ...report }),
    fresh,
  );
}

function attributes(lock: Lock, link: RuntimeLinkState = 'linked', wasLow = false): LockAttributes {
  return attributesOf(lock, link, LIMITS, wasLow);
}

function lockState(lock: Lock, link?: RuntimeLinkState): number | null {
  return attributes(lock, link).doorLock.lockState;
}

describe('the lock state', () => {
  it.each([
    ['nothing was reported', reported(), null],
    ['it is offline', reported({ bolt: 'secured' }, { connected: false }), null],
    ['it is missing', advanceLock(reported({ bolt: 'secured' }), { type: 'missed', at: 9_000 }), null],
    ['it is stale', advanceLock(reported({ bolt: 'secured' }), { type: 'aged', staleBefore: 9_000 }), null],
    [
      'something else was requested',
      advanceLock(reported({ bolt: 'unsecured' }), { type: 'requested', target: 'secured' }),
      2,
    ],
  ] as const)('is null or not where %s', (_, lock, expected) => {
    expect(lockState(lock)).toBe(expected);
  });

  it('is told only with fresh evidence of a lock in reach and a link that is ours, and a jam is not fully locked (faults#133)', () => {
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
        fc.boolean(),
        (link, presence, bolt, stale) => {
          const known = reported({ bolt });
          const lock = { ...known, presence, belief: { ...known.belief, stale } };
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
  it('is false in an outage, so that no app goes on with its last tile (faults#133)', () => {
    const stale = advanceLock(reported({ bolt: 'secured' }), { type: 'aged', staleBefore: 9_000 });
    expect(attributes(stale, 'linked').bridgedDeviceBasicInformation.reachable).toBe(false);
  });

  it.each<[Presence, RuntimeLinkState, boolean]>([
    ['reachable', 'linked', true],
    ['reachable', 'other-process', true],
    ['reachable', 'revoked', false],
    ['reachable', 'unlinked', false],
    ['offline', 'linked', false],
    ['missing', 'linked', false],
  ])('is set for a lock that is %s with a link that is %s', (presence, link, expected) => {
    const { reachable } = attributes({ ...fresh, presence }, link).bridgedDeviceBasicInformation;
    expect(reachable).toBe(expected);
  });
});

describe('the battery', () => {
  it.each<[Battery, boolean, LockAttributes['powerSource']]>([
    [
      { grade: 'unknown', percent: null },
      false,
      { status: 0, batPercentRemaining: null, batChargeLevel: 0, batReplacementNeeded: false },
    ],
    [
      { grade: 'normal', percent: 87 },
      false,
      { status: 1, batPercentRemaining: 174, batChargeLevel: 0, batReplacementNeeded: false },
    ],
    [
      { grade: 'normal', percent: 20 },
      false,
      { status: 1, batPercentRemaining: 40, batChargeLevel: 1, batReplacementNeeded: true },
    ],
    [
      { grade: 'normal', percent: 22 },
      true,
      { status: 1, batPercentRemaining: 44, batChargeLevel: 1, batReplacementNeeded: true },
    ],
    [
      { grade: 'critical', percent: null },
      false,
      { status: 1, batPercentRemaining: null, batChargeLevel: 2, batReplacementNeeded: true },
    ],
  ])('%j, low before: %s', (battery, wasLow, expected) => {
    expect(attributes({ ...fresh, battery }, 'linked', wasLow).powerSource).toEqual(expected);
  });

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
