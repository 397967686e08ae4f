// All of a lock's command life as one pure machine: (state, input, context) -> {state, effects}.
//
// What always holds, whatever happens in whatever order (decision 0011; test/unit/domain/command-exploration.test.ts):
// - One command in flight on a lock. Only after a lost reply may a new request be sent beside it: error 36 settles those.
// - The last request wins. An earlier one that has not left is dropped, and answered as superseded.
// - An unlock is sent at most once for each time it was requested, and nothing is repeated by itself but what certainly
//   did not happen: a busy lock, and for "lock" a pause that the service asked for.
// - An unlock never leaves later than its request allows: one budget over all that it waits for, counting sleep.
// - A request is answered once. It is answered with success only when it has left, or its position is confirmed.
// - An unlock that may have moved the bolt takes away every "locked" from before its departure.
import type { BoltPosition } from './bolt.ts';
import { answer, becomeOverdue, ended, endedUnknown, hideOlder, unsent } from './command-end.ts';
import { told } from './command-reply.ts';
import {
  ABANDONED_AFTER_MS,
  type ActiveCommand,
  type CommandContext,
  type CommandEffect,
  type CommandInput,
  type CommandState,
  FIRST_BUSY_PAUSE_MS,
  type LockFacts,
  OVERDUE_AFTER_MS,
  SILENT_AFTER_MS,
  TRAVEL_MS,
} from './command-state.ts';
import { judgeRequest, mayWaitMs } from './intent-policy.ts';

type Out = CommandEffect[];

export function advanceCommands(
  state: CommandState,
  input: CommandInput,
  context: CommandContext,
): { readonly state: CommandState; readonly effects: readonly CommandEffect[] } {
  const out: Out = [];
  // A machine that slept learns of the time before anything else.
  let next = timePassed(state, context, out);
  next = input.type === 'requested' ? requested(next, input, context, out) : told(next, input, context, out);
  next = arrived(next, context, out);
  // What a command's end shows of the lock is known only to the next step.
  next = out.some(({ type }) => type === 'ended') ? next : served(next, context, out);
  return { state: next, effects: withTarget(state, next, out) };
}

/** Asked at the last moment before a command's first byte leaves. */
export function mayLeave({ active }: CommandState, key: number, now: number): boolean {
  return active?.key === key && active.wanted && now < active.expiresAt && isUnanswered(active);
}

/** When time alone changes something next; null when it does not. */
export function nextLookAt({ waiting, active }: CommandState): number | null {
  const times = [
    ...(waiting === null ? [] : [waiting.expiresAt]),
    ...(waiting !== null && active === null ? [waiting.notBefore] : []),
    ...(active === null ? [] : limitsOf(active)),
  ];
  return times.length === 0 ? null : Math.min(...times);
}

function limitsOf(active: ActiveCommand): readonly number[] {
  const { phase, expiresAt, sentAt } = active;
  if (phase === 'preparing') {
    return [expiresAt];
  }
  const limit = sentAt + (phase === 'overdue' ? ABANDONED_AFTER_MS : OVERDUE_AFTER_MS);
  return maySilentlyMove(active) ? [limit, active.pendingAt + SILENT_AFTER_MS] : [limit];
}

function isUnanswered({ phase }: ActiveCommand): boolean {
  return phase === 'preparing' || phase === 'sent';
}

function maySilentlyMove({ phase, target, doubted }: ActiveCommand): boolean {
  return target === 'unsecured' && !doubted && (phase === 'sent' || phase === 'accepted');
}

function timePassed(before: CommandState, context: CommandContext, out: Out): CommandState {
  const { now } = context;
  let state = before;
  if (state.waiting !== null && now >= state.waiting.expiresAt) {
    answer(out, state.waiting, { kind: 'too-late' });
    state = { ...state, waiting: null };
  }
  const { active } = state;
  if (active === null) {
    return state;
  }
  if (active.phase === 'preparing') {
    return now >= active.expiresAt ? unsent(state, active, { kind: 'too-late' }, context, out) : state;
  }
  if (now >= active.sentAt + ABANDONED_AFTER_MS && active.commandId !== null) {
    return endedUnknown(state, active, { kind: 'overdue' }, context, out);
  }
  if (now >= active.sentAt + OVERDUE_AFTER_MS) {
    return active.commandId === null || active.phase === 'uncertain'
      ? endedUnknown(state, active, { kind: 'uncertain' }, context, out)
      : becomeOverdue(state, active, context, out);
  }
  if (!maySilentlyMove(active) || now < active.pendingAt + SILENT_AFTER_MS) {
    return state;
  }
  out.push({ type: 'poll-soon' });
  return hideOlder(state, active, active.issuedAt + TRAVEL_MS, out);
}

