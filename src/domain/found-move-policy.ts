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

/** The latest instant up to which the moves of a lock are known. */
export function movesKnownUntil({ lastMove }: Lock, { since }: FoundMove): Instant {
  return lastMove === null ? since : Math.max(since, lastMove.at + SAME_WITHIN_MS);
}

/** Where the history does not tell of a move to where the bolt is, that move is of unknown cause, at the time it was found. */
export function movesRead(
  found: FoundMove,
  knownUntil: Instant,
  entries: readonly HistoryEntry[],
): readonly MoveRead[] {
  const moves = entries
    .flatMap(({ what, by, at }) =>
      what === 'secured' || what === 'unsecured' ? [moveRead(what, by, at)] : [],
    )
    .filter(({ at }) => at > knownUntil && at <= found.until)
    .toSorted((a, b) => a.at - b.at);
  const last = moves.findLastIndex(({ to }) => to === found.to);
  return last === -1 ? [...moves, moveRead(found.to, UNKNOWN, found.until)] : moves.slice(0, last + 1);
}

function moveRead(to: BoltPosition, by: Accessor, at: Instant): MoveRead {
  return { type: 'move-read', to, by, at };
}
