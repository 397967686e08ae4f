// What Home shows of a lock, as tables, and the promise behind them: Locked only on fresh evidence.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../../src/domain/account/account.ts';
import type { BoltPosition, BoltState } from '../../../../src/domain/locks/bolt.ts';
import type { LockEvent } from '../../../../src/domain/locks/event.ts';
import { type Lock, lockId, type Presence, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { connectivityOf, positionOfTarget, viewOf } from '../../../../src/homekit/hap/lock-mapping.ts';
import type { LockOptions } from '../../../../src/homekit/hap/lock-options.ts';
import { named } from '../../../support/named-lock.ts';

const NO_RESPONSE = 'noResponse';
const OPTIONS = ['unknown', NO_RESPONSE, 'lastKnown'] as const;
const UNSECURED = 0;
const SECURED = 1;
const JAMMED = 2;
const UNKNOWN = 3;

const fresh = unknownLock(lockId('a'), named('A'));

function after(...events: readonly LockEvent[]): Lock {
  return events.reduce(advanceLock, fresh);
}

function said(bolt: BoltState, at = 1_000): LockEvent {
  return { type: 'reported', source: 'event', at, bolt };
}

const aged: LockEvent = { type: 'aged', staleBefore: 500_000 };
const offline: LockEvent = { type: 'reported', source: 'poll', at: 2_000, connected: false };
const missed: LockEvent = { type: 'missed', at: 2_000 };

function current(
  lock: Lock,
  option: LockOptions['offline'] = 'unknown',
  link: RuntimeLinkState = 'linked',
): unknown {
  return viewOf(lock, link, option, SECURED).current;
}

describe('the current state', () => {
  it.each<[BoltState, number]>([
    ['secured', SECURED],
    ['unsecured', UNSECURED],
    ['jammed', JAMMED],
    ['unknown', UNKNOWN],
  ])('of a bolt freshly reported %s is %d, whatever the option', (bolt, shown) => {
    for (const option of OPTIONS) {
      expect(current(after(said(bolt)), option)).toBe(shown);
    }
  });

  const secured = after(said('secured'));
  const wentUnknown = after(said('unsecured'), said('unknown', 1_500), offline);

  it.each<[string, Lock, unknown, unknown, unknown]>([
    ['nothing was ever said', fresh, UNKNOWN, NO_RESPONSE, UNKNOWN],
    ['it was locked and went stale', advanceLock(secured, aged), UNKNOWN, NO_RESPONSE, SECURED],
    ['it was locked and went offline', advanceLock(secured, offline), UNKNOWN, NO_RESPONSE, SECURED],
    ['it was unlocked and went offline', after(said('unsecured'), offline), UNKNOWN, NO_RESPONSE, UNSECURED],
    ['it was unlocked, then unknown, then offline', wentUnknown, UNKNOWN, NO_RESPONSE, UNKNOWN],
    ['it jammed and went offline', after(said('jammed'), offline), JAMMED, NO_RESPONSE, JAMMED],
    ['it jammed and went stale', after(said('jammed'), aged), JAMMED, NO_RESPONSE, JAMMED],
    ['it is no longer listed', advanceLock(secured, missed), NO_RESPONSE, NO_RESPONSE, NO_RESPONSE],
  ])('is judged by the option where %s', (_what, lock, ...shown) => {
    expect(OPTIONS.map((option) => current(lock, option))).toEqual(shown);
  });

  it('where another process owns the account is unknown, does not respond, or is the last known one, by the option', () => {
    const shown = OPTIONS.map((option) => current(secured, option, 'other-process'));
    expect(shown).toEqual([UNKNOWN, NO_RESPONSE, SECURED]);
  });

  it.each<RuntimeLinkState>(['unlinked', 'revoked', 'expired', 'signed-out', 'used-elsewhere', 'moved'])(
    'does not respond while the account is %s, whatever the option',
    (link) => {
      for (const option of OPTIONS) {
        expect(current(after(said('secured')), option, link)).toBe(NO_RESPONSE);
      }
    },
  );
});

describe('the target', () => {
  const target = (lock: Lock, shown: 0 | 1 = SECURED): number =>
    viewOf(lock, 'linked', 'unknown', shown).target;

  it.each<[string, Lock, number]>([
    ['a request under way', after(said('secured'), { type: 'requested', target: 'unsecured' }), UNSECURED],
    ['the place where the bolt rests', after(said('unsecured')), UNSECURED],
    ['where a jammed bolt last rested', after(said('unsecured'), said('jammed', 2_000)), UNSECURED],
    ['where an unknown bolt last rested', after(said('unsecured'), said('unknown', 2_000)), UNSECURED],
    ['where a bolt out of reach last rested', after(said('unsecured'), offline, aged), UNSECURED],
    ['SECURED for a door of which nothing was ever known', after(), SECURED],
  ])('is %s', (_what, lock, shown) => {
    expect(target(lock)).toBe(shown);
  });

  it('stays at its last shown value while the position is unknown', () => {
    expect(target(after(), UNSECURED)).toBe(UNSECURED);
    expect(target(after(said('unknown'), said('jammed', 2_000)), UNSECURED)).toBe(UNSECURED);
  });

  it('is written as exactly one of two numbers', () => {
    expect(positionOfTarget(SECURED)).toBe('secured');
    expect(positionOfTarget(UNSECURED)).toBe('unsecured');
    for (const value of [true, false, '0', '1', 2, -1, null, undefined, 0.5, {}]) {
      expect(positionOfTarget(value)).toBeUndefined();
    }
  });
});

describe('the connectivity of a lock', () => {
  const reported = after({ type: 'reported', source: 'poll', at: 1_000, bolt: 'secured', connected: true });
  const missing: Lock = { ...reported, presence: 'missing' };
  const isOffline = advanceLock(reported, offline);
  const online = { connected: true, active: true, fault: false };
  const silent = { connected: false, active: false, fault: false };
  const fault = { connected: false, active: false, fault: true };

  it.each<[string, Lock, RuntimeLinkState, object]>([
    ['was reported', reported, 'linked', online],
    ['was reported as offline', isOffline, 'linked', { connected: false, active: true, fault: false }],
    ['was never reported', fresh, 'linked', silent],
    ['was not reported for too long', advanceLock(reported, aged), 'linked', silent],
    ['belongs to another process', reported, 'other-process', silent],
    ['is missing', missing, 'linked', fault],
    ['has an account without a link', reported, 'unlinked', fault],
    ['has a link that was revoked', reported, 'revoked', fault],
    ['has a link that expired', reported, 'expired', fault],
    ['has an account that signed out', reported, 'signed-out', fault],
  ])('is shown for a lock that %s', (_, lock, link, expected) => {
    expect(connectivityOf(lock, link, false)).toEqual(expected);
  });

  it.each<[string, Lock, RuntimeLinkState, boolean | null]>([
    ['was never reported', fresh, 'linked', null],
    ['was reported', reported, 'linked', true],
    ['was reported as offline', isOffline, 'linked', false],
    ['has an account without a link', fresh, 'unlinked', false],
  ])('is shown soon after the start for a lock that %s', (_, lock, link, connected) => {
    expect(connectivityOf(lock, link, true).connected).toBe(connected);
  });
});

// What a lock believes after any history is tried in test/unit/domain/locks.
describe('Locked', () => {
  it('is shown exactly for a bolt that was freshly reported so, of a lock in reach and by a link that is ours, whatever is requested', () => {
    fc.assert(
      fc.property(
        fc.record({
          bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
          stale: fc.boolean(),
          presence: fc.constantFrom<Presence>('reachable', 'offline', 'missing'),
          target: fc.constantFrom<BoltPosition | null>('secured', 'unsecured', null),
        }),
        fc.constantFrom<RuntimeLinkState>('linked', 'other-process', 'unlinked', 'expired'),
        fc.constantFrom<LockOptions['offline']>('unknown', NO_RESPONSE),
        ({ bolt, stale, ...others }, link, option) => {
          const { belief, ...known } = after(said(bolt));
          const lock = { ...known, ...others, belief: { ...belief, stale } };
          const isLocked = bolt === 'secured' && !stale && lock.presence === 'reachable' && link === 'linked';
          expect(current(lock, option, link) === SECURED).toBe(isLocked);
        },
      ),
      { numRuns: 500 },
    );
  });
});
