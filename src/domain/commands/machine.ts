// Every command of a lock, from request to outcome, as one pure state machine: (state, input, context) -> {state, effects}.
//
// Invariants under every order of inputs (decision 0011; test/unit/domain/commands/exploration.test.ts):
// - One command in flight on a lock, to the end that the service reports. Only after a lost reply, or while the service says
//   nothing of it, may a new request be sent beside it: error 36 settles those.
// - The last request wins. An earlier one that has not left is dropped, and answered as superseded.
// - An unlock is sent at most once per request. Nothing is repeated automatically unless it certainly
//   did not happen: a busy lock, and for "lock" a pause that the service asked for.
// - An unlock never leaves later than its request allows: one budget over all that it waits for, counting sleep.
// - A request is answered once. It is answered with success only when it has left, or its position is confirmed.
// - An unlock that may have moved the bolt withdraws every "locked" from before it was sent.

import type { BoltPosition } from '../locks/bolt.ts';
import type { Instant } from '../time/instant.ts';
import { TRAVEL_MS } from '../time/time.ts';
import { answer, becomeOverdue, endedByArrival, endedUnknown, hideOlder, outOfTime, unsent } from './end.ts';
import { replyApplied } from './reply.ts';
import { requested, served } from './request.ts';
import {
  ABANDONED_AFTER_MS,
  type ActiveCommand,
  type BusyState,
  type CommandContext,
  type CommandEffect,
  type CommandInput,
  type CommandState,
  isBusy,
  OVERDUE_AFTER_MS,
  type Step,
} from './state.ts';
import { silentAt, trailLost } from './trail.ts';

export function advanceCommands(
  before: CommandState,
  input: CommandInput,
  context: CommandContext,
): { readonly state: CommandState; readonly effects: readonly CommandEffect[] } {
  const step: Step = { ...context, out: [] };
  const state = datedAnew(before, context);
  // After a sleep of the machine, the time is taken in before any other input.
  let next = timePassed(state, step);
  next = input.type === 'requested' ? requested(next, input, step) : replyApplied(next, input, step);
  if (input.type === 'read-back-missed') {
    // The time in which nothing was heard may be over already.
    next = timePassed(next, step);
  }
  next = arrived(next, step);
  // The lock takes in the end of a command only before the next step, so no request is served yet.
  next = step.out.some(({ type }) => type === 'ended') ? next : served(next, step);
  return { state: next, effects: withTarget(state, next, withTravelEnded(state, next, step)) };
}

/** A clock that was set back takes with it what is dated ahead of it now: a travel would seem to last until then (faults#112). */
function datedAnew(state: CommandState, { setBackMs, serviceNow }: CommandContext): CommandState {
  const byMs = setBackMs - state.setBackMs;
  if (byMs <= 0) {
    return state;
  }
  const dated = (at: Instant): Instant => (at > serviceNow ? at - byMs : at);
  const { active, trailing, evidenceCountsAfter } = state;
  return {
    ...state,
    setBackMs,
    evidenceCountsAfter: dated(evidenceCountsAfter),
    active: active && {
      ...active,
      issuedAt: dated(active.issuedAt),
      pendingSince: dated(active.pendingSince),
      earlyEnds: active.earlyEnds.map(({ reading, at }) => ({ reading, at: dated(at) })),
    },
    trailing: trailing && { ...trailing, issuedAt: dated(trailing.issuedAt) },
  };
}

/** The send guard calls this right before a command's first byte is sent, and after `leaving` where the command is sent once more. */
export function mayLeave({ active }: CommandState, key: number, now: number): boolean {
  return active?.key === key && active.phase === 'preparing' && active.wanted && now < active.expiresAt;
}

/** When time alone changes something next; null when it does not. */
export function nextCheckAt({ waiting, active, trailing }: CommandState): number | null {
  const times = [
    ...(waiting === null ? [] : [waiting.expiresAt]),
    ...(waiting !== null && active === null && trailing === null ? [waiting.notBefore] : []),
    ...(trailing === null ? [] : [trailing.until]),
    ...(active === null ? [] : limitsOf(active)),
  ];
  return times.length === 0 ? null : Math.min(...times);
}

function limitsOf(active: ActiveCommand): readonly number[] {
  const { phase, expiresAt, sentAt } = active;
  if (phase === 'preparing') {
    return [expiresAt];
  }
  if (phase === 'sent') {
    return maySilentlyMove(active) ? [silentAt(active)] : [];
  }
  const limit = sentAt + (phase === 'overdue' ? ABANDONED_AFTER_MS : OVERDUE_AFTER_MS);
  return maySilentlyMove(active) ? [limit, silentAt(active)] : [limit];
}

/** Whether a command that was sent may still open the bolt unseen; an uncertain one is doubted already. */
function maySilentlyMove({ target, doubted }: ActiveCommand): boolean {
  return target === 'unsecured' && !doubted;
}

