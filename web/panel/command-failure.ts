// The last command of each lock that failed, until something newer is known of the lock; and what its card says of it.
import type { BoltPosition } from '../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../src/domain/command.ts';
import type { LockId, Presence } from '../../src/domain/lock.ts';
import { type RefusalReason, refusalWords } from '../../src/domain/refusal.ts';
import { type ActivityDetail, type ActivityView, MAX_ACTIVITY } from '../../src/panel/activity-view.ts';
import type { LockView } from '../../src/panel/lock-view.ts';

export interface CommandFailure {
  readonly at: number;
  readonly target: BoltPosition;
  readonly outcome: CommandOutcome;
}

/** `activity`: the oldest first. */
export function openFailures(
  activity: readonly ActivityView[],
  locks: readonly LockView[],
): ReadonlyMap<LockId, CommandFailure> {
  return new Map([...reportedFailures(activity), ...overdueLocks(activity, locks)]);
}

function reportedFailures(activity: readonly ActivityView[]): ReadonlyMap<LockId, CommandFailure> {
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

/** Commands to lock that are no longer waited for: their end is reported half a minute later. */
function overdueLocks(
  activity: readonly ActivityView[],
  locks: readonly LockView[],
): readonly (readonly [LockId, CommandFailure])[] {
  const latest = new Map(activity.map(({ lock, at }) => [lock?.id, at]));
  // Of what is no longer in a full list nobody can say that it was not heard.
  const heardAll = activity.length < MAX_ACTIVITY ? 0 : (activity[0]?.at ?? 0);
  return locks.flatMap(({ id, lastCommand, target, bolt }) => {
    const isOpen = lastCommand?.target === 'secured' && target !== 'secured' && bolt !== 'secured';
    return isOpen && Math.max(latest.get(id) ?? 0, heardAll) < lastCommand.sentAt
      ? [[id, { at: lastCommand.sentAt, target: 'secured', outcome: { kind: 'overdue' } }] as const]
      : [];
  });
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
  const reason = reasonOf(outcome);
  if (outcome.kind === 'overdue' || reason === 'lock-silent') {
    return presence === 'offline' ? 'the lock is offline' : 'the lock didn’t answer';
  }
  return reason === undefined ? '' : refusalWords(reason);
}

function reasonOf(outcome: CommandOutcome): RefusalReason | undefined {
  return 'reason' in outcome ? outcome.reason : undefined;
}
