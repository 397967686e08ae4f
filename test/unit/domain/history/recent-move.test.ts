// Which moves of a bolt are news: those that have just happened by the service's own time.
import { describe, expect, it } from 'vitest';
import type { LockEvent } from '../../../../src/domain/locks/event.ts';
import type { Lock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { newMoves } from '../../../../src/domain/locks/moves.ts';
import { LATE_AFTER_MS } from '../../../../src/domain/time/time.ts';
import { BY_HAND, FRESH_LOCK, heard, poll } from '../../../support/lock-events.ts';

/** The service's clock. */
const NOW = 50_000_000;

const turned = (at: number): LockEvent => heard('unsecured', at, { accessor: BY_HAND });

/** When the move that each event makes news happened, or null. `now`: the service's time. */
function newsOf(now: number | null, ...events: readonly LockEvent[]): readonly (number | null)[] {
  let lock: Lock = FRESH_LOCK;
  return events.map((event) => {
    const previous = lock;
    lock = advanceLock(previous, event);
    return newMoves(previous, lock, now)[0]?.at ?? null;
  });
}

describe('a move', () => {
  it('that is reported at once is recent, and once, however often it is reported', () => {
    const again = [turned(NOW + 500), turned(NOW + 500), poll('unsecured', NOW + 900)];
    expect(newsOf(NOW, poll('secured', NOW), ...again)).toEqual([null, NOW + 500, null, null]);
  });

  it('is news although a reading has found it before its report came', () => {
    const found = poll('unsecured', NOW + 30_000);
    expect(newsOf(NOW, poll('secured', NOW), found, turned(NOW + 20_000))).toEqual([
      null,
      null,
      NOW + 20_000,
    ]);
  });

  it.each([
    [LATE_AFTER_MS, NOW - LATE_AFTER_MS],
    [LATE_AFTER_MS + 1, null],
  ])('that is reported %i ms late is news at %s', (lateMs, at) => {
    expect(newsOf(NOW, poll('secured', NOW), turned(NOW - lateMs)).at(-1)).toBe(at);
  });

  it('is no news while the service’s time is unknown', () => {
    expect(newsOf(null, turned(NOW), turned(NOW + 1))).toEqual([null, null]);
  });

  it('of an outage is no news when the service repeats it', () => {
    const later = NOW + 3 * 3_600_000;
    const repeated = [poll('secured', NOW), turned(NOW + 1_000), turned(NOW + 2_000), turned(later)];
    expect(newsOf(later, ...repeated)).toEqual([null, null, null, later]);
  });
});
