// The last happenings of each lock, the newest first, without what would only be said twice.

import type { LockState } from '../../src/simulator/world/records.ts';
import type { WorldEvent } from '../../src/simulator/world/world-event.ts';

/** How many happenings a card shows. */
const KEPT = 3;

/** Entries by lock. */
export type Diary = ReadonlyMap<string, readonly WorldEvent[]>;

/**
 * The diary with one more happening. `boltBefore` is where the lock's bolt was known to rest, undefined when it was
 * not: a motor that only starts is not worth a line, and a movement that the cloud tells with its author replaces the
 * bare fact.
 */
export function writeDiary(diary: Diary, happening: WorldEvent, boltBefore: LockState | undefined): Diary {
  const { deviceId } = happening;
  if (deviceId === null || !isWorthALine(happening, boltBefore)) {
    return diary;
  }
  const before = diary.get(deviceId) ?? [];
  const rest = before[0] !== undefined && saysMore(happening, before[0]) ? before.slice(1) : before;
  return new Map(diary).set(deviceId, [happening, ...rest].slice(0, KEPT));
}

function isWorthALine(happening: WorldEvent, boltBefore: LockState | undefined): boolean {
  if (happening.kind !== 'device-changed') {
    return true;
  }
  switch (happening.change) {
    case 'bolt':
      return boltBefore !== undefined && happening.bolt !== boltBefore;
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

function saysMore(happening: WorldEvent, before: WorldEvent): boolean {
  const isMovement = happening.kind === 'lock-state-changed' || happening.kind === 'jammed';
  return (
    isMovement && before.kind === 'device-changed' && before.change === 'bolt' && before.at === happening.at
  );
}
