// The accessor that moved a bolt (specification, Accessor types): unknown words read as `other`.
import { z } from 'zod';
import type { AccessMethod, Accessor } from '../domain/locks/access.ts';
import { lenientObject, wholeText } from './lenient-schema.ts';

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

/** An empty name and none mean the same (wire contract 11, friendlyName). */
const word = wholeText.pipe(z.string().min(1)).nullable().catch(null);

const accessorSchema = lenientObject({ accessType: word, id: word, friendlyName: word });

/** Every member may be missing: a missing method reads as `other`. */
export function decodeAccessor(accessor: unknown): Accessor {
  const { accessType, id, friendlyName } = accessorSchema.parse(accessor);
  return { method: METHODS.get(accessType ?? '') ?? 'other', id, name: friendlyName };
}
