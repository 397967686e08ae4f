// What an accessory carries across restarts in Homebridge's cache: which lock it is, and nothing else.
import { type LockId, lockId } from '../domain/lock.ts';

/** Grows when the meaning of a member changes. Nothing private ever belongs here: the cache is readable by anyone. */
export const CONTEXT_VERSION = 1;

export interface AccessoryContext {
  readonly lockId: LockId;
  readonly version: typeof CONTEXT_VERSION;
}

/** The lock that a cached context of any version names, or null. Whatever else it holds is not ours to keep. */
export function lockIdIn(context: Readonly<Record<string, unknown>>): LockId | null {
  const id = context['lockId'];
  return typeof id === 'string' && id !== '' ? lockId(id) : null;
}

export function contextOf(id: LockId): AccessoryContext {
  return { lockId: id, version: CONTEXT_VERSION };
}

/** True when a cached context is exactly what this version would write. */
export function isCurrentContext(context: Readonly<Record<string, unknown>>): boolean {
  return (
    Object.keys(context).length === 2 && context['version'] === CONTEXT_VERSION && lockIdIn(context) !== null
  );
}
