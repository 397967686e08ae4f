// Pure state machine of one move: (state, event) to the next state and a line to print.

import type { CommandOutcome } from '../../domain/commands/command.ts';
import { type RefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type BoltPosition, isBoltPosition } from '../../domain/locks/bolt.ts';
import type { MoveView } from '../../panel/operations/locks.ts';
import type { PanelEvent } from '../../panel/panel-event.ts';
import type { LockView } from '../../panel/views/lock.ts';
import {
  ANSWER_WORDS,
  alreadyWords,
  CHECK_DOOR,
  notDone,
  refusedRequest,
  UNSENT,
  unknownWords,
} from '../../words/commands.ts';
import { BOLT_WORDS } from '../../words/locks.ts';
import { refusalWords } from '../../words/refusals.ts';
import { closed } from '../../words/sentence.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';

/** The end of a move, as printed. */
export interface MoveEnd {
  readonly kind: 'moved' | 'already' | 'refused' | 'failed' | 'superseded' | 'uncertain';
  /** The second half of a sentence: "unlocked", "couldn’t unlock: the bolt is jammed". */
  readonly words: string;
  readonly status: ExitStatus;
}

export interface Move {
  readonly target: BoltPosition;
  /**
   * `dropped`: the request is gone, and the end of the command has not been reported yet. `lost`: no answer says whether it was
   * taken. `doubted`: the command is over, and only a reading says where it left the bolt.
   */
  readonly phase: 'asked' | 'in-progress' | 'waiting' | 'dropped' | 'lost' | 'doubted' | 'ended';
  readonly doubt: RefusalReason | null;
  /** The latest view of the lock since the answer; null before it. */
  readonly lock: LockView | null;
  readonly end: MoveEnd | null;
  /** The line to print now; null when this step changes nothing. */
  readonly line: string | null;
}

/** Refusals with an exit status other than `failed`. */
const REFUSAL_STATUSES: Readonly<Record<string, ExitStatus>> = {
  'not-linked': EXIT_STATUS.linkNeeded,
  'too-late': EXIT_STATUS.tryLater,
};

export function asked(target: BoltPosition): Move {
  return { target, phase: 'asked', doubt: null, lock: null, end: null, line: null };
}

/** No answer yet: a lock already in position answers at once, so the service is being asked. */
export function asking(move: Move): Move {
  return move.phase === 'asked'
    ? {
        ...move,
        line: t(
          move.target === 'secured' ? 'asking the service to lock it' : 'asking the service to unlock it',
        ),
      }
    : quiet(move);
}

export function answered(move: Move, answer: MoveView): Move {
  if (move.phase === 'ended' || move.phase === 'doubted') {
    // The end may be reported before the answer.
    return quiet(move);
  }
  switch (answer.kind) {
    case 'accepted':
      return onItsWay(move, 'in-progress', t('accepted; waiting for the bolt'));
    case 'uncertain':
      return onItsWay(move, 'lost', t('the answer was lost; looking at the lock'));
    case 'joined':
      return onItsWay(move, 'in-progress', t('a command for it is under way already; waiting for the bolt'));
    case 'already':
      return ended(move, 'already', alreadyWords(move.target), EXIT_STATUS.ok);
    case 'superseded':
      return superseded(move);
    case 'refused':
      return ended(
        move,
        'refused',
        refusedRequest(move.target, answer.reason),
        REFUSAL_STATUSES[answer.reason] ?? EXIT_STATUS.failed,
      );
    case 'failed':
      return failed(move, answer.disposition, t(answer.message));
  }
}

export function received(move: Move, event: PanelEvent): Move {
  if (move.phase === 'ended') {
    return quiet(move);
  }
  if (event.type === 'lock') {
    return seen(move, event.lock);
  }
  if (event.type === 'lock-removed') {
    return ended(move, 'failed', refusedRequest(move.target, 'lock-missing'), EXIT_STATUS.failed);
  }
  const isOwnEnd = event.type === 'command-ended' && event.target === move.target;
  return isOwnEnd ? settled(move, event.outcome) : quiet(move);
}

