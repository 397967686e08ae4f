// The accessor that moved a bolt (specification, Accessor types): unknown words read as `other`.
import type { AccessMethod, Accessor } from '../domain/locks/access.ts';
import { idOf, membersOf, wholeTextOf } from './lenient.ts';

const METHODS: ReadonlyMap<string, AccessMethod> = new Map([
  ['VirtualKey', 'virtual-key'],
  ['1TouchLocking', 'one-touch'],
  ['AccessCode', 'access-code'],
  ['AutoRelock', 'auto-relock'],
  ['Thumbturn', 'thumbturn'],
  ['UnlockButton', 'unlock-button'],
  ['LockButton', 'lock-button'],
  ['ScheduledLock', 'schedule'],
  ['PlatformHome', 'platform'],
  ['PlatformHomeNFC', 'platform-key'],
  ['AccessTypeUnavailable', 'unavailable'],
]);

/** Every member may be missing: a missing method reads as `other`. The id is read as that of a code, with which it is compared. */
export function decodeAccessor(accessor: unknown): Accessor {
  const { accessType, id, friendlyName } = membersOf(accessor);
  const method = METHODS.get(wordOf(accessType) ?? '') ?? 'other';
  return { method, id: idOf(id), name: wordOf(friendlyName) };
}

/** An empty name and none mean the same (wire contract 11, friendlyName). */
function wordOf(value: unknown): string | null {
  return wholeTextOf(value) || null;
}
