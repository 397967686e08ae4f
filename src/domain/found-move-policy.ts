// What a history says of moves that a listing found: all of them in order, the last to where the bolt was found.
import type { Accessor } from './access.ts';
import type { BoltPosition, Instant } from './bolt.ts';
import type { HistoryEntry } from './history.ts';
import type { Lock } from './lock.ts';
import type { MoveRead } from './lock-event.ts';
import { SAME_WITHIN_MS } from './time.ts';

/** A move that a listing found, which nothing explains. */
export interface FoundMove {
  readonly to: BoltPosition;
  /** The bolt was last known to be elsewhere. */
  readonly since: Instant;
  /** When the listing that found it was received. */
  readonly until: Instant;
}

const UNKNOWN: Accessor = { method: 'other', id: null, name: null };

/** An event may have reported the move while the history was read. */
export function isReportedMeanwhile({ lastMove }: Lock, { to, since }: FoundMove): boolean {
  return lastMove !== null && lastMove.to === to && lastMove.at > since;
}

/** A move that is known already may stand in the history a little later; one to the other side is another move. */
function isKnown({ to, at }: MoveRead, lastMove: Lock['lastMove']): boolean {
  return lastMove !== null && at <= lastMove.at + (to === lastMove.to ? SAME_WITHIN_MS : 0);
}

/** Where the history does not tell of a move to where the bolt is, that move is of unknown cause, at the time it was found. */
export function movesRead(
  found: FoundMove,
  lastMove: Lock['lastMove'],
  entries: readonly HistoryEntry[],
): readonly MoveRead[] {
  const moves = entries
    .flatMap(({ what, by, at }) =>
      what === 'secured' || what === 'unsecured' ? [moveRead(what, by, at)] : [],
    )
    // The service dates its answers by the second, and an entry by the millisecond: it may seem to be of the future.
    .filter(
      (move) => move.at > found.since && move.at <= found.until + SAME_WITHIN_MS && !isKnown(move, lastMove),
    )
    .toSorted((a, b) => a.at - b.at);
  const last = moves.findLastIndex(({ to }) => to === found.to);
  return last === -1 ? [...moves, moveRead(found.to, UNKNOWN, found.until)] : moves.slice(0, last + 1);
}

function moveRead(to: BoltPosition, by: Accessor, at: Instant): MoveRead {
  return { type: 'move-read', to, by, at };
}
