// Finds the history entries of moves that a listing found: all of them in order, the last to the found position.
import type { Accessor } from '../locks/access.ts';
import type { BoltPosition } from '../locks/bolt.ts';
import type { LockEventOf } from '../locks/event.ts';
import type { Lock } from '../locks/lock.ts';
import { commandBehind, type Moves, unreportedOwnMoves } from '../locks/move.ts';
import { namesSomebody } from '../locks/moves.ts';
import type { Instant } from '../time/instant.ts';
import { SAME_WITHIN_MS } from '../time/time.ts';
import type { HistoryEntry } from './history.ts';

/** A move that a listing found and no report explains. */
export interface FoundMove {
  readonly to: BoltPosition;
  /** The bolt was last known to be elsewhere. */
  readonly since: Instant;
  /** When the listing that found it was received. */
  readonly until: Instant;
}

type MoveRead = LockEventOf<'move-read'>;
type AuthorRead = LockEventOf<'author-read'>;

const UNKNOWN: Accessor = { method: 'other', id: null, name: null };

/** An event may have reported the move while the history was read. */
export function isReportedMeanwhile({ lastMove }: Lock, { to, since }: FoundMove): boolean {
  return lastMove !== null && lastMove.to === to && lastMove.at > since;
}

/** The entry of a known move may be dated a little later; an entry to the other position is another move. */
function isKnown({ to, at }: MoveRead, lastMove: Lock['lastMove']): boolean {
  return lastMove !== null && at <= lastMove.at + (to === lastMove.to ? SAME_WITHIN_MS : 0);
}

function isKnownAsOurs({ to, by, at }: MoveRead, recent: Moves): boolean {
  return by.method === 'own-command' && commandBehind(recent, to, at)?.hasMoved === true;
}

/**
 * `entries`: with their authors. One of a command of ours is known once that command has moved the bolt, whatever its date.
 * A found position without an entry in the history is a move of unknown cause, dated when it was found.
 */
export function movesRead(
  found: FoundMove,
  { lastMove, recent }: Pick<Lock, 'lastMove' | 'recent'>,
  entries: readonly HistoryEntry[],
): readonly MoveRead[] {
  const moves = entries
    .flatMap(({ what, by, at }) =>
      what === 'secured' || what === 'unsecured' ? [moveRead(what, by, at)] : [],
    )
    // The service dates its answers in whole seconds, and an entry in milliseconds: the entry may seem to be in the future.
    .filter(
      (move) =>
        move.at > found.since &&
        move.at <= found.until + SAME_WITHIN_MS &&
        !isKnown(move, lastMove) &&
        !isKnownAsOurs(move, recent),
    )
    .toSorted((a, b) => a.at - b.at);
  const last = moves.findLastIndex(({ to }) => to === found.to);
  return last === -1 ? [...moves, moveRead(found.to, UNKNOWN, found.until)] : moves.slice(0, last + 1);
}

/**
 * The authors that the history names for moves that count as ours by the result of a command. A move stays ours if an entry of that
 * time moves the bolt the other way, or names us or nobody.
 */
export function authorsRead(recent: Moves, entries: readonly HistoryEntry[]): readonly AuthorRead[] {
  return unreportedOwnMoves(recent).flatMap(({ command: { target }, after, until }): AuthorRead | [] => {
    const [first, ...more] = entries
      .filter(({ what, at }) => (what === 'secured' || what === 'unsecured') && at > after && at <= until)
      .toSorted((a, b) => a.at - b.at);
    const isTheirs =
      first !== undefined && [first, ...more].every(({ what, by }) => what === target && namesSomebody(by));
    return isTheirs ? { type: 'author-read', to: target, by: first.by, at: first.at } : [];
  });
}

function moveRead(to: BoltPosition, by: Accessor, at: Instant): MoveRead {
  return { type: 'move-read', to, by, at };
}
