// Who or what moved a bolt, from the service's words (specification, Accessor types): unknown words read as `other`.
import type { AccessMethod, Accessor } from '../domain/access.ts';
import { memberOf, textOrNullOf } from './lenient-members.ts';

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

/** An accessor of which nothing was said. All others are copied from it, as lock-machine.ts copies what stays. */
const UNSAID: Accessor = { method: 'other', id: null, name: null };

/** No member need be there: what is missing or of another type was not said, and a method not said is `other`. */
export function decodeAccessor(accessor: unknown): Accessor {
  return {
    ...UNSAID,
    method: METHODS.get(textOrNullOf(memberOf(accessor, 'accessType')) ?? '') ?? 'other',
    id: wordOrNull(memberOf(accessor, 'id')),
    // An empty name and none mean the same (wire contract 11, friendlyName).
    name: wordOrNull(memberOf(accessor, 'friendlyName')),
  };
}

function wordOrNull(value: unknown): string | null {
  return value === '' ? null : textOrNullOf(value);
}
