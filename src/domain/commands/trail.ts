// For how long a command may still move the bolt: while its answer is due, and while the service has it pending after its arrival.
import type { Instant } from '../time/instant.ts';
import { HELD_UP_COUNTS_FOR_MS, PENDING_COUNTS_FOR_MS, TRAVEL_MS } from '../time/time.ts';
import {
  ABANDONED_AFTER_MS,
  type ActiveCommand,
  type CommandInput,
  type CommandState,
  SILENT_AFTER_MS,
  type Step,
  type TrailingCommand,
  UNANSWERED_AFTER_MS,
  UNREAD_AFTER_MS,
} from './state.ts';

/** From this instant on the service has not reported the command for so long that an unlock may have opened the bolt unseen. */
export function silentAt({ phase, pendingAt, unansweredRead }: ActiveCommand): number {
  if (phase === 'sent') {
    return pendingAt + SILENT_AFTER_MS;
  }
  return pendingAt + (unansweredRead ? UNANSWERED_AFTER_MS : UNREAD_AFTER_MS);
}

/** So long after the sending, the machine may have slept, and an unnamed command may reach the service only now. */
export function maySetOutNow(active: ActiveCommand, now: number): boolean {
  return active.phase === 'sent' && now - silentAt(active) > HELD_UP_COUNTS_FOR_MS;
}

export function travelEndsAt(active: ActiveCommand, { now, serviceNow }: Step): Instant {
  return (maySetOutNow(active, now) ? serviceNow : active.issuedAt) + TRAVEL_MS;
}

/** The trailing command, with the end of the time for which its last report as pending counts; null without a command id. */
export function trailingOf(
  command: ActiveCommand | TrailingCommand,
  pendingAt: number,
): TrailingCommand | null {
  const { commandId, target, sentAt, issuedAt } = command;
  const until = Math.min(pendingAt + PENDING_COUNTS_FOR_MS, sentAt + ABANDONED_AFTER_MS);
  return commandId === null ? null : { commandId, target, sentAt, issuedAt, until };
}

/** The bolt has arrived already: only the end of the command at the service is still of interest. */
export function trailed(
  state: CommandState,
  trailing: TrailingCommand,
  input: CommandInput,
  step: Step,
): CommandState {
  if (input.type === 'read-back-lost') {
    return input.commandId === trailing.commandId ? trailLost(state, trailing, step) : state;
  }
  const isReading = input.type === 'read-back' || input.type === 'end-reported';
  if (!isReading || input.reading.commandId !== trailing.commandId) {
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

/** From this instant on a reading shows where an unlock has left the bolt. */
function trailEnded(state: CommandState, { target }: TrailingCommand, step: Step): CommandState {
  if (target === 'unsecured') {
    step.out.push({ type: 'poll-soon' });
  }
  step.out.push({ type: 'stop-reading' });
  return { ...state, trailing: null };
}

/** The service no longer reports the command, or it failed: an unlock may open the bolt for as long as most bolts travel. */
export function trailLost(state: CommandState, trailing: TrailingCommand, step: Step): CommandState {
  const { target, issuedAt: since } = trailing;
  const until = Math.max(step.serviceNow, since + TRAVEL_MS);
  if (target === 'unsecured') {
    step.out.push({ type: 'lock', event: { type: 'command-doubted', since, until, target } });
  }
  return trailEnded(state, trailing, step);
}
