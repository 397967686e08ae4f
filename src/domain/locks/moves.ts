// Adds moves to a lock, each once and with one author: by a command of ours, by a reported event, or as read in the history.
import type { Instant } from '../time/instant.ts';
import { isRecent } from '../time/time.ts';
import type { Accessor } from './access.ts';
import type { BoltPosition } from './bolt.ts';
import type { LockEvent } from './event.ts';
import type { InFlightCommand } from './evidence-policy.ts';
import type { Lock } from './lock.ts';
import { begunAt, commandBehind, type LastMove, ownMoveAt, type RecentCommand } from './move.ts';

/** Moves and commands that are remembered (our choice): a late report of an earlier one is not taken for another. */
const MOST = 8;

/** Remembers the command that an event begins or ends. Its success is its move. */
export function withCommand(before: Lock, after: Lock, event: LockEvent): Lock {
  const followed = after.inFlight === before.inFlight ? after : withFollowed(after, after.inFlight);
  return event.type === 'command-completed'
    ? movedByCommand(followed, event.target, event.provenSince)
    : followed;
}

function withFollowed(lock: Lock, inFlight: InFlightCommand | null): Lock {
  if (inFlight === null) {
    return lock;
  }
  const { target, before, from, until } = inFlight;
  const { rest, confirmedAt } = lock.belief;
  // A hand may have moved the bolt before the command: at the earliest when it was last seen elsewhere.
  const since = rest?.bolt === before ? Math.min(from, Math.max(rest.at, confirmedAt ?? rest.at)) : from;
  const known = lock.recent.commands.find((command) => command.from === from && command.target === target);
  return withRecentCommand(
    lock,
    known === undefined
      ? {
          target,
          before,
          from,
          since,
          until,
          lastMoveAt: lock.lastMove?.at ?? null,
          hasMoved: false,
          isReported: false,
        }
      : { ...known, until },
  );
}

/**
 * A command of ours has moved the bolt, unless somebody else is known to have done so, or it was there. `at`: when that was
 * proven; null: it was the latest command to that position.
 */
export function movedByCommand(lock: Lock, target: BoltPosition, at: Instant | null): Lock {
  const { commands, moves } = lock.recent;
  const command = commands.findLast(
    (recent) => recent.target === target && recent.from <= (at ?? recent.from),
  );
  // Dated when it was sent, before whatever a hand did after it.
  const from = command === undefined ? at : begunAt(command);
  if (from === null) {
    return lock;
  }
  const isKnown = command?.hasMoved === true || moves.some((move) => move.to === target && move.at >= from);
  return isKnown || command?.before === target
    ? lock
    : withOwnMove(
        lock,
        { to: target, by: { method: 'own-command', id: null, name: null }, at: from },
        command === undefined ? undefined : { ...command, hasMoved: true },
      );
}

function withRecentCommand(lock: Lock, command: RecentCommand): Lock {
  const others = lock.recent.commands.filter(
    ({ from, target }) => from !== command.from || target !== command.target,
  );
  const isKnown = others.length < lock.recent.commands.length;
  const commands = isKnown
    ? lock.recent.commands.map((known) => (others.includes(known) ? known : command))
    : [...others, command].slice(-MOST);
  return { ...lock, recent: { ...lock.recent, commands } };
}

/** A reported or read move. One by a command of ours counts once, whoever tells of it first; an older one of others belongs to the history. */
export function withMove(lock: Lock, move: LastMove): Lock {
  if (move.by.method === 'own-command') {
    const command = commandBehind(lock.recent, move.to, move.at);
    if (command !== undefined) {
      const reported = { ...command, hasMoved: true, isReported: true };
      return command.hasMoved ? withRecentCommand(lock, reported) : withOwnMove(lock, move, reported);
    }
  }
  if (ownMoveAt(lock.recent, move.to, move.at) !== undefined) {
    return withAuthor(lock, move);
  }
  return lock.lastMove !== null && lock.lastMove.at >= move.at ? lock : withLearned(lock, move);
}

/** `moved`: the command, whose move it is. */
function withOwnMove(lock: Lock, move: LastMove, moved: RecentCommand | undefined): Lock {
  return withLearned(moved === undefined ? lock : withRecentCommand(lock, moved), move);
}

/**
 * The service names another for a move that counts as ours by the result of a command: a hand was faster, and the command found the
 * bolt there. Its author is corrected, once; whom the service does not know corrects nothing.
 */
export function withAuthor(lock: Lock, { to, by, at }: LastMove): Lock {
  const own = ownMoveAt(lock.recent, to, at)?.move;
  if (own === undefined || own.isCorrected === true || !namesSomebody(by)) {
    return lock;
  }
  const corrected: LastMove = { ...own, by: { ...by }, isCorrected: true };
  const moves = lock.recent.moves.map((move) => (move === own ? corrected : move));
  return {
    ...lock,
    lastMove: lock.lastMove?.by === own.by ? corrected : lock.lastMove,
    recent: { ...lock.recent, moves },
  };
}

/** Whether it says how the bolt was moved, and not by a command of ours. */
export function namesSomebody({ method }: Accessor): boolean {
  return method !== 'own-command' && method !== 'other' && method !== 'unavailable';
}

/** An erased move counts as corrected, as nothing but its author has changed. */
export function withoutErasedNames(lock: Lock, isErased: (move: LastMove) => boolean): Lock {
  const authors = new Map<Accessor, Accessor>();
  const named = [...lock.recent.moves, ...(lock.lastMove === null ? [] : [lock.lastMove])];
  for (const move of named.filter(({ by }) => by.name !== null)) {
    if (isErased(move)) {
      authors.set(move.by, { method: move.by.method, id: move.by.id, name: null });
    }
  }
  const without = (move: LastMove): LastMove => {
    const by = authors.get(move.by);
    return by === undefined ? move : { ...move, by, isCorrected: true, isErased: true };
  };
  const { lastMove, recent } = lock;
  return authors.size === 0
    ? lock
    : {
        ...lock,
        lastMove: lastMove === null ? null : without(lastMove),
        recent: { ...recent, moves: recent.moves.map(without) },
      };
}

function withLearned(lock: Lock, move: LastMove): Lock {
  // A copy of the author, because two moves may have the same one.
  const learned: LastMove = { ...move, by: { ...move.by } };
  const isLast = lock.lastMove === null || lock.lastMove.at < learned.at;
  return {
    ...lock,
    lastMove: isLast ? learned : lock.lastMove,
    recent: { ...lock.recent, moves: [...lock.recent.moves, learned].slice(-MOST) },
  };
}

/**
 * The moves that were learned between two states of a lock, without those that are reported late: after an outage the service
 * repeats old events. One that a listing found is always new: the bolt was found elsewhere just now.
 */
export function newMoves(before: Lock, after: Lock, now: Instant | null): readonly LastMove[] {
  const isKnown = (move: LastMove): boolean => before.recent.moves.some(({ by }) => by === move.by);
  return after.recent.moves.filter(
    (move) =>
      move.isCorrected !== true && (move.readLater === true || isRecent(move.at, now)) && !isKnown(move),
  );
}
