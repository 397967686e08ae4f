// The latest activity of each lock, the newest first, without repetitions.

import type { LockState } from '../src/world/records.ts';
import type { WorldEvent } from '../src/world/world-event.ts';

/** How many activities a card shows. */
const KEPT = 3;

/** Entries by lock. */
export type Diary = ReadonlyMap<string, readonly WorldEvent[]>;

/**
 * The diary with one more activity. `boltBefore` is where the lock's bolt was known to rest, undefined when it was
 * not: a motor that only starts is not worth a line, and a movement that the cloud tells with its author replaces the
 * bare fact.
 */
export function writeDiary(diary: Diary, activity: WorldEvent, boltBefore: LockState | undefined): Diary {
  const { deviceId } = activity;
  if (deviceId === null || !isWorthALine(activity, boltBefore)) {
    return diary;
  }
  const before = diary.get(deviceId) ?? [];
  const rest = before[0] !== undefined && saysMore(activity, before[0]) ? before.slice(1) : before;
  return new Map(diary).set(deviceId, [activity, ...rest].slice(0, KEPT));
}

function isWorthALine(activity: WorldEvent, boltBefore: LockState | undefined): boolean {
  if (activity.kind !== 'device-changed') {
    return true;
  }
  switch (activity.change) {
    case 'bolt':
      return boltBefore !== undefined && activity.bolt !== boltBefore;
    case 'wifi':
    case 'power':
    case 'renamed':
      return true;
    case 'added':
    case 'removed':
    case 'role':
    case 'settings':
    case 'keypad':
    case 'codes-on-lock':
      return false;
  }
}

function saysMore(activity: WorldEvent, before: WorldEvent): boolean {
  const isMovement = activity.kind === 'lock-state-changed' || activity.kind === 'jammed';
  return (
    isMovement && before.kind === 'device-changed' && before.change === 'bolt' && before.at === activity.at
  );
}
