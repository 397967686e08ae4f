// The state of one lock in its retained message: evidence only, unknown otherwise.

import type { RuntimeLinkState } from '../../../domain/account/account.ts';
import { type Accessor, speakableName } from '../../../domain/locks/access.ts';
import { isLow } from '../../../domain/locks/battery-policy.ts';
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import { lastConfirmedAt } from '../../../domain/locks/evidence-policy.ts';
import { boltOf, type Lock } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { whoWords } from '../../../words/locks.ts';
import { inEnglish } from '../../../words/translate.ts';

export type LockWord = 'locked' | 'unlocked' | 'locking' | 'unlocking' | 'jammed' | 'unknown';

/** Members as docs/operate/mqtt.md describes them; null is not known. Instants are ISO 8601 in UTC. */
export interface LockState {
  readonly name: string;
  readonly state: LockWord;
  readonly target: 'locked' | 'unlocked' | null;
  readonly confirmed_at: string | null;
  readonly moved_to: 'locked' | 'unlocked' | null;
  readonly moved_by: string | null;
  readonly moved_how: string | null;
  readonly moved_at: string | null;
  /** Who and how, for people. */
  readonly last_moved_by: string | null;
  readonly online: boolean | null;
  readonly jammed: boolean | null;
  readonly battery: number | null;
  readonly battery_low: boolean | null;
  readonly wifi_dbm: number | null;
}

const POSITION_WORDS = { secured: 'locked', unsecured: 'unlocked' } as const;
const MOVING_WORDS = { secured: 'locking', unsecured: 'unlocking' } as const;

export function positionWord(position: BoltPosition): 'locked' | 'unlocked' {
  return POSITION_WORDS[position];
}

export interface StateFacts {
  readonly lock: Lock;
  readonly link: RuntimeLinkState;
  readonly name: string;
  readonly lowPercent: number;
  /** The last published `battery_low`; close above the bound it stays. */
  readonly wasLow: boolean;
  /** The service has said lately whether it reaches the lock. */
  readonly isPresenceFresh: boolean;
}

export function stateOf({ lock, link, name, lowPercent, wasLow, isPresenceFresh }: StateFacts): LockState {
  const { target, lastMove, battery } = lock;
  const isUnreported = battery.grade === 'unknown' && battery.percent === null;
  const bolt = boltOf(lock);
  return {
    name,
    state: wordOf(lock, link),
    target: target === null ? null : positionWord(target),
    confirmed_at: isoOf(lastConfirmedAt(lock.belief)),
    moved_to: lastMove === null ? null : positionWord(lastMove.to),
    moved_by: speakableName(lastMove?.by.name ?? null),
    moved_how: lastMove?.by.method ?? null,
    moved_at: isoOf(lastMove?.at ?? null),
    last_moved_by: lastMove === null ? null : moverOf(lastMove.by),
    online: onlineOf(lock, link, isPresenceFresh),
    jammed: bolt === 'unknown' ? null : bolt === 'jammed',
    battery: battery.percent,
    battery_low: isUnreported ? null : isLow(battery, lowPercent, wasLow),
    wifi_dbm: lock.wifiDbm,
  };
}

function moverOf(by: Accessor): string | null {
  const who = inEnglish(() => whoWords({ ...by, name: speakableName(by.name) }));
  return who === '' ? null : `${who.charAt(0).toUpperCase()}${who.slice(1)}`;
}

/** The position of an offline lock grows old, but not that it is offline, as long as the service repeats that. */
function onlineOf(lock: Lock, link: RuntimeLinkState, isPresenceFresh: boolean): boolean | null {
  if (lock.presence === 'offline' && isPresenceFresh && link === 'linked') {
    return false;
  }
  return isReported(lock, link) ? lock.presence === 'reachable' : null;
}

/** Whether there is fresh evidence of where the lock is, or was when it went offline. */
function isReported({ belief, presence }: Lock, link: RuntimeLinkState): boolean {
  return link === 'linked' && presence !== 'missing' && belief.latest !== null && !belief.stale;
}

/** Whether its state can be trusted and a command has a chance. */
export function isAvailable(lock: Lock, link: RuntimeLinkState): boolean {
  return isReported(lock, link) && lock.presence === 'reachable';
}

function wordOf(lock: Lock, link: RuntimeLinkState): LockWord {
  if (link !== 'linked' || lock.presence !== 'reachable') {
    return 'unknown';
  }
  const bolt = boltOf(lock);
  if (bolt === 'jammed') {
    return 'jammed';
  }
  if (lock.target !== null && lock.target !== bolt) {
    return MOVING_WORDS[lock.target];
  }
  return bolt === 'unknown' ? 'unknown' : positionWord(bolt);
}

export function isoOf(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
