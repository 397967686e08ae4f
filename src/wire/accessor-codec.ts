// Who or what moved a bolt, from the service's words (specification, Accessor types): unknown words read as `other`.
import { z } from 'zod';
import type { AccessMethod, Accessor } from '../domain/access.ts';

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

const text = z.string().nullable().catch(null);

/** No member need be there: what is missing or of another type was not said, and a method not said is `other`. */
export const accessorSchema = z
  .object({ id: text, friendlyName: text, accessType: text })
  .catch({ id: null, friendlyName: null, accessType: null })
  .transform(
    ({ id, friendlyName, accessType }): Accessor => ({
      method: METHODS.get(accessType ?? '') ?? 'other',
      id: id === '' ? null : id,
      // An empty name and none mean the same (wire contract 11, friendlyName).
      name: friendlyName === '' ? null : friendlyName,
    }),
  );
