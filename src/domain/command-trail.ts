// For how long a command may still move the bolt: while its answer is due, and while the service has it pending after its arrival.
import type { Instant } from './bolt.ts';
import {
  ABANDONED_AFTER_MS,
  type ActiveCommand,
  type CommandInput,
  type CommandState,
  SILENT_AFTER_MS,
  type Step,
  TRAVEL_MS,
  type TrailingCommand,
  UNREAD_AFTER_MS,
} from './command-state.ts';
import { HELD_UP_COUNTS_FOR_MS, PENDING_COUNTS_FOR_MS } from './time.ts';

/** From then on the service has said nothing of it for so long that an unlock may have opened the bolt unseen. */
export function silentAt({ phase, pendingAt }: ActiveCommand): number {
  return pendingAt + (phase === 'sent' ? SILENT_AFTER_MS : UNREAD_AFTER_MS);
}

/** So late the machine may have been asleep, and a command that the service has not named reaches it only now. */
export function maySetOutNow(active: ActiveCommand, now: number): boolean {
  return active.phase === 'sent' && now - silentAt(active) > HELD_UP_COUNTS_FOR_MS;
}

export function travelEndsAt(active: ActiveCommand, { now, serviceNow }: Step): Instant {
  return (maySetOutNow(active, now) ? serviceNow : active.issuedAt) + TRAVEL_MS;
}

/** So long the service's word counts that a command was pending at `pendingAt`; null for a command that it has not named. */
export function trailingOf(
  {
    commandId,
    target,
    sentAt,
    issuedAt,
  }: Pick<ActiveCommand, 'commandId' | 'target' | 'sentAt' | 'issuedAt'>,
  pendingAt: number,
): TrailingCommand | null {
  const until = Math.min(pendingAt + PENDING_COUNTS_FOR_MS, sentAt + ABANDONED_AFTER_MS);
  return commandId === null ? null : { commandId, target, sentAt, issuedAt, until };
}

/** The bolt has arrived already: only whether the service is done with it is still of interest. */
export function trailed(
  state: CommandState,
  trailing: TrailingCommand,
  input: CommandInput,
  step: Step,
): CommandState {
  if (input.type === 'read-back-lost') {
    return input.commandId === trailing.commandId ? trailLost(state, trailing, step) : state;
  }
  if (input.type !== 'read-back' && input.type !== 'end-reported') {
    return state;
  }
  if (input.reading.commandId !== trailing.commandId) {
    return state;
  }
  switch (input.reading.state) {
    case 'pending':
      return { ...state, trailing: trailingOf(trailing, step.now) };
    case 'failed':
      return trailLost(state, trailing, step);
    case 'successful':
      return trailEnded(state, trailing, step);
  }
}

/** A reading from now on shows where an unlock has left the bolt. */
function trailEnded(state: CommandState, { target }: TrailingCommand, step: Step): CommandState {
  if (target === 'unsecured') {
    step.out.push({ type: 'poll-soon' });
  }
  step.out.push({ type: 'stop-reading' });
  return { ...state, trailing: null };
}

/** The service says nothing more of it, or that it failed: an unlock may still open the bolt for as long as most bolts travel. */
export function trailLost(state: CommandState, trailing: TrailingCommand, step: Step): CommandState {
  const { target, issuedAt: since } = trailing;
  const until = Math.max(step.serviceNow, since + TRAVEL_MS);
  if (target === 'unsecured') {
    step.out.push({ type: 'lock', event: { type: 'command-doubted', since, until, target } });
  }
  return trailEnded(state, trailing, step);
}
