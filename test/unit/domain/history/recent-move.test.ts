// Which moves of a bolt are news: those that have just happened by the service's own time.
import { describe, expect, it } from 'vitest';
import type { LockEvent, Reported } from '../../../../src/domain/locks/event.ts';
import { type Lock, lockId, recentMove, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { LATE_AFTER_MS } from '../../../../src/domain/time/time.ts';
import { named } from '../../../support/named-lock.ts';

/** The service's clock. */
const NOW = 50_000_000;

const fresh = unknownLock(lockId('a'), named('A'));

function read(at: number, more: Partial<Reported> = {}): LockEvent {
  return { type: 'reported', source: 'poll', at, bolt: 'secured', connected: true, ...more };
}

function turned(at: number): LockEvent {
  const accessor = { method: 'thumbturn', id: null, name: null } as const;
  return { type: 'reported', source: 'event', at, bolt: 'unsecured', accessor };
}

/** When the move that each event makes news happened, or null. `now`: the service's time. */
function heard(now: number | null, ...events: readonly LockEvent[]): readonly (number | null)[] {
  let lock: Lock = fresh;
  return events.map((event) => {
    const previous = lock;
    lock = advanceLock(previous, event);
    return recentMove(previous, lock, now)?.at ?? null;
  });
}

describe('a move', () => {
  it('that is reported at once is recent, and once, however often it is reported', () => {
    const again = [turned(NOW + 500), turned(NOW + 500), read(NOW + 900, { bolt: 'unsecured' })];
    expect(heard(NOW, read(NOW), ...again)).toEqual([null, NOW + 500, null, null]);
  });

  it('is news although a reading has found it before its report came', () => {
    const found = read(NOW + 30_000, { bolt: 'unsecured' });
    expect(heard(NOW, read(NOW), found, turned(NOW + 20_000))).toEqual([null, null, NOW + 20_000]);
  });

  it.each([
    [LATE_AFTER_MS, NOW - LATE_AFTER_MS],
    [LATE_AFTER_MS + 1, null],
  ])('that is reported %i ms late is news at %s', (lateMs, at) => {
    expect(heard(NOW, read(NOW), turned(NOW - lateMs)).at(-1)).toBe(at);
  });

  it('is no news while the service’s time is unknown', () => {
    expect(heard(null, turned(NOW), turned(NOW + 1))).toEqual([null, null]);
  });

  it('of an outage is no news when the service repeats it', () => {
    const later = NOW + 3 * 3_600_000;
    const repeated = [read(NOW), turned(NOW + 1_000), turned(NOW + 2_000), turned(later)];
    expect(heard(later, ...repeated)).toEqual([null, null, null, later]);
  });
});
