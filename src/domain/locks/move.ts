// A move of the bolt with its author, and the commands of ours that may be behind it.
import type { Instant } from '../time/instant.ts';
import { SAME_WITHIN_MS } from '../time/time.ts';
import type { Accessor } from './access.ts';
import type { BoltPosition, BoltState } from './bolt.ts';

export interface LastMove {
  readonly to: BoltPosition;
  readonly by: Accessor;
  readonly at: Instant;
  /** A listing found the move, and the history was read for it; absent where an event reported it. */
  readonly readLater?: true;
  /** It counted as a command of ours by the result alone, and the service names another since: nothing new has happened. */
  readonly isCorrected?: true;
  /** The history of whoever it was is erased: nobody is named, and nothing new has happened. */
  readonly isErased?: true;
}

/** A command of ours, and when it may have moved the bolt. */
export interface RecentCommand {
  readonly target: BoltPosition;
  readonly before: BoltState;
  readonly from: Instant;
  /** When the bolt was last known to be elsewhere; the time of sending where it was unknown. */
  readonly since: Instant;
  /** The last move that was known when it was sent, which may be dated later, as the service's clock is known inexactly. */
  readonly lastMoveAt: Instant | null;
  /** When its travel ended; null while it lasts. */
  readonly until: Instant | null;
  /** Its move is among the moves of the lock. */
  readonly hasMoved: boolean;
  /** The service itself reported that move as ours. */
  readonly isReported: boolean;
}

export interface Moves {
  /** In the order in which they were learned; those before `LastMove` may have been learned after it. */
  readonly moves: readonly LastMove[];
  readonly commands: readonly RecentCommand[];
}

export const NO_MOVES: Moves = { moves: [], commands: [] };

/** A move is recognised by its author's object, which stays when a clock is set back. */
export function hasLearnedMove(before: Moves, after: Moves): boolean {
  return before !== after && after.moves.some(({ by }) => !before.moves.some((known) => known.by === by));
}

/** When it was sent, by the moves of the lock: after each that was known then. */
export function begunAt({ from, lastMoveAt }: RecentCommand): Instant {
  return lastMoveAt === null ? from : Math.max(from, lastMoveAt + 1);
}

/** Whether somebody turned the bolt back after that command and before then. */
function isTurnedBack(moves: readonly LastMove[], command: RecentCommand, at: Instant): boolean {
  return moves.some((move) => move.to !== command.target && move.at > begunAt(command) && move.at < at);
}

/** The move that counts as made by a command, and at what other instants the service may date it, under another name. */
export interface OwnMove {
  readonly command: RecentCommand;
  readonly move: LastMove;
  readonly after: Instant;
  readonly until: Instant;
}

/** The move of ours, known by its command's result alone, that a report of a move to this position at that time is about. */
export function ownMoveAt(recent: Moves, to: BoltPosition, at: Instant): OwnMove | undefined {
  return ownMovesByResult(recent).findLast(
    ({ command, after, until }) =>
      command.target === to && at > after && at <= until && !isTurnedBack(recent.moves, command, at),
  );
}

/** Moves that only the result of their command shows, and that no other author was named for. */
export function unreportedOwnMoves(recent: Moves): readonly OwnMove[] {
  return ownMovesByResult(recent).filter(({ move }) => move.isCorrected !== true);
}

function ownMovesByResult({ moves, commands }: Moves): readonly OwnMove[] {
  return commands.flatMap((command) => ownMoveOf(moves, command));
}

function ownMoveOf(moves: readonly LastMove[], command: RecentCommand): OwnMove | [] {
  const { target, since, until, hasMoved, isReported } = command;
  const at = begunAt(command);
  const move = moves.findLast(
    (one) => one.to === target && one.at === at && (one.by.method === 'own-command' || one.isCorrected),
  );
  return hasMoved && !isReported && move !== undefined
    ? { command, move, after: since, until: (until ?? Number.POSITIVE_INFINITY) + SAME_WITHIN_MS }
    : [];
}

/** Which command of ours made a move to this position at that time; undefined: none of them. */
export function commandBehind(
  { moves, commands }: Moves,
  to: BoltPosition,
  at: Instant,
): RecentCommand | undefined {
  const command = commands.findLast(
    ({ target, before, from, until }) =>
      target === to && before !== to && at >= from && (until === null || at <= until + SAME_WITHIN_MS),
  );
  // Who turned it back in between did so after our command: another turn to the target is another move.
  return command === undefined || isTurnedBack(moves, command, at) ? undefined : command;
}

/** The same, dated by a clock that was set back. */
export function movesDated({ moves, commands }: Moves, dated: (at: Instant) => Instant): Moves {
  return {
    moves: moves.map((move) => ({ ...move, at: dated(move.at) })),
    commands: commands.map((command) => ({
      ...command,
      from: dated(command.from),
      since: dated(command.since),
      lastMoveAt: command.lastMoveAt === null ? null : dated(command.lastMoveAt),
      until: command.until === null ? null : dated(command.until),
    })),
  };
}
