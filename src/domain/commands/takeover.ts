// The commands that a process takes over from an earlier one, and those that it leaves behind when it ends.
import { answer, goUncertain, unsent } from './end.ts';
import { type ActiveCommand, type CommandInput, type CommandState, type Step, UNSENT } from './state.ts';

/** Deadlines count from when the command was sent, not from the restart. */
export function resumed(
  state: CommandState,
  { target, commandId, issuedAt, ageMs }: Extract<CommandInput, { readonly type: 'resumed' }>,
  step: Step,
): CommandState {
  const sentAt = step.now - ageMs;
  const active: ActiveCommand = {
    key: state.nextKey,
    ...UNSENT,
    phase: 'accepted',
    target,
    unanswered: [],
    expiresAt: sentAt,
    retryPauseMs: 0,
    wanted: false,
    sentAt,
    issuedAt,
    commandId,
    pendingAt: sentAt,
    pendingSince: issuedAt,
    resumed: true,
  };
  step.out.push({ type: 'lock', event: { type: 'command-sent', target, at: issuedAt, next: target } });
  const next = { ...state, nextKey: state.nextKey + 1, active };
  if (commandId === null) {
    return goUncertain(next, step);
  }
  step.out.push({ type: 'start-reading', commandId, sentAgoMs: ageMs, firstMs: 0 });
  return next;
}

/** The process ends, or the lock is gone: an unsent command is dropped, a sent one stays open in the journal. */
export function closed(state: CommandState, step: Step): CommandState {
  const { waiting, active } = state;
  if (waiting !== null) {
    answer(step, waiting, { kind: 'closed' });
  }
  if (active?.phase === 'preparing') {
    return unsent({ ...state, active, waiting: null }, { kind: 'closed' }, step);
  }
  if (active !== null) {
    answer(step, active, { kind: 'uncertain' });
  }
  step.out.push({ type: 'stop-reading' });
  return { ...state, waiting: null, active: null };
}
