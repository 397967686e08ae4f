// HomeKit's words for how a bolt was moved, and only where they mean exactly that.
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../../src/domain/locks/access.ts';
import type { LockEvent } from '../../../../src/domain/locks/event.ts';
import { type Lock, lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { knownMoveIn, lastActionOf } from '../../../../src/homekit/lock/lock-management-service.ts';
import { named } from '../../../support/named-lock.ts';

describe('the last action', () => {
  it.each<[AccessMethod, number | null, number | null]>([
    ['one-touch', 2, null],
    ['access-code', 4, 5],
    ['auto-relock', 8, null],
    ['thumbturn', 9, 10],
    ['platform', 6, 7],
    ['own-command', 6, 7],
    ['virtual-key', null, null],
    ['unlock-button', null, null],
    ['lock-button', null, null],
    ['schedule', null, null],
    ['platform-key', null, null],
    ['unavailable', null, null],
    ['other', null, null],
  ])('by %s is %s when locked and %s when unlocked', (method, secured, unsecured) => {
    expect(lastActionOf(method, 'secured')).toBe(secured);
    expect(lastActionOf(method, 'unsecured')).toBe(unsecured);
  });
});

describe('the later one of a command and a report', () => {
  const fresh = unknownLock(lockId('a'), named('A'));
  const after = (...events: readonly LockEvent[]): Lock => events.reduce(advanceLock, fresh);
  const command: LockEvent = {
    type: 'command-completed',
    target: 'secured',
    provenSince: 50,
    at: 60,
    next: null,
  };
  const turned = (at: number): LockEvent => ({
    type: 'reported',
    source: 'event',
    at,
    bolt: 'unsecured',
    accessor: { method: 'thumbturn', id: null, name: null },
  });

  it.each<[string, Lock, number | null]>([
    ['neither', after(), null],
    ['a command alone', after(command), 6],
    ['a hand before the command', after(turned(40), command), 6],
    ['a hand after the command', after(command, turned(70)), 10],
    ['a hand after the command, heard before its end', after(turned(70), command), 10],
    ['a report without a way', after({ type: 'reported', source: 'event', at: 5, bolt: 'secured' }), null],
  ])('is shown: %s', (_what, lock, action) => {
    expect(knownMoveIn(lock)?.action ?? null).toBe(action);
  });
});
