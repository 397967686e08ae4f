// Ends a command, makes it uncertain, or drops it unsent: the consequences for requests, journal and lock.

import { FIRST_OUTCOME_READ_MS } from '../polling/poll-policy.ts';
import type { Instant } from '../time/instant.ts';
import type { CommandOutcome } from './command.ts';
import { certainlyMovedNothing, type RefusalReason, refusalHandling } from './refusal.ts';
import {
  type ActiveCommand,
  type BusyState,
  type CommandAnswer,
  type CommandState,
  LONGEST_RETRY_PAUSE_MS,
  OVERDUE_AFTER_MS,
  type Step,
  type WaitingRequest,
} from './state.ts';
import { trailingOf, travelEndsAt } from './trail.ts';

/** Answers the requests that have no answer yet. A failure is passed on even when all have one, because it is logged. */
export function answer(
  step: Step,
  { unanswered, target }: Pick<WaitingRequest, 'unanswered' | 'target'>,
  given: CommandAnswer,
): void {
  if (unanswered.length > 0 || given.kind === 'failed' || given.kind === 'too-late') {
    step.out.push({ type: 'answer', requests: unanswered, target, answer: given });
  }
}

/** The answer to a request that could not be sent for as long as it may wait. */
export function outOfTime({ cause }: WaitingRequest): CommandAnswer {
  return cause === null ? { kind: 'too-late' } : { kind: 'failed', cause };
}

/** The command certainly was not processed. */
export function unsent(state: BusyState, given: CommandAnswer | null, step: Step): CommandState {
  if (given !== null) {
    answer(step, state.active, given);
  }
  return settled(state, { kind: 'unsent' }, step);
}

/** The lock or the service ended the command, and its end does not tell where the bolt is. */
export function ended(state: BusyState, outcome: CommandOutcome, step: Step): CommandState {
  step.out.push({ type: 'poll-soon' });
  return settled(state, outcome, step);
}

/**
 * Evidence shows the bolt at the target, which a hand may have moved there. While the service still has the command pending, its
 * end is read, and no other is sent; until then an unlock may still open the bolt.
 */
export function endedByArrival(state: BusyState, step: Step): CommandState {
  const { active } = state;
  answer(step, active, { kind: 'accepted' });
  step.out.push({ type: 'poll-soon' });
  const trailing = active.phase === 'uncertain' ? null : trailingOf(active, active.pendingAt);
  if (trailing === null || step.now >= trailing.until) {
    const known = active.target === 'unsecured' ? stillOpening(state, step) : state;
    return settled(known, { kind: 'moved' }, step);
  }
  const next = settled(state, { kind: 'moved' }, step);
  const { commandId } = trailing;
  const sentAgoMs = step.now - active.sentAt;
  step.out.push({ type: 'start-reading', commandId, sentAgoMs, firstMs: FIRST_OUTCOME_READ_MS });
  return { ...next, trailing };
}

/** The outcome will never be known: the belief from before the command was sent is no longer shown. */
export function endedUnknown(state: BusyState, outcome: CommandOutcome, step: Step): CommandState {
  answer(step, state.active, { kind: 'uncertain' });
  return ended(stillOpening(state, step), outcome, step);
}

/** No further report of the command is expected: its bolt may still travel for this long. */
function stillOpening(state: BusyState, step: Step): BusyState {
  return hideOlder(state, Math.max(step.serviceNow, travelEndsAt(state.active, step)), step);
}

/** `endedAt`: when the command ended, where an event reported it; a read-back does not tell. */
export function succeeded(state: BusyState, endedAt: Instant | null, step: Step): CommandState {
  const { active } = state;
  const seenPending = active.pendingSince > active.issuedAt;
  if (active.resumed && !seenPending && endedAt === null) {
    // The command may have ended long ago, and the bolt may have been turned since.
    return endedUnknown(state, { kind: 'moved' }, step);
  }
  const provenSince = Math.max(active.pendingSince, endedAt ?? active.pendingSince);
  const { target } = active;
  step.out.push({
    type: 'lock',
    event: { type: 'command-completed', target, provenSince, at: step.serviceNow, next: null },
  });
  if (endedAt === null) {
    step.out.push({ type: 'poll-soon' });
  }
  return settled(state, { kind: 'moved' }, step);
}

