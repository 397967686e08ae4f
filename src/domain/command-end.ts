// How a command of the machine ends, becomes uncertain, or never leaves: what follows for requests, journal and lock.
import type { Instant } from './bolt.ts';
import type { CommandOutcome } from './command.ts';
import {
  type ActiveCommand,
  type CommandAnswer,
  type CommandContext,
  type CommandEffect,
  type CommandState,
  LONGEST_BUSY_PAUSE_MS,
  OVERDUE_AFTER_MS,
  TRAVEL_MS,
  type WaitingRequest,
} from './command-state.ts';
import { certainlyMovedNothing, type RefusalReason, refusalHandling } from './refusal.ts';

type Out = CommandEffect[];

/** Answers the requests that have no answer yet. A failure counts also where all have one: it is logged. */
export function answer(
  out: Out,
  { unanswered, target }: Pick<WaitingRequest, 'unanswered' | 'target'>,
  given: CommandAnswer,
): void {
  if (unanswered.length > 0 || given.kind === 'failed' || given.kind === 'too-late') {
    out.push({ type: 'answer', requests: unanswered, target, answer: given });
  }
}

/** It certainly was not processed. */
export function unsent(
  state: CommandState,
  active: ActiveCommand,
  given: CommandAnswer | null,
  context: CommandContext,
  out: Out,
): CommandState {
  if (given !== null) {
    answer(out, active, given);
  }
  return settled(state, active, { kind: 'unsent' }, context, out);
}

/** The lock or the service ended it, and its end says nothing of where the bolt is. */
export function ended(
  state: CommandState,
  active: ActiveCommand,
  outcome: CommandOutcome,
  context: CommandContext,
  out: Out,
): CommandState {
  out.push({ type: 'poll-soon' });
  return settled(state, active, outcome, context, out);
}

/** Nobody will ever tell how it ended: what was known before it left is no longer shown. */
export function endedUnknown(
  state: CommandState,
  active: ActiveCommand,
  outcome: CommandOutcome,
  context: CommandContext,
  out: Out,
): CommandState {
  answer(out, active, { kind: 'uncertain' });
  return ended(hideOlder(state, active, context.serviceNow, out), active, outcome, context, out);
}

/** `endedAt`: when it ended, where an event reported it; a read-back does not know. */
export function succeeded(
  state: CommandState,
  active: ActiveCommand,
  endedAt: Instant | null,
  context: CommandContext,
  out: Out,
): CommandState {
  const seenPending = active.pendingSince > active.issuedAt;
  if (active.resumed && !seenPending && endedAt === null) {
    // It may have ended long ago, and the bolt may have been turned since.
    return endedUnknown(state, active, { kind: 'moved' }, context, out);
  }
  const provenSince = Math.max(active.pendingSince, endedAt ?? active.pendingSince);
  const { target } = active;
  out.push({
    type: 'lock',
    event: { type: 'command-completed', target, provenSince, at: context.serviceNow, next: null },
  });
  if (endedAt === null) {
    out.push({ type: 'poll-soon' });
  }
  return settled(state, active, { kind: 'moved' }, context, out);
}

/** The service says that it failed: only some reasons say that the bolt did not move. */
export function failed(
  state: CommandState,
  active: ActiveCommand,
  reason: RefusalReason,
  context: CommandContext,
  out: Out,
): CommandState {
  if (refusalHandling(reason) === 'jammed') {
    const { serviceNow: at } = context;
    out.push({ type: 'lock', event: { type: 'command-ended', at, jammed: true, next: null } });
    return ended(state, active, { kind: 'refused', reason }, context, out);
  }
  if (!certainlyMovedNothing(reason)) {
    return endedUnknown(state, active, { kind: 'uncertain', reason }, context, out);
  }
  const idle = ended(state, active, { kind: 'refused', reason }, context, out);
  if (refusalHandling(reason) !== 'busy') {
    return idle;
  }
  const busyPauseMs = Math.min(active.busyPauseMs * 2, LONGEST_BUSY_PAUSE_MS);
  return waitAgain(idle, { ...active, busyPauseMs }, context.now + active.busyPauseMs, out);
}

/** Its turn has not come: the request waits again, unless a later one has overtaken it. */
export function waitAgain(
  state: CommandState,
  { target, unanswered, expiresAt, busyPauseMs, wanted }: ActiveCommand,
  notBefore: number,
  out: Out,
): CommandState {
  if (!wanted) {
    answer(out, { target, unanswered }, { kind: 'superseded' });
    return state;
  }
  return { ...state, waiting: { target, unanswered, expiresAt, notBefore, busyPauseMs } };
}

/** The reply was lost, or the service no longer says how it goes: only the lock can tell. */
export function goUncertain(
  state: CommandState,
  active: ActiveCommand,
  context: CommandContext,
  out: Out,
): CommandState {
  if (context.now >= active.sentAt + OVERDUE_AFTER_MS) {
    return endedUnknown(state, active, { kind: 'uncertain' }, context, out);
  }
  answer(out, active, { kind: 'uncertain' });
  out.push({ type: 'stop-reading' }, { type: 'poll-soon' });
  const hidden = hideOlder(state, active, active.issuedAt + TRAVEL_MS, out);
  return { ...hidden, active: { ...active, phase: 'uncertain', unanswered: [], doubted: true } };
}

/** The end is no longer waited for: the lock is read and the target follows the truth, the command is still watched. */
export function becomeOverdue(
  state: CommandState,
  active: ActiveCommand,
  context: CommandContext,
  out: Out,
): CommandState {
  if (active.phase === 'overdue') {
    return state;
  }
  const hidden = hideOlder(state, active, active.issuedAt + TRAVEL_MS, out);
  const { serviceNow: at } = context;
  out.push(
    { type: 'lock', event: { type: 'command-ended', at, jammed: false, next: null } },
    { type: 'poll-soon' },
  );
  return { ...hidden, active: { ...active, phase: 'overdue', doubted: true } };
}

/** `until`: from then on a reading of the old position counts again. */
export function hideOlder(
  state: CommandState,
  active: ActiveCommand,
  until: Instant,
  out: Out,
): CommandState {
  const { issuedAt: since, target } = active;
  out.push({ type: 'lock', event: { type: 'command-doubted', since, until, target } });
  return { ...state, active: { ...active, doubted: true } };
}

function settled(
  state: CommandState,
  { key, target, phase }: ActiveCommand,
  outcome: CommandOutcome,
  { serviceNow: at }: CommandContext,
  out: Out,
): CommandState {
  out.push({ type: 'stop-reading' }, { type: 'note-end', key, outcome: outcome.kind });
  if (phase !== 'preparing') {
    out.push({ type: 'lock', event: { type: 'command-ended', at, jammed: false, next: null } });
  }
  out.push({ type: 'ended', target, outcome });
  return { ...state, active: null };
}
