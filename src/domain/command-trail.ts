// A command whose bolt has arrived by evidence, while the service still has it pending: until its end no other is sent.
import {
  ABANDONED_AFTER_MS,
  type ActiveCommand,
  type CommandInput,
  type CommandState,
  type Step,
  type TrailingCommand,
} from './command-state.ts';
import { PENDING_COUNTS_FOR_MS } from './time.ts';

/** So long the service's word counts that a command was pending at `pendingAt`; null for a command that it has not named. */
export function trailingOf(
  { commandId, sentAt }: Pick<ActiveCommand, 'commandId' | 'sentAt'>,
  pendingAt: number,
): TrailingCommand | null {
  const until = Math.min(pendingAt + PENDING_COUNTS_FOR_MS, sentAt + ABANDONED_AFTER_MS);
  return commandId === null ? null : { commandId, sentAt, until };
}

/** The bolt has arrived already: only whether the service is done with it is still of interest. */
export function trailed(
  state: CommandState,
  trailing: TrailingCommand,
  input: CommandInput,
  step: Step,
): CommandState {
  if (input.type === 'read-back' || input.type === 'end-reported') {
    if (input.reading.commandId !== trailing.commandId) {
      return state;
    }
    if (input.reading.state === 'pending') {
      return { ...state, trailing: trailingOf(trailing, step.now) };
    }
  } else if (input.type !== 'read-back-lost') {
    return state;
  }
  step.out.push({ type: 'stop-reading' });
  return { ...state, trailing: null };
}
