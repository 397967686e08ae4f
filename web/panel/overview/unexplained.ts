// Locks whose position has changed since their last known move: who moved them is not known.
import { isBoltPosition } from '../../../src/domain/locks/bolt.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { ActivityView } from '../../../src/panel/views/activity.ts';

/** `activity`: the oldest first. A card names no mover where the activity names none. */
export function unexplainedLocks(activity: readonly ActivityView[]): ReadonlySet<LockId> {
  const open = new Set<LockId>();
  for (const { lock, detail } of activity) {
    if (lock === null || detail.type !== 'bolt' || !isBoltPosition(detail.bolt)) {
      continue;
    }
    if (detail.move === null) {
      open.add(lock.id);
    } else {
      open.delete(lock.id);
    }
  }
  return open;
}
