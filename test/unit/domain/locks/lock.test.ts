// Whether a bolt was found elsewhere, and whether two states of a lock look the same.
import { describe, expect, it } from 'vitest';
import type { LockEvent, Reported } from '../../../../src/domain/locks/event.ts';
import {
  foundMoved,
  isOnlyFresher,
  type Lock,
  lockId,
  sameMembers,
  unknownLock,
} from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { named } from '../../../support/named-lock.ts';

const fresh = unknownLock(lockId('a'), named('A'));
const after = (...events: readonly LockEvent[]): Lock => events.reduce(advanceLock, fresh);
const read = (at: number, bolt: NonNullable<Reported['bolt']>, more: Partial<Reported> = {}): LockEvent => ({
  type: 'reported',
  source: 'poll',
  at,
  bolt,
  connected: true,
  ...more,
});
const sent: LockEvent = { type: 'command-sent', target: 'unsecured', at: 150_000 };
const locked = after(read(100_000, 'secured'));
const opened = after(read(100_000, 'secured'), read(200_000, 'unsecured'));
const commanded = (target: 'secured' | 'unsecured', until: number | null): Lock => ({
  ...opened,
  inFlight: { target, before: 'secured', from: 90_000, until },
});

describe('a bolt', () => {
  it.each<[string, Lock, Lock, 'unsecured' | null]>([
    ['where it rests at another position than before', locked, opened, 'unsecured'],
    ['or not where it rests as before', locked, advanceLock(locked, read(200_000, 'secured')), null],
    ['or not where no position was known before', fresh, locked, null],
    ['or not where none is known now', locked, fresh, null],
    [
      'or not where a command of ours explains the position',
      locked,
      after(read(100_000, 'secured'), sent, read(200_000, 'unsecured')),
      null,
    ],
    ['or not while such a command is under way', locked, commanded('unsecured', null), null],
    ['or not where it ended after the last sight', locked, commanded('unsecured', 100_001), null],
    ['where it had ended at the last sight', locked, commanded('unsecured', 100_000), 'unsecured'],
    ['where it had ended long before', locked, commanded('unsecured', 95_000), 'unsecured'],
    ['after a command to the other position', locked, commanded('secured', null), 'unsecured'],
  ])('is found moved %s', (_, before, now, moved) => {
    expect(foundMoved(before, now)).toBe(moved);
  });
});

describe('a lock that is read again', () => {
  const believing = (change: Partial<Lock['belief']>): Lock => ({
    ...locked,
    belief: { ...locked.belief, ...change },
  });
  const { rest } = locked.belief;
  const unbelieved = believing({ latest: null, rest: null });
  const again = advanceLock(locked, read(200_000, 'secured'));
  const requested = advanceLock(locked, { type: 'requested', target: 'unsecured' });
  const accessor = { method: 'thumbturn', id: null, name: null } as const;

  it.each<[string, Lock, Lock]>([
    ['it was confirmed', locked, again],
    ['its signal and a date have changed', locked, { ...locked, batteryAt: 7, wifiDbm: -60 }],
    ['nothing was and is believed', unbelieved, believing({ latest: null, rest: null })],
    ['the command was sent that was requested before', requested, advanceLock(requested, sent)],
  ])('looks the same where %s', (_, before, now) => {
    expect(now).not.toBe(before);
    expect(isOnlyFresher(before, now)).toBe(true);
  });

  it.each<[string, Lock, Lock]>([
    ['only its last position differs', locked, believing({ rest: rest && { ...rest, bolt: 'unsecured' } })],
    ['its last position was forgotten', locked, believing({ rest: null })],
    ['its last position was not known', believing({ rest: null }), locked],
    ['its latest claim was forgotten', locked, believing({ latest: null })],
    ['only a jam differs', locked, believing({ jam: locked.belief.latest })],
    ['it was not known before', fresh, locked],
    ['it is not known now', locked, fresh],
  ])('looks different where %s', (_, before, now) => {
    expect(isOnlyFresher(before, now)).toBe(false);
  });

  it.each<[string, LockEvent]>([
    ['"unlocked"', read(200_000, 'unsecured')],
    ['a jam', read(200_000, 'jammed')],
    ['an unknown position', read(200_000, 'unknown')],
    ['a word of who moved the bolt', read(200_000, 'secured', { accessor })],
    ['a lost connection', read(200_000, 'secured', { connected: false })],
    ['another battery', read(200_000, 'secured', { battery: { grade: 'low', percent: 9 } })],
    ['a request', { type: 'requested', target: 'unsecured' }],
    ['an absence', { type: 'missed', at: 200_000 }],
    ['old age', { type: 'aged', staleBefore: 200_000 }],
    [
      'a command that proved the same',
      { type: 'command-completed', target: 'secured', provenSince: 200_000, at: 200_001, next: null },
    ],
  ])('looks different after %s', (_, event) => {
    expect(isOnlyFresher(locked, advanceLock(locked, event))).toBe(false);
  });
});

it('two descriptions differ by any member', () => {
  const described = named('A');
  expect(sameMembers(described, { ...described })).toBe(true);
  for (const change of [{ name: 'B' }, { model: 'M' }, { firmware: '2.0' }]) {
    expect(sameMembers(described, { ...described, ...change })).toBe(false);
  }
});

it('a lock without any report has no battery that could be low', () => {
  expect(fresh.battery).toEqual({ grade: 'unknown', percent: null });
});
