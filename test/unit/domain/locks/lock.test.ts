// Whether a bolt was found elsewhere, and whether two states of a lock look the same.
import { describe, expect, it } from 'vitest';
import type { LockEvent } from '../../../../src/domain/locks/event.ts';
import { foundMoved, isOnlyFresher, type Lock, sameMembers } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import {
  after,
  aged,
  BY_HAND,
  completed,
  FRESH_LOCK,
  missed,
  poll,
  requested,
  sent,
} from '../../../support/lock-events.ts';
import { named } from '../../../support/named-lock.ts';

const commandSent = sent('unsecured', 150_000);
const locked = after(poll('secured', 100_000));
const opened = after(poll('secured', 100_000), poll('unsecured', 200_000));
const commanded = (target: 'secured' | 'unsecured', until: number | null): Lock => ({
  ...opened,
  inFlight: { target, before: 'secured', from: 90_000, until },
});

it.each<[string, Lock, Lock, 'unsecured' | null]>([
  ['where it rests at another position than before', locked, opened, 'unsecured'],
  ['or not where it rests as before', locked, advanceLock(locked, poll('secured', 200_000)), null],
  ['or not where no position was known before', FRESH_LOCK, locked, null],
  ['or not where none is known now', locked, FRESH_LOCK, null],
  [
    'or not where a command of ours explains the position',
    locked,
    after(poll('secured', 100_000), commandSent, poll('unsecured', 200_000)),
    null,
  ],
  ['or not while such a command is under way', locked, commanded('unsecured', null), null],
  ['or not where it ended after the last sight', locked, commanded('unsecured', 100_001), null],
  ['where it had ended at the last sight', locked, commanded('unsecured', 100_000), 'unsecured'],
  ['where it had ended long before', locked, commanded('unsecured', 95_000), 'unsecured'],
  ['after a command to the other position', locked, commanded('secured', null), 'unsecured'],
])('a bolt is found moved %s', (_, before, now, moved) => {
  expect(foundMoved(before, now)).toBe(moved);
});

describe('a lock that is read again', () => {
  const believing = (change: Partial<Lock['belief']>): Lock => ({
    ...locked,
    belief: { ...locked.belief, ...change },
  });
  const { rest } = locked.belief;
  const unbelieved = believing({ latest: null, rest: null });
  const again = advanceLock(locked, poll('secured', 200_000));
  const asked = advanceLock(locked, requested('unsecured'));

  it.each<[string, Lock, Lock]>([
    ['it was confirmed', locked, again],
    ['its signal and a date have changed', locked, { ...locked, batteryAt: 7, wifiDbm: -60 }],
    ['nothing was and is believed', unbelieved, believing({ latest: null, rest: null })],
    ['the command was sent that was requested before', asked, advanceLock(asked, commandSent)],
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
    ['it was not known before', FRESH_LOCK, locked],
    ['it is not known now', locked, FRESH_LOCK],
  ])('looks different where %s', (_, before, now) => {
    expect(isOnlyFresher(before, now)).toBe(false);
  });

  it.each<[string, LockEvent]>([
    ['"unlocked"', poll('unsecured', 200_000)],
    ['a jam', poll('jammed', 200_000)],
    ['an unknown position', poll('unknown', 200_000)],
    ['a word of who moved the bolt', poll('secured', 200_000, { accessor: BY_HAND })],
    ['a lost connection', poll('secured', 200_000, { connected: false })],
    ['another battery', poll('secured', 200_000, { battery: { grade: 'low', percent: 9 } })],
    ['a request', requested('unsecured')],
    ['an absence', missed(200_000)],
    ['old age', aged(200_000)],
    ['a command that proved the same', completed('secured', 200_000, 200_001)],
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
  expect(FRESH_LOCK.battery).toEqual({ grade: 'unknown', percent: null });
});
