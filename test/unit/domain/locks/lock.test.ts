// Whether a bolt was found elsewhere, and whether two states of a lock look the same.
import { describe, expect, it } from 'vitest';
import type { LockEvent, Reported } from '../../../../src/domain/locks/event.ts';
import {
  foundMoved,
  isOnlyFresher,
  type Lock,
  lockId,
  sameDescription,
  unknownLock,
} from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { named } from '../../../support/named-lock.ts';

const fresh = unknownLock(lockId('a'), named('A'));
const after = (...events: readonly LockEvent[]): Lock => events.reduce(advanceLock, fresh);
const read = (at: number, bolt: NonNullable<Reported['bolt']>): LockEvent => ({
  type: 'reported',
  source: 'poll',
  at,
  bolt,
  connected: true,
});
const sent: LockEvent = { type: 'command-sent', target: 'unsecured', at: 150_000 };

describe('a bolt', () => {
  it('is found moved where it rests at another position than before', () => {
    const locked = after(read(100_000, 'secured'));
    expect(foundMoved(locked, advanceLock(locked, read(200_000, 'unsecured')))).toBe('unsecured');
    expect(foundMoved(locked, advanceLock(locked, read(200_000, 'secured')))).toBeNull();
    expect(foundMoved(fresh, locked)).toBeNull();
    expect(foundMoved(locked, fresh)).toBeNull();
  });

  it('is not found moved when a command of ours explains the position', () => {
    const locked = after(read(100_000, 'secured'), sent);
    expect(foundMoved(locked, advanceLock(locked, read(200_000, 'unsecured')))).toBeNull();
  });
});

describe('a bolt after a command of ours to its position', () => {
  const locked = after(read(100_000, 'secured'), sent);
  const found = (target: 'secured' | 'unsecured', until: number | null) =>
    foundMoved(locked, {
      ...advanceLock(locked, read(200_000, 'unsecured')),
      inFlight: { target, before: 'secured', from: 90_000, until },
    });

  it.each<[string, number | null, 'unsecured' | null]>([
    ['is still under way', null, null],
    ['ended after the bolt was seen elsewhere', 100_001, null],
    ['had ended when the bolt was seen elsewhere', 100_000, 'unsecured'],
    ['had ended long before', 95_000, 'unsecured'],
  ])('is found moved, or not, when the command %s', (_, until, expected) => {
    expect(found('unsecured', until)).toBe(expected);
  });

  it('is found moved after a command to the other position', () => {
    expect(found('secured', null)).toBe('unsecured');
  });
});

describe('a lock that is read again', () => {
  it('looks different where only its last position or a jam differs', () => {
    const locked = after(read(100_000, 'secured'));
    const { rest } = locked.belief;
    const believing = (change: Partial<Lock['belief']>): Lock => ({
      ...locked,
      belief: { ...locked.belief, ...change },
    });
    expect(isOnlyFresher(locked, believing({ rest: rest && { ...rest, bolt: 'unsecured' } }))).toBe(false);
    expect(isOnlyFresher(locked, believing({ rest: null }))).toBe(false);
    expect(isOnlyFresher(believing({ rest: null }), locked)).toBe(false);
    expect(isOnlyFresher(locked, believing({ latest: null }))).toBe(false);
    expect(
      isOnlyFresher(believing({ latest: null, rest: null }), believing({ latest: null, rest: null })),
    ).toBe(true);
    expect(isOnlyFresher(locked, believing({ jam: locked.belief.latest }))).toBe(false);
  });

  it('looks the same where only its freshness differs, and otherwise not', () => {
    const locked = after(read(100_000, 'secured'));
    expect(isOnlyFresher(locked, advanceLock(locked, read(200_000, 'secured')))).toBe(true);
    for (const bolt of ['unsecured', 'jammed', 'unknown'] as const) {
      expect(isOnlyFresher(locked, advanceLock(locked, read(200_000, bolt)))).toBe(false);
    }
    expect(isOnlyFresher(fresh, locked)).toBe(false);
    expect(isOnlyFresher(locked, fresh)).toBe(false);
    const seen = { ...locked, batteryAt: 7, wifiDbm: -60, presenceAt: 8 };
    expect(isOnlyFresher(locked, seen)).toBe(true);
  });
});

it('two descriptions differ by any member', () => {
  const described = named('A');
  expect(sameDescription(described, { ...described })).toBe(true);
  for (const change of [{ name: 'B' }, { model: 'M' }, { firmware: '2.0' }]) {
    expect(sameDescription(described, { ...described, ...change })).toBe(false);
  }
});

it('a lock without any report has no battery that could be low', () => {
  expect(fresh.battery).toEqual({ grade: 'unknown', percent: null });
});
