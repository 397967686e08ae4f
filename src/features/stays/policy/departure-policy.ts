// Whether the guest of a stay seems to have left: by the moves of its doors on its last day.
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';

/** `guest`: with the code of the stay. `outside`: with the button beside the keypad. `inside`: by hand, from within. */
export type MovedBy = 'guest' | 'outside' | 'inside' | 'other';

export interface DoorMove {
  readonly lock: LockId;
  readonly at: Instant;
  /** `unclear`: jammed, or a time of which the history knows nothing. */
  readonly what: 'locked' | 'unlocked' | 'unclear';
  readonly by: MovedBy;
}

export interface LeftDoor {
  readonly lock: LockId;
  /** When it was locked from outside. */
  readonly at: Instant;
}

/** For so long nobody may have come back before a code ends by itself (our choice): bread takes less. */
const QUIET_MINUTES = 60;
const MS_PER_MINUTE = 60_000;

export function isQuietFrom({ at }: LeftDoor): Instant {
  return at + QUIET_MINUTES * MS_PER_MINUTE;
}

/**
 * The door that the guest seems to have left by: the guest used the code that day, and then the door was locked from outside. Null: no
 * move shows it. A door that locks itself, or is locked from within, proves nothing. `own`: the locks that only this home opens; at the
 * door of a house a neighbour may have locked.
 */
export function leftDoor(moves: readonly DoorMove[], own: ReadonlySet<LockId>): LeftDoor | null {
  let isThere = false;
  let left: LeftDoor | null = null;
  for (const { lock, at, what, by } of moves.toSorted(inOrder)) {
    if (what === 'unlocked') {
      isThere = isThereAfter({ isThere, by, isOwn: own.has(lock) });
    }
    if (what === 'locked' && isThere && (by === 'guest' || (by === 'outside' && own.has(lock)))) {
      left = { lock, at };
    } else if (left !== null && isDoubted(left, { lock, what, by })) {
      left = null;
    }
  }
  return left;
}

/** Whoever else came in may also be the one who locks the door from outside. */
function isThereAfter(facts: {
  readonly isThere: boolean;
  readonly by: MovedBy;
  readonly isOwn: boolean;
}): boolean {
  return facts.by === 'guest' || (facts.isThere && (facts.by === 'inside' || !facts.isOwn));
}

function isDoubted(left: LeftDoor, { lock, what, by }: Omit<DoorMove, 'at'>): boolean {
  const isBack = what === 'unlocked' && by === 'guest';
  const isMoved = lock === left.lock && (what !== 'locked' || by === 'inside');
  return isBack || isMoved;
}

/** Of one instant, the more cautious comes last: a door that was also opened then is no evidence. */
function inOrder(a: DoorMove, b: DoorMove): number {
  return a.at - b.at || CAUTION[a.what] - CAUTION[b.what];
}

const CAUTION = { locked: 0, unlocked: 1, unclear: 2 } as const;
