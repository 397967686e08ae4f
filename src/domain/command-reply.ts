// What the command machine is told of the command in flight: its departure, the answer to it, read-backs, reported ends.
import type { Instant } from './bolt.ts';
import type { CommandReading } from './command.ts';
import { answer, endedUnknown, failed, goUncertain, succeeded, unsent, waitAgain } from './command-end.ts';
import type {
  ActiveCommand,
  CommandContext,
  CommandEffect,
  CommandInput,
  CommandState,
} from './command-state.ts';
import { FIRST_OUTCOME_READ_MS } from './poll-policy.ts';

type Out = CommandEffect[];
type Told = Exclude<CommandInput, { readonly type: 'requested' }>;

/** Total: an input that has no meaning in a state, or is about another command, leaves it as it is. */
export function told(state: CommandState, input: Told, context: CommandContext, out: Out): CommandState {
  switch (input.type) {
    case 'looked':
      return state;
    case 'closed':
      return closed(state, context, out);
    case 'resumed':
      return state.active === null ? resumed(state, input, context, out) : state;
    case 'end-reported':
    case 'read-back':
    case 'read-back-lost':
      return state.active === null ? state : followed(state, state.active, input, context, out);
    default:
      return state.active?.key === input.key ? answered(state, state.active, input, context, out) : state;
  }
}

/** What became of the call that sends the command. */
function answered(
  state: CommandState,
  active: ActiveCommand,
  input: Extract<Told, { readonly key: number }>,
  context: CommandContext,
  out: Out,
): CommandState {
  if (active.phase !== 'preparing' && active.phase !== 'sent') {
    return state;
  }
  switch (input.type) {
    case 'leaving':
      return { ...state, active: { ...active, phase: 'preparing' } };
    case 'left':
      return left(state, active, context, out);
    case 'replied':
      return replied(state, active, input, context, out);
    case 'reply-lost':
      return goUncertain(state, active, context, out);
    case 'refused':
      answerRefused(active, input, out);
      return failed(state, withoutAnswered(active, input), input.reason, context, out);
    case 'not-processed':
      return notProcessed(state, active, input, context, out);
  }
}

function left(state: CommandState, active: ActiveCommand, context: CommandContext, out: Out): CommandState {
  const { now: sentAt, serviceNow: issuedAt, lock } = context;
  out.push({
    type: 'lock',
    event: { type: 'command-sent', target: active.target, at: issuedAt, next: active.target },
  });
  const since = { sentAt, issuedAt, pendingAt: sentAt, pendingSince: issuedAt };
  const sent: ActiveCommand = { ...active, ...since, phase: 'sent', before: lock?.bolt ?? 'unknown' };
  return { ...state, lastSentAt: issuedAt, active: sent };
}

function replied(
  state: CommandState,
  active: ActiveCommand,
  { reading, askedAt }: Extract<Told, { readonly type: 'replied' }>,
  context: CommandContext,
  out: Out,
): CommandState {
  const { commandId } = reading;
  const { now, serviceNow } = context;
  out.push({ type: 'note-id', key: active.key, commandId });
  answer(out, active, { kind: 'accepted' });
  const accepted: ActiveCommand = {
    ...active,
    phase: 'accepted',
    unanswered: [],
    commandId,
    earlyEnds: [],
    pendingSince: Math.max(active.pendingSince, Math.min(askedAt, serviceNow)),
  };
  out.push({
    type: 'start-reading',
    commandId,
    sentAgoMs: now - active.sentAt,
    firstMs: FIRST_OUTCOME_READ_MS,
  });
  const next: CommandState = { ...state, active: accepted };
  const early = active.earlyEnds.find((end) => end.reading.commandId === commandId);
  return early === undefined
    ? read(next, accepted, reading, { askedAt, endedAt: null }, context, out)
    : read(next, accepted, early.reading, { askedAt: early.at, endedAt: early.at }, context, out);
}

/** A busy lock keeps its request waiting; any other refusal is its answer. */
function answerRefused(
  active: ActiveCommand,
  { reason, cause }: Extract<Told, { readonly type: 'refused' }>,
  out: Out,
): void {
  if (reason !== 'lock-busy') {
    answer(out, active, { kind: 'failed', cause });
  }
}

function withoutAnswered(
  active: ActiveCommand,
  { reason }: Extract<Told, { readonly type: 'refused' }>,
): ActiveCommand {
  return reason === 'lock-busy' ? active : { ...active, unanswered: [] };
}

