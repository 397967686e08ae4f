// The context of an accessory in Homebridge's cache: its lock, and the age of the last action that it shows.
import type { PlatformAccessory } from 'homebridge';
import { type LockId, lockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CurrentState } from './characteristic-values.ts';
import type { HomeCodeTable } from './home-code-table.ts';

/** Increases when a member changes its meaning. Nothing private belongs here: the cache is readable. */
export const CONTEXT_VERSION = 1;

export interface AccessoryContext {
  readonly lockId: LockId;
  readonly version: typeof CONTEXT_VERSION;
  /** When the bolt last moved; earlier moves are not shown. Absent before the first. */
  readonly movedAt?: Instant;
  readonly homeCodes?: HomeCodeTable;
  /** The current state that Home shows at the end of a process; absent while one runs, and after a kill. */
  readonly shown?: CurrentState;
}

const MEMBERS: ReadonlySet<string> = new Set<keyof AccessoryContext>([
  'lockId',
  'version',
  'movedAt',
  'homeCodes',
  'shown',
]);

/** The lock that a cached context of any version names, or null. */
export function lockIdIn(context: Readonly<Record<string, unknown>>): LockId | null {
  const id = context['lockId'];
  return typeof id === 'string' && id !== '' ? lockId(id) : null;
}

/** The simulator's scenario gives its locks such ids, which no service does. */
const DEMO_ID = /^latchkey-demo-/u;

export function isDemoAccessory({ context }: Pick<PlatformAccessory, 'context'>): boolean {
  return DEMO_ID.test(lockIdIn(context) ?? '');
}

export function contextOf(id: LockId): AccessoryContext {
  return { lockId: id, version: CONTEXT_VERSION };
}

export function movedAtIn(context: Readonly<Record<string, unknown>>): Instant | null {
  const at = context['movedAt'];
  return typeof at === 'number' && Number.isFinite(at) ? at : null;
}

/** The current state that Home was shown last before this start; null: not known. */
export function shownIn(context: Readonly<Record<string, unknown>>): number | null {
  const shown = context['shown'];
  return typeof shown === 'number' ? shown : null;
}

/** Whether a cached context has exactly the form that this version writes. */
export function isCurrentContext(context: Readonly<Record<string, unknown>>): boolean {
  return (
    Object.keys(context).every((member) => MEMBERS.has(member)) &&
    context['version'] === CONTEXT_VERSION &&
    lockIdIn(context) !== null &&
    ('movedAt' in context ? movedAtIn(context) !== null : true)
  );
}
