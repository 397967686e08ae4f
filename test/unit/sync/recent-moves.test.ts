// Which moves of a bolt are news: those that have just happened by the service's own time.
import { describe, expect, it } from 'vitest';
import { type Lock, lockId, unknownLock } from '../../../src/domain/lock.ts';
import type { LockEvent, Reported } from '../../../src/domain/lock-event.ts';
import { advanceLock } from '../../../src/domain/lock-machine.ts';
import { LATE_AFTER_MS } from '../../../src/domain/time.ts';
import { RecentMoves } from '../../../src/sync/state/recent-moves.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { named } from '../../support/named-lock.ts';

/** The service's clock; ours may say anything else. */
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
  readonly clock = new ManualClock();
  readonly #message = new RecentMoves(this.clock);
  #lock: Lock = fresh;

  constructor() {
    this.#message.between(null, fresh);
  }

  /** When the move that is news happened, or null. */
  hear(event: LockEvent): number | null {
    const previous = this.#lock;
    this.#lock = advanceLock(previous, event);
    return this.#message.between(previous, this.#lock)?.at ?? null;
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
  ])('that is told %i ms late is news: %s', (lateMs, isRecent) => {
    const follower = new Follower();
    follower.hear(read(NOW));
    expect(follower.hear(turned(NOW - lateMs))).toBe(isRecent ? NOW - lateMs : null);
  });

  it('before the first poll is not recent: its age is unknown', () => {
    const follower = new Follower();
    expect(follower.hear(turned(NOW))).toBeNull();
    expect(follower.hear(turned(NOW + 1))).toBeNull();
  });

  it('of an outage is no news when the service repeats it before the next reading', async () => {
    const follower = new Follower();
    follower.hear(read(NOW));
    await follower.clock.advance(3 * 3_600_000);
    expect(follower.hear(turned(NOW + 1_000))).toBeNull();
    expect(follower.hear(turned(NOW + 2_000))).toBeNull();
    expect(follower.hear(turned(NOW + 3 * 3_600_000))).toBe(NOW + 3 * 3_600_000);
  });

  it('of an offline lock is judged by readings of when it was online, not by its last word', () => {
    const follower = new Follower();
    follower.hear(read(NOW, { connected: false, boltAt: NOW - 86_400_000 }));
    expect(follower.hear(turned(NOW - 86_400_000 + 1))).toBeNull();
  });

  it('is judged by the same rule when our wall clock jumps', () => {
    const follower = new Follower();
    follower.hear(read(NOW));
    follower.clock.jumpWallTo(0);
    expect(follower.hear(turned(NOW + 500))).toBe(NOW + 500);
  });
});

it('the state with which an accessory begins is never news, even if it tells of a move', () => {
  const clock = new ManualClock();
  const lock = [read(NOW), turned(NOW + 1)].reduce(advanceLock, fresh);
  expect(new RecentMoves(clock).between(null, lock)).toBeNull();
});
