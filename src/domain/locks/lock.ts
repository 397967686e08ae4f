// A lock and everything known about it: the value that all other modules read.

import { type Instant } from '../time/instant.ts';
import { type BoltPosition, type BoltState, isBoltPosition } from './bolt.ts';
import { type Belief, believedBolt, type InFlightCommand, NOTHING_BELIEVED } from './evidence-policy.ts';
import { hasLearnedMove, type LastMove, type Moves, NO_MOVES } from './move.ts';

declare const brand: unique symbol;

export type LockId = string & { readonly [brand]: 'LockId' };

/** Names a text as a lock's id: at the edges, where texts come in. */
export function lockId(text: string): LockId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists only for the compiler
  return text as LockId;
}

/** `offline`: the service cannot reach the lock. `missing`: the account no longer lists it. */
export type Presence = 'reachable' | 'offline' | 'missing';

export type BatteryGrade = 'normal' | 'low' | 'critical' | 'unknown';

export interface Battery {
  readonly grade: BatteryGrade;
  /** Whole percent; null while the service has not reported it. A missing value is never zero. */
  readonly percent: number | null;
}

/** `owner` does all, `guest` reads and moves the bolt, anyone else reads. */
export type Role = 'owner' | 'guest' | 'reader';

/** The lock's rarely changing identity. Texts are as the service gives them, possibly empty. */
export interface LockDescription {
  readonly name: string;
  readonly model: string;
  readonly serial: string;
  readonly firmware: string;
  readonly role: Role;
}

/** What the service reports of the device itself, besides its identity. Null or empty: not reported. */
export interface DeviceFacts {
  readonly type: string;
  readonly createdAt: Instant | null;
  /** Whether the lock takes access codes of different lengths. */
  readonly variableLengthCodes: boolean | null;
  /** The present UTC offset of the lock's own clock, in minutes, east positive. */
  readonly offsetMinutes: number | null;
}

export interface Lock {
  readonly id: LockId;
  readonly description: LockDescription;
  readonly belief: Belief;
  readonly presence: Presence;
  readonly battery: Battery;
  /** As last listed; null before the first listing. */
  readonly device: DeviceFacts | null;
  /** Strength of the lock's Wi-Fi signal, as last listed; null while the service has not reported it. */
  readonly wifiDbm: number | null;
  /** The instants of the last reports of presence and battery: an older report changes nothing. */
  readonly presenceAt: Instant;
  readonly batteryAt: Instant;
  /** The target of the command in flight or of the pending request; null: it follows the truth. */
  readonly target: BoltPosition | null;
  readonly inFlight: InFlightCommand | null;
  /** Since when the lock has been unlocked for longer than the options allow; null: it has not, or no option asks. */
  readonly leftUnlockedSince: Instant | null;
  /** The latest move by its date. */
  readonly lastMove: LastMove | null;
  /** What happened before it, and our commands behind some of that. */
  readonly recent: Moves;
}

/** A lock of which only the name is known, as at start, before the first answer of the service. */
export function unknownLock(id: LockId, description: LockDescription): Lock {
  return {
    id,
    description,
    belief: NOTHING_BELIEVED,
    presence: 'reachable',
    battery: { grade: 'unknown', percent: null },
    device: null,
    wifiDbm: null,
    presenceAt: 0,
    batteryAt: 0,
    target: null,
    inFlight: null,
    leftUnlockedSince: null,
    lastMove: null,
    recent: NO_MOVES,
  };
}

/** The bolt as far as evidence goes, independent of the lock's presence. */
export function boltOf(lock: Lock): BoltState {
  return believedBolt(lock.belief);
}

/** Where the bolt has come to rest between two states of a lock, when no command of ours explains it; else null. */
export function foundMoved(before: Lock, after: Lock): BoltPosition | null {
  const from = before.belief.rest;
  const to = after.belief.rest;
  if (from === null || to === null || to.bolt === from.bolt || !isBoltPosition(to.bolt)) {
    return null;
  }
  const { inFlight } = after;
  const explained =
    inFlight !== null && inFlight.target === to.bolt && (inFlight.until === null || inFlight.until > from.at);
  return explained ? null : to.bolt;
}

/** Members that date a belief, that change with every listing or that are never shown; the belief is compared by its claims, moves by their authors. */
const UNSHOWN: ReadonlySet<string> = new Set<keyof Lock>([
  'belief',
  'presenceAt',
  'batteryAt',
  'inFlight',
  'device',
  'wifiDbm',
  'recent',
  'lastMove',
]);

/** Whether a lock looks as before and its evidence is only fresher, as after most polls. */
export function isOnlyFresher(before: Lock, after: Lock): boolean {
  return (
    sameMembers(before, after, UNSHOWN) &&
    !hasLearnedMove(before.recent, after.recent) &&
    before.lastMove?.by === after.lastMove?.by &&
    claimsTheSame(before.belief, after.belief)
  );
}

/** A member that is added later is compared, too. */
export function sameMembers<T extends object>(a: T, b: T, except: ReadonlySet<string> = new Set()): boolean {
  return Object.keys(a).every((key) => except.has(key) || Reflect.get(a, key) === Reflect.get(b, key));
}

function claimsTheSame(a: Belief, b: Belief): boolean {
  return (
    a.latest?.source === b.latest?.source &&
    a.latest?.bolt === b.latest?.bolt &&
    a.rest?.bolt === b.rest?.bolt &&
    a.jam === b.jam &&
    a.stale === b.stale
  );
}
