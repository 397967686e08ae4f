// issued -> accepted -> overdue -> settled, or issued -> uncertain: where one command stands, and what may follow.
import type { Instant } from './bolt.ts';
import type { CommandId, CommandOutcome } from './command.ts';
import type { RefusalReason } from './refusal.ts';

/**
 * After this long without an end the device is read and the target follows the truth (our choice: Home gives up
 * hope long before, and most bolts travel for less than eight seconds).
 */
export const OVERDUE_AFTER_MS = 35_000;

/** The service ends every command after 60 s (wire contract 3) and answers "busy" until then; 5 s are for its delays. */
export const ABANDONED_AFTER_MS = 65_000;

export type CommandState =
  | { readonly phase: 'issued' }
  | {
      /** `overdue`: the target follows the truth already, the lock is still taken to be busy. */
      readonly phase: 'accepted' | 'overdue';
      readonly commandId: CommandId;
      /** The last instant at which the command was certainly still on its way. */
      readonly pendingAt: Instant;
    }
  | { readonly phase: 'uncertain' }
  | { readonly phase: 'settled'; readonly outcome: CommandOutcome };

export type CommandEvent =
  | { readonly type: 'accepted'; readonly commandId: CommandId; readonly at: Instant }
  | { readonly type: 'still-pending'; readonly at: Instant }
  | { readonly type: 'succeeded' }
  | { readonly type: 'refused'; readonly reason: RefusalReason }
  | { readonly type: 'unsent' }
  /** The reply to the command was lost, or nobody will ever tell how it ended. */
  | { readonly type: 'reply-lost' }
  /** The lock was seen where the command should bring it, by evidence younger than the command. */
  | { readonly type: 'seen-at-target' }
  /** How long ago the command was issued, by a clock that never jumps. */
  | { readonly type: 'time'; readonly elapsedMs: number };

export const ISSUED: CommandState = { phase: 'issued' };

/** Total: an event that has no meaning in a state leaves it as it is, and an end is final. */
export function advanceCommand(state: CommandState, event: CommandEvent): CommandState {
  if (state.phase === 'settled') {
    return state;
  }
  switch (event.type) {
    case 'accepted':
      return state.phase === 'issued'
        ? { phase: 'accepted', commandId: event.commandId, pendingAt: event.at }
        : state;
    case 'still-pending':
      return stillPending(state, event.at);
    case 'succeeded':
      return settled({ kind: 'moved' });
    case 'refused':
      return settled({ kind: 'refused', reason: event.reason });
    case 'unsent':
      return state.phase === 'issued' ? settled({ kind: 'unsent' }) : state;
    case 'reply-lost':
      return { phase: 'uncertain' };
    case 'seen-at-target':
      return state.phase === 'uncertain' ? settled({ kind: 'moved' }) : state;
    case 'time':
      return timePassed(state, event.elapsedMs);
  }
}

function settled(outcome: CommandOutcome): CommandState {
  return { phase: 'settled', outcome };
}

function stillPending(state: CommandState, at: Instant): CommandState {
  return (state.phase === 'accepted' || state.phase === 'overdue') && at > state.pendingAt
    ? { ...state, pendingAt: at }
    : state;
}

function timePassed(state: CommandState, elapsedMs: number): CommandState {
  if (elapsedMs < OVERDUE_AFTER_MS) {
    return state;
  }
  switch (state.phase) {
    case 'issued':
    case 'uncertain':
      return settled({ kind: 'uncertain' });
    case 'accepted':
    case 'overdue':
      if (elapsedMs >= ABANDONED_AFTER_MS) {
        return settled({ kind: 'overdue' });
      }
      return state.phase === 'overdue' ? state : { ...state, phase: 'overdue' };
    case 'settled':
      return state;
  }
}