/** "Lock" waits out a pause that the service asked for, if its time allows; anything else fails at once. */
function notProcessed(
  state: CommandState,
  active: ActiveCommand,
  { waitMs, cause }: Extract<Told, { readonly type: 'not-processed' }>,
  context: CommandContext,
  out: Out,
): CommandState {
  const notBefore = context.now + (waitMs ?? 0);
  if (waitMs !== null && active.target === 'secured' && notBefore < active.expiresAt) {
    return waitAgain(unsent(state, active, null, context, out), active, notBefore, out);
  }
  return unsent(
    state,
    active,
    active.wanted ? { kind: 'failed', cause } : { kind: 'superseded' },
    context,
    out,
  );
}

/** What the service says of a command that it named, or reports before it has named ours. */
function followed(
  state: CommandState,
  active: ActiveCommand,
  input: Extract<Told, { readonly type: 'end-reported' | 'read-back' | 'read-back-lost' }>,
  context: CommandContext,
  out: Out,
): CommandState {
  if (input.type === 'read-back-lost') {
    return input.commandId === active.commandId ? goUncertain(state, active, context, out) : state;
  }
  const { reading } = input;
  if (input.type === 'end-reported') {
    if (active.phase === 'sent') {
      const earlyEnds = [...active.earlyEnds, { reading, at: input.at }];
      return { ...state, active: { ...active, earlyEnds } };
    }
    const times = { askedAt: input.at, endedAt: input.at };
    return reading.commandId === active.commandId ? read(state, active, reading, times, context, out) : state;
  }
  const times = { askedAt: input.askedAt, endedAt: null };
  return reading.commandId === active.commandId ? read(state, active, reading, times, context, out) : state;
}

function read(
  state: CommandState,
  active: ActiveCommand,
  reading: CommandReading,
  { askedAt, endedAt }: { readonly askedAt: Instant; readonly endedAt: Instant | null },
  context: CommandContext,
  out: Out,
): CommandState {
  switch (reading.state) {
    case 'pending':
      return askedAt <= active.pendingSince
        ? state
        : { ...state, active: { ...active, pendingAt: context.now, pendingSince: askedAt } };
    case 'failed':
      return failed(state, active, reading.reason, context, out);
    case 'successful':
      // Success with another position than was asked for contradicts itself: only the lock can tell.
      return reading.bolt === undefined || reading.bolt === active.target
        ? succeeded(state, active, endedAt, context, out)
        : endedUnknown(state, active, { kind: 'uncertain' }, context, out);
  }
}

/** What may be expected counts from when it was sent, not from the restart. */
function resumed(
  state: CommandState,
  { target, commandId, issuedAt, ageMs }: Extract<Told, { readonly type: 'resumed' }>,
  context: CommandContext,
  out: Out,
): CommandState {
  const sentAt = context.now - ageMs;
  const active: ActiveCommand = {
    key: state.nextKey,
    phase: 'accepted',
    target,
    unanswered: [],
    expiresAt: sentAt,
    busyPauseMs: 0,
    wanted: false,
    sentAt,
    issuedAt,
    before: 'unknown',
    commandId,
    pendingAt: sentAt,
    pendingSince: issuedAt,
    doubted: false,
    resumed: true,
    earlyEnds: [],
  };
  out.push({ type: 'lock', event: { type: 'command-sent', target, at: issuedAt, next: target } });
  const next = { ...state, nextKey: state.nextKey + 1, active };
  if (commandId === null) {
    return goUncertain(next, active, context, out);
  }
  out.push({ type: 'start-reading', commandId, sentAgoMs: ageMs, firstMs: 0 });
  return next;
}

/** The process ends, or the lock is gone: what has not left is dropped, what has left stays open in the journal. */
function closed(state: CommandState, context: CommandContext, out: Out): CommandState {
  const { waiting, active } = state;
  if (waiting !== null) {
    answer(out, waiting, { kind: 'closed' });
  }
  const idle: CommandState = { ...state, waiting: null };
  if (active?.phase === 'preparing') {
    return unsent(idle, active, { kind: 'closed' }, context, out);
  }
  if (active !== null) {
    answer(out, active, { kind: 'uncertain' });
  }
  out.push({ type: 'stop-reading' });
  return { ...idle, active: null };
}
