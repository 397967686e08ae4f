// The events of the runtime that concern one shown lock.
import type { LockId } from '../domain/lock.ts';
import type { RuntimeEvent } from '../sync/account-runtime.ts';

/** An event about the access codes of a lock. */
export type CodesEvent = Extract<RuntimeEvent, { readonly type: 'codes-changed' | 'code-operation' }>;

export type AccessoryEvent = Extract<RuntimeEvent, { readonly type: 'lock-changed' | 'alert' }> | CodesEvent;

export function lockIdOf(event: AccessoryEvent): LockId {
  switch (event.type) {
    case 'lock-changed':
      return event.lock.id;
    case 'code-operation':
      return event.operation.lockId;
    case 'alert':
    case 'codes-changed':
      return event.id;
  }
}
