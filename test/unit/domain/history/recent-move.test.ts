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

class Follower {
  #lock: Lock = fresh;

  /** When the move that is news happened, or null. `now`: the service's time. */
  hear(event: LockEvent, now: number | null = NOW): number | null {
    const previous = this.#lock;
    this.#lock = advanceLock(previous, event);
    return recentMove(previous, this.#lock, now)?.at ?? null;
  }
}

describe('a move', () => {
  it('that is reported at once is recent', () => {
    const follower = new Follower();
    expect(follower.hear(read(NOW))).toBeNull();
    expect(follower.hear(turned(NOW + 500))).toBe(NOW + 500);
  });

  it('is recent once, however often it is reported', () => {
    const follower = new Follower();
    follower.hear(read(NOW));
    expect(follower.hear(turned(NOW + 500))).toBe(NOW + 500);
    expect(follower.hear(turned(NOW + 500))).toBeNull();
    expect(follower.hear(read(NOW + 900, { bolt: 'unsecured' }))).toBeNull();
  });

  it('is news although a reading has found it before its report came', () => {
    const follower = new Follower();
    follower.hear(read(NOW));
    follower.hear(read(NOW + 30_000, { bolt: 'unsecured' }));
    expect(follower.hear(turned(NOW + 20_000))).toBe(NOW + 20_000);
  });

  it.each([
    [LATE_AFTER_MS, true],
    [LATE_AFTER_MS + 1, false],
  ])('that is reported %i ms late is news: %s', (lateMs, isRecent) => {
    const follower = new Follower();
    follower.hear(read(NOW));
    expect(follower.hear(turned(NOW - lateMs))).toBe(isRecent ? NOW - lateMs : null);
  });

  it('is no news while the service’s time is unknown', () => {
    const follower = new Follower();
    expect(follower.hear(turned(NOW), null)).toBeNull();
    expect(follower.hear(turned(NOW + 1), null)).toBeNull();
  });

  it('of an outage is no news when the service repeats it', () => {
    const follower = new Follower();
    const later = NOW + 3 * 3_600_000;
    follower.hear(read(NOW));
    expect(follower.hear(turned(NOW + 1_000), later)).toBeNull();
    expect(follower.hear(turned(NOW + 2_000), later)).toBeNull();
    expect(follower.hear(turned(later), later)).toBe(later);
  });
});
