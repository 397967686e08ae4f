// The decision on a request, as a table, and rules that hold for all combinations of facts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandPhase } from '../../../../src/domain/commands/command.ts';
import { judgeRequest, mayWaitMs, type RequestFacts } from '../../../../src/domain/commands/intent-policy.ts';
import type { BoltPosition, BoltState } from '../../../../src/domain/locks/bolt.ts';
import type { Presence, Role } from '../../../../src/domain/locks/lock.ts';
import { LOCK_MAY_WAIT_MS, UNLOCK_MAY_WAIT_MS } from '../../../../src/domain/time/time.ts';

const usual: RequestFacts = {
  target: 'secured',
  bolt: 'unsecured',
  presence: 'reachable',
  confirmedAgoMs: 1_000,
  role: 'owner',
  linked: true,
  unheardMs: 6_000,
  rules: { remoteUnlock: true },
  active: null,
};

const unlock = { target: 'unsecured', bolt: 'secured' } as const;
/** It was seen unlocked a second ago. */
const unlockOpen = { target: 'unsecured', bolt: 'unsecured' } as const;

const anyPhase = fc.constantFrom<CommandPhase>('preparing', 'sent', 'accepted', 'overdue', 'uncertain');

const anyFacts: fc.Arbitrary<RequestFacts> = fc.record({
  target: fc.constantFrom<BoltPosition>('secured', 'unsecured'),
  bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
  presence: fc.constantFrom<Presence>('reachable', 'offline', 'missing'),
  role: fc.constantFrom<Role>('owner', 'guest', 'reader'),
  confirmedAgoMs: fc.nat(900_000),
  linked: fc.boolean(),
  unheardMs: fc.nat(100_000),
  rules: fc.record({ remoteUnlock: fc.boolean() }),
  active: fc.option(
    fc.record({ target: fc.constantFrom<BoltPosition>('secured', 'unsecured'), phase: anyPhase }),
    { nil: null },
  ),
});

describe('a request', () => {
  it.each<[string, Partial<RequestFacts>, string]>([
    ['to move an idle lock is sent', {}, 'send'],
    ['to lock is sent, however fresh a reading says "locked" (faults#114)', { bolt: 'secured' }, 'send'],
    [
      'to unlock what a fresh reading says is unlocked is fulfilled',
      { ...unlockOpen, confirmedAgoMs: 5_000 },
      'already',
    ],
    ['to unlock on an older reading is sent (faults#84)', { ...unlockOpen, confirmedAgoMs: 5_001 }, 'send'],
    [
      'to unlock what was unlocked before it went offline is sent',
      { ...unlockOpen, presence: 'offline' },
      'send',
    ],
    ['for an unknown lock is sent', { bolt: 'unknown' }, 'send'],
    ['for a jammed lock is sent', { bolt: 'jammed' }, 'send'],
    ['that is under way already joins', { active: { target: 'secured', phase: 'accepted' } }, 'join'],
    ['against the one under way is held', { active: { target: 'unsecured', phase: 'accepted' } }, 'hold'],
    ['behind a command that is overdue is held', { active: { target: 'secured', phase: 'overdue' } }, 'hold'],
    [
      'after a command whose outcome is not known is sent, wherever the bolt seems to be',
      { bolt: 'secured', active: { target: 'secured', phase: 'uncertain' } },
      'send',
    ],
    ['to lock where unlocking is forbidden is sent', { rules: { remoteUnlock: false } }, 'send'],
    ['of a reader is refused', { role: 'reader' }, 'refuse: role-may-not-command'],
    ['of a guest is sent', { role: 'guest' }, 'send'],
    ['to unlock that lay unheard for ten seconds is sent', { ...unlock, unheardMs: 10_000 }, 'send'],
    [
      'to unlock that lay unheard for longer is refused',
      { ...unlock, unheardMs: 10_001 },
      'refuse: too-late',
    ],
    ['to lock that lay unheard however long is sent', { unheardMs: 3_600_000 }, 'send'],
    ['without a link is refused', { linked: false }, 'refuse: not-linked'],
    ['for a lock that is gone is refused', { presence: 'missing' }, 'refuse: lock-missing'],
  ])('%s', (_title, facts, decision) => {
    const { kind, ...why } = judgeRequest({ ...usual, ...facts });
    expect([kind, ...Object.values(why)].join(': ')).toBe(decision);
  });

  it('to unlock is refused where that is forbidden, whatever else holds (faults#80)', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const rules = { ...facts.rules, remoteUnlock: false };
        expect(judgeRequest({ ...facts, target: 'unsecured', rules }).kind).toBe('refuse');
      }),
    );
    const rules = { remoteUnlock: false };
    expect(judgeRequest({ ...usual, ...unlock, rules })).toMatchObject({ reason: 'remote-unlock-forbidden' });
  });

  it('is never sent beside a command that is known to be in flight (faults#27)', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        fc.pre(facts.active !== null && facts.active.phase !== 'uncertain');
        expect(judgeRequest(facts).kind).not.toBe('send');
      }),
    );
  });

  it('to unlock waits for ten seconds at most, to lock for as long as the longest command of another program', () => {
    expect([mayWaitMs('unsecured'), mayWaitMs('secured')]).toEqual([UNLOCK_MAY_WAIT_MS, LOCK_MAY_WAIT_MS]);
    expect(UNLOCK_MAY_WAIT_MS).toBe(10_000);
    expect(LOCK_MAY_WAIT_MS).toBeGreaterThan(60_000);
  });
});