function requested(
  before: CommandState,
  input: Extract<CommandInput, { type: 'requested' }>,
  context: CommandContext,
  out: Out,
): CommandState {
  const { target, request, unheardMs } = input;
  const me = { unanswered: [request], target };
  if (context.lock === null) {
    answer(out, me, { kind: 'refused', reason: 'lock-missing' });
    return before;
  }
  const { active: current } = before;
  const decision = judgeRequest({ ...factsOf(before, context.lock), target, unheardMs, active: current });
  if (decision.kind === 'refuse') {
    answer(out, me, { kind: 'refused', reason: decision.reason });
    return before;
  }
  const state = overtaken(before, target, context, out);
  if (decision.kind === 'already') {
    answer(out, me, { kind: 'already' });
    return state;
  }
  // "Lock" may be late; what an unlock may have waited to be heard is part of its budget.
  const waitMs = Math.min(input.withinMs, mayWaitMs(target)) - (target === 'secured' ? 0 : unheardMs);
  const expiresAt = context.now + waitMs;
  const { active } = state;
  if (decision.kind === 'join' && active !== null) {
    if (isUnanswered(active)) {
      const unanswered = [...active.unanswered, request];
      return {
        ...state,
        active: { ...active, unanswered, expiresAt: Math.max(expiresAt, active.expiresAt) },
      };
    }
    answer(out, me, { kind: 'joined' });
    return state;
  }
  const busyPauseMs = FIRST_BUSY_PAUSE_MS;
  return { ...state, waiting: { ...me, expiresAt, notBefore: context.now, busyPauseMs } };
}

/** A valid request overtakes every earlier one: what has not left is dropped, what is uncertain makes room. */
function overtaken(
  before: CommandState,
  target: BoltPosition,
  context: CommandContext,
  out: Out,
): CommandState {
  if (before.waiting !== null) {
    answer(out, before.waiting, { kind: 'superseded' });
  }
  const state = { ...before, waiting: null };
  const { active } = state;
  if (active === null) {
    return state;
  }
  if (active.phase === 'uncertain') {
    return ended(state, active, { kind: 'uncertain' }, context, out);
  }
  const wanted = active.target === target;
  return active.phase === 'preparing' && !wanted
    ? unsent(state, active, { kind: 'superseded' }, context, out)
    : { ...state, active: { ...active, wanted } };
}

/** Sends what waits, once its turn has come and if it still is to be sent. */
function served(state: CommandState, context: CommandContext, out: Out): CommandState {
  const { waiting, active, nextKey: key } = state;
  if (waiting === null || active !== null || context.now < waiting.notBefore) {
    return state;
  }
  const idle = { ...state, waiting: null };
  if (context.lock === null) {
    answer(out, waiting, { kind: 'refused', reason: 'lock-missing' });
    return idle;
  }
  const { target, expiresAt } = waiting;
  if (context.now >= expiresAt) {
    answer(out, waiting, { kind: 'too-late' });
    return idle;
  }
  const facts = factsOf(state, context.lock);
  const decision = judgeRequest({ ...facts, target, unheardMs: 0, active: null });
  if (decision.kind === 'refuse') {
    answer(out, waiting, { kind: 'refused', reason: decision.reason });
    return idle;
  }
  if (decision.kind === 'already') {
    answer(out, waiting, { kind: 'already' });
    return idle;
  }
  const { now, serviceNow: issuedAt } = context;
  out.push({ type: 'send', key, target, issuedAt, withinMs: expiresAt - now });
  const { notBefore: _, ...request } = waiting;
  return {
    ...idle,
    nextKey: key + 1,
    active: {
      ...request,
      ...aboutToLeave,
      key,
      sentAt: now,
      issuedAt,
      pendingAt: now,
      pendingSince: issuedAt,
    },
  };
}

function factsOf({ lastSentAt }: CommandState, lock: NonNullable<CommandContext['lock']>): LockFacts {
  return lock.claimedAt <= lastSentAt ? { ...lock, confirmedAgoMs: Number.POSITIVE_INFINITY } : lock;
}

const aboutToLeave = {
  phase: 'preparing',
  wanted: true,
  before: 'unknown',
  commandId: null,
  doubted: false,
  resumed: false,
  earlyEnds: [],
} as const;

/** Evidence younger than the command shows the bolt where it was to go: whatever the service says, it has arrived. */
function arrived(state: CommandState, context: CommandContext, out: Out): CommandState {
  const { active } = state;
  const { lock } = context;
  if (active === null || lock === null || active.phase === 'preparing') {
    return state;
  }
  const isThere = lock.bolt === active.target && lock.claimedAt > active.issuedAt;
  // A bolt that was there before shows nothing of a command that is still followed.
  if (!isThere || (active.phase !== 'uncertain' && active.before === active.target)) {
    return state;
  }
  answer(out, active, { kind: 'accepted' });
  return ended(state, active, { kind: 'moved' }, context, out);
}

/** What the target shows: the last request that waits, else what the command in flight is still expected to do. */
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
