// The last command of each lock that failed, until something newer is known of the lock; and what its card says of it.
import type { BoltPosition } from '../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../src/domain/command.ts';
import type { LockId, Presence } from '../../src/domain/lock.ts';
import { refusalHandling, refusalWords } from '../../src/domain/refusal.ts';
import type { ActivityDetail, ActivityView } from '../../src/panel/activity-view.ts';

export interface CommandFailure {
  readonly at: number;
  readonly target: BoltPosition;
  readonly outcome: CommandOutcome;
}

/** `activity`: the oldest first. */
export function openFailures(activity: readonly ActivityView[]): ReadonlyMap<LockId, CommandFailure> {
  const open = new Map<LockId, CommandFailure>();
  for (const { lock, at, detail } of activity) {
    if (lock === null) {
      continue;
    }
    const failure = open.get(lock.id);
    if (detail.type === 'command') {
      open.set(lock.id, { at, target: detail.target, outcome: detail.outcome });
    } else if (failure !== undefined && isOver(failure, detail)) {
      open.delete(lock.id);
    }
  }
  return open;
}

/** The bolt got there all the same, or was moved since. That it is read where it was before is nothing new. */
function isOver({ at, target }: CommandFailure, detail: ActivityDetail): boolean {
  return detail.type === 'bolt'
    ? detail.bolt === target || (detail.move !== null && detail.move.at > at)
    : detail.type === 'removed';
}

/** "Couldn’t lock: the lock is offline. Check the door."; empty for a command that did what it was to do. */
export function failureWords(failure: CommandFailure | undefined, presence: Presence): string {
  if (failure === undefined || failure.outcome.kind === 'moved') {
    return '';
  }
  const { target, outcome } = failure;
  const action = target === 'secured' ? 'lock' : 'unlock';
  const why = reasonWords(outcome, presence);
  // An unlock that may have happened did not fail.
  return why === '' || (outcome.kind === 'uncertain' && action === 'unlock')
    ? `Nobody knows whether it ${action}ed. Check the door.`
    : `Couldn’t ${action}: ${why}. Check the door.`;
}

function reasonWords(outcome: CommandOutcome, presence: Presence): string {
  if (outcome.kind === 'unsent') {
    return 'the service couldn’t be reached';
  }
  if (outcome.kind === 'overdue') {
    return 'it took too long';
  }
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (reason === undefined) {
    return '';
  }
  if (refusalHandling(reason) !== 'offline') {
    return refusalWords(reason);
  }
  return presence === 'offline' ? 'the lock is offline' : 'the lock didn’t answer';
}
