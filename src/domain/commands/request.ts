// Requests to the command machine: the last one wins, waits for its turn no longer than it may, and becomes a command.
import type { BoltPosition } from '../locks/bolt.ts';
import { answer, ended, endedUnknown, outOfTime, unsent } from './end.ts';
import { judgeRequest, mayWaitMs } from './intent-policy.ts';
import {
  type ActiveCommand,
  type CommandContext,
  type CommandInput,
  type CommandState,
  FIRST_RETRY_PAUSE_MS,
  isBusy,
  type LockFacts,
  OVERDUE_AFTER_MS,
  type Step,
  UNSENT,
} from './state.ts';

/** A request is refused, fulfilled already, joins the command in flight, or waits for its turn. */
export function requested(
  before: CommandState,
  input: Extract<CommandInput, { type: 'requested' }>,
  step: Step,
): CommandState {
  const { target, request, unheardMs } = input;
  const me = { unanswered: [request], target };
  if (step.lock === null) {
    answer(step, me, { kind: 'refused', reason: 'lock-missing' });
    return before;
  }
  const current = awaited(before, step.now);
  const facts = factsOf(before, step.lock);
  const decision = judgeRequest({ ...facts, target, unheardMs, active: current });
  if (decision.kind === 'refuse') {
    answer(step, me, { kind: 'refused', reason: decision.reason });
    return before;
  }
  const state = overtaken(before, target, step);
  if (decision.kind === 'already') {
    answer(step, me, { kind: 'already' });
    return state;
  }
  // The time before the request was read counts against an unlock; a lock may be late.
  const leftMs = mayWaitMs(target) - (target === 'secured' ? 0 : unheardMs);
  const expiresAt = step.now + Math.min(input.withinMs, leftMs);
  const { active } = state;
  if (decision.kind === 'join' && active !== null) {
    if (active.phase === 'preparing' || active.phase === 'sent') {
      const unanswered = [...active.unanswered, request];
      return {
        ...state,
        active: { ...active, unanswered, expiresAt: Math.max(expiresAt, active.expiresAt) },
      };
    }
    answer(step, me, { kind: 'joined' });
    return state;
  }
  const retryPauseMs = FIRST_RETRY_PAUSE_MS;
  return { ...state, waiting: { ...me, expiresAt, notBefore: step.now, retryPauseMs, cause: null } };
}

/** The command for which a request has to wait: not one that was sent before a sleep and has no answer yet. */
function awaited({ active }: CommandState, now: number): ActiveCommand | null {
  return active?.phase === 'sent' && now >= active.sentAt + OVERDUE_AFTER_MS ? null : active;
}

/** A valid request overtakes every earlier one: an unsent one is dropped, an uncertain one makes room. */
function overtaken(before: CommandState, target: BoltPosition, step: Step): CommandState {
  if (before.waiting !== null) {
    answer(step, before.waiting, { kind: 'superseded' });
  }
  const state: CommandState = { ...before, waiting: null };
  if (!isBusy(state)) {
    return state;
  }
  const { active } = state;
  if (active.phase === 'uncertain') {
    return ended(state, { kind: 'uncertain' }, step);
  }
  if (awaited(state, step.now) === null) {
    return endedUnknown(state, { kind: 'uncertain' }, step);
  }
  const wanted = active.target === target;
  return active.phase === 'preparing' && !wanted
    ? unsent(state, { kind: 'superseded' }, step)
    : { ...state, active: { ...active, wanted } };
}

/** Sends the waiting request once its turn has come, unless it has become needless or too late. */
export function served(state: CommandState, step: Step): CommandState {
  const { waiting, active, trailing, nextKey: key } = state;
  if (waiting === null || active !== null || trailing !== null || step.now < waiting.notBefore) {
    return state;
  }
  const idle = { ...state, waiting: null };
  if (step.lock === null) {
    answer(step, waiting, { kind: 'refused', reason: 'lock-missing' });
    return idle;
  }
  const { target, expiresAt } = waiting;
  if (step.now >= expiresAt) {
    answer(step, waiting, outOfTime(waiting));
    return idle;
  }
  const facts = factsOf(state, step.lock);
  const decision = judgeRequest({ ...facts, target, unheardMs: 0, active: null });
  if (decision.kind === 'refuse') {
    answer(step, waiting, { kind: 'refused', reason: decision.reason });
    return idle;
  }
  if (decision.kind === 'already') {
    answer(step, waiting, { kind: 'already' });
    return idle;
  }
  const { now, serviceNow: issuedAt } = step;
  step.out.push({ type: 'send', key, target, issuedAt, withinMs: expiresAt - now });
  const { notBefore: _, cause: __, ...request } = waiting;
  return {
    ...idle,
    nextKey: key + 1,
    active: { ...request, ...UNSENT, key, sentAt: now, issuedAt, pendingAt: now, pendingSince: issuedAt },
  };
}

/** A position from before our last command does not fulfil a request. */
function factsOf(
  { evidenceCountsAfter }: CommandState,
  lock: NonNullable<CommandContext['lock']>,
): LockFacts {
  return lock.claimedAt > evidenceCountsAfter ? lock : { ...lock, confirmedAgoMs: Number.POSITIVE_INFINITY };
}
