// Inputs about the command in flight: that it was sent, its answer, read-backs and reported ends.

import { FIRST_OUTCOME_READ_MS } from '../polling/poll-policy.ts';
import type { Instant } from '../time/instant.ts';
import { TRAVEL_MS } from '../time/time.ts';
import type { CommandReading } from './command.ts';
import { answer, endedUnknown, failed, goUncertain, grown, succeeded, unsent, waitAgain } from './end.ts';
import {
  type ActiveCommand,
  type BusyState,
  type CommandInput,
  type CommandState,
  isBusy,
  type Step,
} from './state.ts';
import { closed, resumed } from './takeover.ts';
import { maySetOutNow, trailed } from './trail.ts';

type ReplyInput = Exclude<CommandInput, { readonly type: 'requested' }>;
type Input<Type extends ReplyInput['type']> = Extract<ReplyInput, { readonly type: Type }>;

/** Total: an input that has no meaning in a state, or is about another command, leaves it as it is. */
export function replyApplied(state: CommandState, input: ReplyInput, step: Step): CommandState {
  const { active, trailing } = state;
  if (input.type === 'resumed') {
    return active === null ? resumed(state, input, step) : state;
  }
  if (input.type === 'closed') {
    return closed(state, step);
  }
  if (trailing !== null) {
    return trailed(state, trailing, input, step);
  }
  if (!isBusy(state) || input.type === 'checked') {
    return state;
  }
  if ('key' in input) {
    return state.active.key === input.key ? answered(state, input, step) : state;
  }
  return followed(state, input, step);
}

/** The result of the call that sends the command. */
function answered(
  state: BusyState,
  input: Extract<ReplyInput, { readonly key: number }>,
  step: Step,
): CommandState {
  const { active } = state;
  if (active.phase !== 'preparing' && active.phase !== 'sent') {
    return state;
  }
  switch (input.type) {
    case 'leaving':
      return { ...state, active: { ...active, phase: 'preparing' } };
    case 'left':
      return left(state, step);
    case 'replied':
      return replied(state, input, step);
    case 'reply-lost':
      return goUncertain(state, step);
    case 'refused':
      return refused(state, input, step);
    case 'not-processed':
      return notProcessed(state, input, step);
  }
}

function left(state: BusyState, step: Step): CommandState {
  const { active } = state;
  const { now: sentAt, serviceNow: issuedAt, lock } = step;
  step.out.push({
    type: 'lock',
    event: { type: 'command-sent', target: active.target, at: issuedAt, next: active.target },
  });
  const since = { sentAt, issuedAt, pendingAt: sentAt, pendingSince: issuedAt };
  const before = lock?.bolt ?? 'unknown';
  // A command that is sent once more hides again what was learnt since the first time.
  const sent: ActiveCommand = { ...active, ...since, phase: 'sent', before, doubted: false };
  return { ...state, evidenceCountsAfter: issuedAt, active: sent };
}

function replied(state: BusyState, { reading, askedAt }: Input<'replied'>, step: Step): CommandState {
  const { active } = state;
  const { commandId } = reading;
  const { now, serviceNow } = step;
  step.out.push({ type: 'note-id', key: active.key, commandId });
  answer(step, active, { kind: 'accepted' });
  const accepted: ActiveCommand = {
    ...active,
    phase: 'accepted',
    unanswered: [],
    commandId,
    earlyEnds: [],
    sentAt: maySetOutNow(active, now) ? now : active.sentAt,
    pendingSince: Math.max(active.pendingSince, Math.min(askedAt, serviceNow)),
  };
  // After a slow answer, the bolt may have started only now.
  step.out.push({ type: 'start-reading', commandId, sentAgoMs: 0, firstMs: FIRST_OUTCOME_READ_MS });
  const next = { ...state, active: accepted };
  const early = active.earlyEnds.find((end) => end.reading.commandId === commandId);
  return early === undefined
    ? read(next, reading, { askedAt, endedAt: null }, step)
    : read(next, early.reading, { askedAt: early.at, endedAt: early.at }, step);
}

/** A busy lock keeps its request waiting; any other refusal is its answer. */
function refused(state: BusyState, { reason, cause }: Input<'refused'>, step: Step): CommandState {
  if (reason === 'lock-busy') {
    return failed(state, reason, step);
  }
  answer(step, state.active, { kind: 'failed', cause });
  return failed({ ...state, active: { ...state.active, unanswered: [] } }, reason, step);
}

/** "Lock" is tried again while it may wait: after the pause that was asked for, or one that grows (faults#109). An unlock fails at once. */
function notProcessed(state: BusyState, input: Input<'not-processed'>, step: Step): CommandState {
  const { active } = state;
  const { mayRetry, waitMs, cause } = input;
  const notBefore = step.now + (waitMs ?? active.retryPauseMs);
  if (mayRetry && active.target === 'secured' && notBefore < active.expiresAt) {
    const retryPauseMs = waitMs === null ? grown(active.retryPauseMs) : active.retryPauseMs;
    return waitAgain(unsent(state, null, step), { ...active, retryPauseMs }, { notBefore, cause }, step);
  }
  return unsent(state, active.wanted ? { kind: 'failed', cause } : { kind: 'superseded' }, step);
}

/** Follows a command that the service has named, or keeps an end that was reported before it named ours. */
function followed(
  state: BusyState,
  input: Input<'end-reported' | 'read-back' | 'read-back-missed' | 'read-back-lost'>,
  step: Step,
): CommandState {
  const { active } = state;
  if (input.type === 'read-back-lost') {
    return input.commandId === active.commandId ? goUncertain(state, step) : state;
  }
  if (input.type === 'read-back-missed') {
    return input.commandId === active.commandId
      ? { ...state, active: { ...active, unansweredRead: true } }
      : state;
  }
  const { reading } = input;
  if (input.type === 'end-reported' && active.phase === 'sent') {
    const earlyEnds = [...active.earlyEnds, { reading, at: input.at }];
    return { ...state, active: { ...active, earlyEnds } };
  }
  if (reading.commandId !== active.commandId) {
    return state;
  }
  const times =
    input.type === 'end-reported'
      ? { askedAt: input.at, endedAt: input.at }
      : { askedAt: input.askedAt, endedAt: null };
  return read(state, reading, times, step);
}

function read(
  state: BusyState,
  reading: CommandReading,
  { askedAt, endedAt }: { readonly askedAt: Instant; readonly endedAt: Instant | null },
  step: Step,
): CommandState {
  switch (reading.state) {
    case 'pending':
      return stillPending(state, askedAt, step);
    case 'failed':
      return failed(state, reading.reason, step);
    case 'successful':
      // Success with a position other than the target contradicts itself: only a reading of the lock settles it.
      return reading.bolt === undefined || reading.bolt === state.active.target
        ? succeeded(state, endedAt, step)
        : endedUnknown(state, { kind: 'uncertain', reason: 'claims-success' }, step);
  }
}

function stillPending(state: BusyState, askedAt: Instant, step: Step): CommandState {
  const { active } = state;
  // A clock that was set back since does not make it pending in the future.
  const pendingSince = Math.min(askedAt, step.serviceNow);
  if (pendingSince <= active.pendingSince) {
    return state;
  }
  const arrivesAt = active.sentAt + TRAVEL_MS;
  if (active.pendingAt < arrivesAt && step.now >= arrivesAt) {
    // The bolt may have arrived without a report of the service.
    step.out.push({ type: 'poll-soon' });
  }
  return { ...state, active: { ...active, unansweredRead: false, pendingAt: step.now, pendingSince } };
}