/** The service reports a failure: only some reasons prove that the bolt did not move. */
export function failed(state: BusyState, reason: RefusalReason, step: Step): CommandState {
  if (refusalHandling(reason) === 'jammed') {
    const event = { type: 'command-ended', at: step.serviceNow, jammed: true, next: null } as const;
    step.out.push({ type: 'lock', event });
    return ended(state, { kind: 'refused', reason }, step);
  }
  if (!certainlyMovedNothing(reason)) {
    return endedUnknown(state, { kind: 'uncertain', reason }, step);
  }
  const idle = ended(state, { kind: 'refused', reason }, step);
  if (refusalHandling(reason) !== 'busy') {
    return idle;
  }
  const { active } = state;
  const retryPauseMs = grown(active.retryPauseMs);
  const notBefore = step.now + active.retryPauseMs;
  return waitAgain(idle, { ...active, retryPauseMs }, { notBefore, cause: null }, step);
}

export function grown(pauseMs: number): number {
  return Math.min(pauseMs * 2, LONGEST_RETRY_PAUSE_MS);
}

/** The command's turn has not come: its request waits again, unless a later one has overtaken it. */
export function waitAgain(
  state: CommandState,
  { target, unanswered, expiresAt, retryPauseMs, wanted }: ActiveCommand,
  next: Pick<WaitingRequest, 'notBefore' | 'cause'>,
  step: Step,
): CommandState {
  if (!wanted) {
    answer(step, { target, unanswered }, { kind: 'superseded' });
    return state;
  }
  return { ...state, waiting: { target, unanswered, expiresAt, retryPauseMs, ...next } };
}

/** The reply was lost, or the service no longer reports progress: only a reading of the lock settles it. */
export function goUncertain(state: BusyState, step: Step): CommandState {
  const { active } = state;
  if (step.now >= active.sentAt + OVERDUE_AFTER_MS) {
    return endedUnknown(state, { kind: 'uncertain' }, step);
  }
  answer(step, active, { kind: 'uncertain' });
  step.out.push({ type: 'stop-reading' }, { type: 'poll-soon' });
  const hidden = hideOlder(state, travelEndsAt(active, step), step);
  return { ...hidden, active: { ...active, phase: 'uncertain', unanswered: [], doubted: true } };
}

/** The end is no longer waited for: the lock is read and the target follows the truth, but the command is still watched. */
export function becomeOverdue(state: BusyState, step: Step): CommandState {
  const { active } = state;
  if (active.phase === 'overdue') {
    return state;
  }
  step.out.push(
    { type: 'lock', event: { type: 'command-ended', at: step.serviceNow, jammed: false, next: null } },
    { type: 'poll-soon' },
  );
  return { ...state, active: { ...active, phase: 'overdue' } };
}

/** `until`: from then on a reading of the old position counts again; null while that is not known. */
export function hideOlder(state: BusyState, until: Instant | null, step: Step): BusyState {
  const { active } = state;
  const { issuedAt: since, target } = active;
  step.out.push({ type: 'lock', event: { type: 'command-doubted', since, until, target } });
  return { ...state, active: { ...active, doubted: true } };
}

function settled(state: BusyState, outcome: CommandOutcome, step: Step): CommandState {
  const { key, target } = state.active;
  step.out.push(
    { type: 'stop-reading' },
    { type: 'note-end', key, outcome: outcome.kind },
    { type: 'ended', target, outcome },
  );
  // A reading during a lock command may be from before the bolt moved: it does not fulfil an unlock that waited for the command.
  const mayHaveLocked = target === 'secured' && outcome.kind !== 'unsent';
  const evidenceCountsAfter = Math.max(state.evidenceCountsAfter, mayHaveLocked ? step.serviceNow : 0);
  return { ...state, evidenceCountsAfter, active: null };
}
