// Whether a bolt was found elsewhere, and whether two states of a lock look the same.
import { describe, expect, it } from 'vitest';
import { foundMoved, isOnlyFresher, type Lock, lockId, unknownLock } from '../../../src/domain/lock.ts';
import type { LockEvent, Reported } from '../../../src/domain/lock-event.ts';
import { advanceLock } from '../../../src/domain/lock-machine.ts';
import { named } from '../../support/named-lock.ts';

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
  it('is found moved where it rests elsewhere than before', () => {
    const locked = after(read(100_000, 'secured'));
    expect(foundMoved(locked, advanceLock(locked, read(200_000, 'unsecured')))).toBe('unsecured');
    expect(foundMoved(locked, advanceLock(locked, read(200_000, 'secured')))).toBeNull();
    expect(foundMoved(fresh, locked)).toBeNull();
    expect(foundMoved(locked, fresh)).toBeNull();
  });

  it('is not found moved by a command of ours to there', () => {
    const locked = after(read(100_000, 'secured'), sent);
    expect(foundMoved(locked, advanceLock(locked, read(200_000, 'unsecured')))).toBeNull();
  });
});

describe('a lock that is read again', () => {
  it('looks the same where it is only fresher, and otherwise not', () => {
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
