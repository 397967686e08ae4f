// The last command of each lock that failed, until something newer is known of the lock.

import type { CommandOutcome } from '../../../src/domain/commands/command.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { type ActivityDetail, type ActivityView, MAX_ACTIVITY } from '../../../src/panel/views/activity.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';

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
  // A full list has dropped its oldest entries, one of which may report the end of an older command.
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