function timePassed(before: CommandState, step: Step): CommandState {
  const { now } = step;
  let state = before;
  if (state.waiting !== null && now >= state.waiting.expiresAt) {
    answer(step, state.waiting, outOfTime(state.waiting));
    state = { ...state, waiting: null };
  }
  const { trailing } = state;
  if (trailing !== null && now >= trailing.until) {
    return trailLost(state, trailing, step);
  }
  return isBusy(state) ? timePassedOver(state, step) : state;
}

function timePassedOver(state: BusyState, step: Step): CommandState {
  const { active } = state;
  const { now } = step;
  if (active.phase === 'preparing') {
    return now >= active.expiresAt ? unsent(state, { kind: 'too-late' }, step) : state;
  }
  if (now >= active.sentAt + ABANDONED_AFTER_MS && active.commandId !== null) {
    return endedUnknown(state, { kind: 'overdue' }, step);
  }
  const known = hiddenIfSilent(state, step);
  // The call that carries the command ends by itself; after a sleep, its request may leave the machine only now.
  if (now < active.sentAt + OVERDUE_AFTER_MS || active.phase === 'sent') {
    return known;
  }
  return active.phase === 'uncertain'
    ? endedUnknown(known, { kind: 'uncertain' }, step)
    : becomeOverdue(known, step);
}

function hiddenIfSilent(state: BusyState, step: Step): BusyState {
  const { active } = state;
  if (!maySilentlyMove(active) || step.now < silentAt(active)) {
    return state;
  }
  step.out.push({ type: 'poll-soon' });
  // Until the command is answered, its bolt may start at any time, for example after a sleep of the machine.
  const until = active.phase === 'sent' ? null : active.issuedAt + TRAVEL_MS;
  return hideOlder(state, until, step);
}

/** Evidence younger than the command shows the bolt at its target: the move counts as done even before the service says so. */
function arrived(state: CommandState, step: Step): CommandState {
  const { lock } = step;
  if (!isBusy(state) || lock === null) {
    return state;
  }
  const { active } = state;
  if (active.phase === 'preparing' || isUnnamedUnlock(active)) {
    return state;
  }
  const isThere = lock.bolt === active.target && lock.claimedAt > active.issuedAt;
  // A bolt that was at the target before proves nothing about a command that is still followed.
  if (!isThere || (active.phase !== 'uncertain' && active.before === active.target)) {
    return state;
  }
  return endedByArrival(state, step);
}

/** A hand may have been faster than the reply, which comes soon or not at all: only then is it known whether it is pending. */
function isUnnamedUnlock({ phase, target, doubted }: ActiveCommand): boolean {
  return phase === 'sent' && target === 'unsecured' && !doubted;
}

/** The target to show: of the waiting request, else of the command in flight while it may still succeed. */
export function shownTarget({ waiting, active }: CommandState): BoltPosition | null {
  return waiting?.target ?? (active === null || active.phase === 'overdue' ? null : active.target);
}

/** Every change of the lock brings the new target with it, so that no step back shows between two commands. */
function withTarget(
  before: CommandState,
  after: CommandState,
  out: readonly CommandEffect[],
): readonly CommandEffect[] {
  const next = shownTarget(after);
  const effects = out.map((effect) =>
    effect.type === 'lock' && 'next' in effect.event
      ? { ...effect, event: { ...effect.event, next } }
      : effect,
  );
  const isCarried = effects.some((effect) => effect.type === 'lock' && 'next' in effect.event);
  if (isCarried || next === shownTarget(before)) {
    return effects;
  }
  const event =
    next === null ? ({ type: 'request-dropped' } as const) : ({ type: 'requested', target: next } as const);
  return [...effects, { type: 'lock', event }];
}

/** Whether a command was sent that has not ended, or an unlock whose bolt has arrived may still open it. */
function mayTravel({ active, trailing }: CommandState): boolean {
  return active === null ? trailing?.target === 'unsecured' : active.phase !== 'preparing';
}

/**
 * The lock hears that a travel has ended whenever the state says so, in every path, and before the journal and the account do:
 * a command that went unheard would make every later report an echo (faults#107).
 */
function withTravelEnded(
  before: CommandState,
  after: CommandState,
  { out, serviceNow: at }: Step,
): readonly CommandEffect[] {
  const isOver = !mayTravel(after) && (mayTravel(before) || out.some(isDeparture));
  if (!isOver || out.some(isEnd)) {
    return out;
  }
  // This follows every doubt of the same step: the doubt tells for how long a lost unlock may still open the bolt.
  const last = out.findLastIndex(({ type }) => type === 'stop-reading');
  const index = last === -1 ? out.length : last;
  const end: CommandEffect = {
    type: 'lock',
    event: { type: 'command-ended', at, jammed: false, next: null },
  };
  return out.toSpliced(index, 0, end);
}

function isDeparture(effect: CommandEffect): boolean {
  return effect.type === 'lock' && effect.event.type === 'command-sent';
}

function isEnd(effect: CommandEffect): boolean {
  return (
    effect.type === 'lock' &&
    (effect.event.type === 'command-ended' || effect.event.type === 'command-completed')
  );
}
