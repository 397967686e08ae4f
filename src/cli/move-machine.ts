// A move followed to its end, as a pure machine: (what is known, what is heard) to what is known, and to a line for people.
import type { BoltPosition } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import { type RefusalReason, refusalHandling, refusalWords } from '../domain/refusal.ts';
import type { MoveView } from '../panel/lock-operations.ts';
import type { LockView } from '../panel/lock-view.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { REQUEST_REFUSALS, VERBS } from './lock-words.ts';

/** How a move ended for the person who asked for it. */
export interface MoveEnd {
  readonly kind: 'moved' | 'already' | 'refused' | 'failed' | 'superseded' | 'uncertain';
  /** The end in a sentence's second half: "unlocked", "not unlocked: the bolt is jammed". */
  readonly words: string;
  readonly status: ExitStatus;
}

export interface Move {
  readonly target: BoltPosition;
  /** `dropped`: nothing is wished any more, and nobody has said yet how the command ended. */
  readonly phase: 'asked' | 'in-progress' | 'waiting' | 'dropped' | 'ended';
  /** The lock as it was seen last since the wish was answered; null when it was not. */
  readonly lock: LockView | null;
  readonly end: MoveEnd | null;
  /** What a person should hear of now; null when this step is no news. */
  readonly line: string | null;
}

/** Refusals that end otherwise than as "it could not be done". */
const REFUSAL_STATUSES: Readonly<Record<string, ExitStatus>> = {
  'not-linked': EXIT_STATUS.linkNeeded,
  'too-late': EXIT_STATUS.tryLater,
};

export function asked(target: BoltPosition): Move {
  return { target, phase: 'asked', lock: null, end: null, line: null };
}

/** No answer yet: a bolt that is where it is wished would have had one at once, and nobody is asked for that. */
export function asking(move: Move): Move {
  return move.phase === 'asked'
    ? { ...move, line: `asking the service to ${VERBS[move.target]} it` }
    : quiet(move);
}

/** The answer to the wish itself. */
export function answered(move: Move, answer: MoveView): Move {
  if (move.phase === 'ended') {
    // The end may have been told before the answer.
    return quiet(move);
  }
  switch (answer.kind) {
    case 'accepted':
      return onItsWay(move, 'in-progress', 'accepted; waiting for the bolt');
    case 'uncertain':
      return onItsWay(move, 'in-progress', 'the answer was lost; looking at the lock');
    case 'joined':
      return onItsWay(move, 'in-progress', 'a command for it is under way already; waiting for the bolt');
    case 'already':
      return ended(move, 'already', `already ${past(move.target)}`, EXIT_STATUS.ok);
    case 'superseded':
      return superseded(move);
    case 'refused':
      return ended(
        move,
        'refused',
        notDone(move.target, REQUEST_REFUSALS[answer.reason]),
        REFUSAL_STATUSES[answer.reason] ?? EXIT_STATUS.failed,
      );
    case 'failed':
      return failed(move, answer.disposition, answer.message);
  }
}

/** Something that happened at this lock. */
export function heard(move: Move, event: PanelEvent): Move {
  if (move.phase === 'ended') {
    return quiet(move);
  }
  switch (event.type) {
    case 'lock':
      return seen(move, event.lock);
    case 'command-ended':
      return event.target === move.target ? settled(move, event.outcome) : quiet(move);
    case 'lock-removed':
      return ended(
        move,
        'failed',
        notDone(move.target, REQUEST_REFUSALS['lock-missing']),
        EXIT_STATUS.failed,
      );
    case 'link':
    case 'alert':
    case 'activity':
    case 'lock-settings':
    case 'webhooks':
    case 'linking':
    case 'account-change':
      return quiet(move);
  }
}

/** Nothing more was heard for as long as one waits: the lock itself is all there is to go by. */
export function silent(move: Move): Move {
  if (move.phase === 'ended') {
    return quiet(move);
  }
  return move.lock?.bolt === move.target && move.lock.target === null ? moved(move) : unknown(move);
}

/** Another process owns the account now; how the lock is there. The wish itself is never repeated. */
export function resumed(move: Move, lock: LockView | undefined): Move {
  if (move.phase === 'ended' || lock === undefined) {
    return quiet(move);
  }
  const line = 'the account changed hands; following the command there';
  return { ...seen({ ...move, phase: 'in-progress' }, lock), line };
}

function seen(before: Move, lock: LockView): Move {
  if (before.phase === 'asked') {
    // What is wished there may be older than our wish.
    return quiet(before);
  }
  const move: Move = { ...before, lock, line: null };
  if (lock.target === null) {
    return { ...move, phase: 'dropped' };
  }
  return lock.target === move.target ? move : superseded(move);
}

function settled(move: Move, outcome: CommandOutcome): Move {
  switch (outcome.kind) {
    case 'moved':
      return moved(move);
    case 'refused':
      return refused(move, outcome.reason);
    case 'unsent':
      return move.phase === 'asked'
        ? quiet(move)
        : ended(move, 'failed', notDone(move.target, 'it was not sent'), EXIT_STATUS.tryLater);
    case 'uncertain':
    case 'overdue':
      return unknown(move);
  }
}

function refused(move: Move, reason: RefusalReason): Move {
  return refusalHandling(reason) === 'busy'
    ? { ...move, phase: 'waiting', line: 'the lock is busy with another command; waiting for its turn' }
    : ended(move, 'refused', notDone(move.target, refusalWords(reason)), EXIT_STATUS.failed);
}

const STATUS_OF: Readonly<Record<string, ExitStatus>> = {
  relink: EXIT_STATUS.linkNeeded,
  retry: EXIT_STATUS.tryLater,
  wait: EXIT_STATUS.tryLater,
  uncertain: EXIT_STATUS.uncertain,
};

function failed(move: Move, disposition: string, message: string): Move {
  const status = STATUS_OF[disposition] ?? EXIT_STATUS.failed;
  return ended(move, 'failed', notDone(move.target, message.replace(/\.$/u, '')), status);
}

function moved(move: Move): Move {
  return ended(move, 'moved', past(move.target), EXIT_STATUS.ok);
}

function superseded(move: Move): Move {
  return ended(move, 'superseded', notDone(move.target, 'a later wish took its place'), EXIT_STATUS.failed);
}

function unknown(move: Move): Move {
  const words = `nobody knows whether it was ${past(move.target)}; look at the door`;
  return ended(move, 'uncertain', words, EXIT_STATUS.uncertain);
}

function ended(move: Move, kind: MoveEnd['kind'], words: string, status: ExitStatus): Move {
  return { ...move, phase: 'ended', end: { kind, words, status }, line: null };
}

function onItsWay(move: Move, phase: 'in-progress' | 'waiting', line: string): Move {
  // A successor of the owner may have been asked before the answer came.
  return move.phase === 'asked' ? { ...move, phase, line } : quiet(move);
}

function quiet(move: Move): Move {
  return move.line === null ? move : { ...move, line: null };
}

function past(target: BoltPosition): string {
  return target === 'secured' ? 'locked' : 'unlocked';
}

function notDone(target: BoltPosition, why: string): string {
  return `not ${past(target)}: ${why}`;
}