/** No further event came in time: only the state of the lock is left to decide. */
export function silent(move: Move): Move {
  if (move.phase === 'ended') {
    return quiet(move);
  }
  const isThere = move.lock?.bolt === move.target && move.lock.target === null;
  return isThere && move.phase !== 'doubted' ? moved(move) : unknown(move);
}

/** An owner that ends drops its requests; the next one follows this command from the journal. */
export function interrupted(move: Move): Move {
  return move.phase === 'dropped' ? { ...move, phase: 'in-progress', line: null } : quiet(move);
}

/** Another process owns the account now, and this is its view of the lock. The request is never repeated. */
export function resumed(move: Move, lock: LockView | undefined): Move {
  if (move.phase === 'ended' || lock === undefined) {
    return quiet(move);
  }
  const line = t('another process has taken over the account; following the command there');
  const phase = move.phase === 'doubted' || move.phase === 'lost' ? move.phase : 'in-progress';
  return { ...seen({ ...move, phase }, lock), line };
}

function seen(before: Move, lock: LockView): Move {
  if (before.phase === 'asked') {
    // The target there may be older than this request.
    return quiet(before);
  }
  const move: Move = { ...before, lock, line: null };
  if (lock.target === null) {
    return move.phase === 'doubted' ? settledBy(move, lock) : { ...move, phase: 'dropped' };
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
        : ended(move, 'failed', notDone(move.target, t(UNSENT)), EXIT_STATUS.tryLater);
    case 'uncertain':
      return outcome.reason === undefined ? unknown(move) : doubted(move, outcome.reason);
    case 'overdue':
      return unknown(move);
  }
}

/** The service reports that the command is over, but not where the bolt is. */
function doubted(move: Move, reason: RefusalReason): Move {
  const line = t('{reason}; looking at the lock', { reason: refusalWords(reason) });
  const next: Move = { ...move, phase: 'doubted', doubt: reason, line };
  return next.lock === null || next.lock.target !== null ? next : settledBy(next, next.lock);
}

/** A reading younger than the command settles it; the old position does only once the bolt cannot be on its way any more. */
function settledBy(move: Move, { bolt, confirmedAt, lastCommand }: LockView): Move {
  if (confirmedAt === null || lastCommand?.target !== move.target || confirmedAt <= lastCommand.sentAt) {
    return move;
  }
  if (bolt === move.target) {
    return moved(move);
  }
  const { movesUntil } = lastCommand;
  const isOver = isBoltPosition(bolt) && movesUntil !== null && confirmedAt > movesUntil;
  return isOver && move.doubt !== null ? refused(move, move.doubt) : move;
}

function refused(move: Move, reason: RefusalReason): Move {
  return refusalHandling(reason) === 'busy'
    ? {
        ...move,
        phase: 'waiting',
        line: t('{reason}; waiting for its turn', { reason: refusalWords(reason) }),
      }
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
  return ended(move, 'failed', notDone(move.target, message), status);
}

function moved(move: Move): Move {
  return ended(move, 'moved', t(BOLT_WORDS[move.target]), EXIT_STATUS.ok);
}

function superseded(move: Move): Move {
  return ended(move, 'superseded', t(ANSWER_WORDS.superseded), EXIT_STATUS.failed);
}

function unknown(move: Move): Move {
  const words = `${closed(unknownWords(move.target))} ${t(CHECK_DOOR)}`;
  return ended(move, 'uncertain', words, EXIT_STATUS.uncertain);
}

function ended(move: Move, kind: MoveEnd['kind'], words: string, status: ExitStatus): Move {
  return { ...move, phase: 'ended', end: { kind, words, status }, line: null };
}

function onItsWay(move: Move, phase: 'in-progress' | 'waiting' | 'lost', line: string): Move {
  // A new owner may have been asked before the answer came.
  return move.phase === 'asked' ? { ...move, phase, line } : quiet(move);
}

function quiet(move: Move): Move {
  return move.line === null ? move : { ...move, line: null };
}
