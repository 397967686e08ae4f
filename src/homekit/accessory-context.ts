// What an accessory carries across restarts in Homebridge's cache: which lock it is, and how old the last action is that it shows.
import type { Instant } from '../domain/bolt.ts';
import { type LockId, lockId } from '../domain/lock.ts';

/** Grows when the meaning of a member changes. Nothing private ever belongs here: the cache is readable by anyone. */
export const CONTEXT_VERSION = 1;

export interface AccessoryContext {
  readonly lockId: LockId;
  readonly version: typeof CONTEXT_VERSION;
  /** When the bolt moved last, as far as Home knows the way: what is told of before is no news. Absent before any such move. */
  readonly movedAt?: Instant;
}

const MEMBERS: ReadonlySet<string> = new Set<keyof AccessoryContext>(['lockId', 'version', 'movedAt']);

/** The lock that a cached context of any version names, or null. Whatever else it holds is not ours to keep. */
export function lockIdIn(context: Readonly<Record<string, unknown>>): LockId | null {
  const id = context['lockId'];
  return typeof id === 'string' && id !== '' ? lockId(id) : null;
}

export function contextOf(id: LockId): AccessoryContext {
  return { lockId: id, version: CONTEXT_VERSION };
}

/** When the bolt moved last, as the context knows it, or null. */
export function movedAtIn(context: Readonly<Record<string, unknown>>): Instant | null {
  const at = context['movedAt'];
  return typeof at === 'number' && Number.isFinite(at) ? at : null;
}

/** True when a cached context is exactly what this version would write. */
export function isCurrentContext(context: Readonly<Record<string, unknown>>): boolean {
  return (
    Object.keys(context).every((member) => MEMBERS.has(member)) &&
    context['version'] === CONTEXT_VERSION &&
    lockIdIn(context) !== null &&
    ('movedAt' in context ? movedAtIn(context) !== null : true)
  );
}
