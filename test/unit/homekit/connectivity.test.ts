// When a lock counts as connected, its sensors as active, and when a person has to act.
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../src/domain/account/account.ts';
import { type Lock, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import { connectivityOf } from '../../../src/homekit/hap/lock-mapping.ts';
import { describedAs } from '../../stand-ins/account/runtime.ts';

const UNREPORTED = unknownLock(lockId('front'), describedAs('Front door'));
const REPORTED = advanceLock(UNREPORTED, {
  type: 'reported',
  source: 'poll',
  at: 1_000,
  bolt: 'secured',
  connected: true,
});
const OFFLINE = advanceLock(REPORTED, { type: 'reported', source: 'event', at: 2_000, connected: false });
const STALE = advanceLock(REPORTED, { type: 'aged', staleBefore: 3_000 });
const MISSING: Lock = { ...REPORTED, presence: 'missing' };

const ONLINE = { connected: true, active: true, fault: false };
const SILENT = { connected: false, active: false, fault: false };
const FAULT = { connected: false, active: false, fault: true };

describe('the connectivity of a lock', () => {
  it.each<[string, Lock, RuntimeLinkState, object]>([
    ['was reported', REPORTED, 'linked', ONLINE],
    ['was reported as offline', OFFLINE, 'linked', { connected: false, active: true, fault: false }],
    ['was never reported', UNREPORTED, 'linked', SILENT],
    ['was not reported for too long', STALE, 'linked', SILENT],
    ['belongs to another process', REPORTED, 'other-process', SILENT],
    ['is missing', MISSING, 'linked', FAULT],
    ['has an account without a link', REPORTED, 'unlinked', FAULT],
    ['has a link that was revoked', REPORTED, 'revoked', FAULT],
    ['has a link that expired', REPORTED, 'expired', FAULT],
    ['has an account that signed out', REPORTED, 'signed-out', FAULT],
  ])('is shown for a lock that %s', (_, lock, link, expected) => {
    expect(connectivityOf(lock, link, false)).toEqual(expected);
  });

  it.each<[string, Lock, RuntimeLinkState, boolean | null]>([
    ['was never reported', UNREPORTED, 'linked', null],
    ['was reported', REPORTED, 'linked', true],
    ['was reported as offline', OFFLINE, 'linked', false],
    ['has an account without a link', UNREPORTED, 'unlinked', false],
  ])('is shown soon after the start for a lock that %s', (_, lock, link, connected) => {
    expect(connectivityOf(lock, link, true).connected).toBe(connected);
  });
});
