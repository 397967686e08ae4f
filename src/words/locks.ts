// What is said of a lock: where its bolt is, who moved it, its connection, its battery and its alerts.
import type { AccessMethod, Accessor } from '../domain/locks/access.ts';
import type { BoltPosition, BoltState } from '../domain/locks/bolt.ts';
import type { Battery, Lock, Presence } from '../domain/locks/lock.ts';
import type { AlertReport } from '../domain/webhooks/service-event.ts';
import { lengthWords } from './times.ts';

/** Where the bolt is. */
export const BOLT_WORDS: Readonly<Record<BoltState, string>> = {
  secured: 'locked',
  unsecured: 'unlocked',
  jammed: 'jammed',
  unknown: 'unknown',
};

/** What is asked of a lock. */
export const VERBS: Readonly<Record<BoltPosition, 'lock' | 'unlock'>> = {
  secured: 'lock',
  unsecured: 'unlock',
};

/** What happened to the bolt, with who moved it where that is known. */
export function boltNews(bolt: BoltState, by: Accessor | null = null): string {
  return bolt === 'unknown'
    ? 'bolt position unknown'
    : `${BOLT_WORDS[bolt]}${by === null ? '' : byWords(by)}`;
}

/** What to do about a bolt that got stuck on its way. */
export const JAM_ADVICE = 'Close the door fully, check that nothing blocks the bolt, then lock again.';

/** What a page shows instead of buttons. */
export const VIEW_ONLY = 'View only: this account can’t operate the lock.';

/** An account that lists no lock, and what to do. */
export const NO_LOCKS =
  'No locks found in this account. In the lock’s app, check that this account owns a lock or was invited to one, and that the lock is on Wi-Fi.';

const METHOD_WORDS: Readonly<Record<AccessMethod, string | null>> = {
  'virtual-key': "the lock's app",
  'one-touch': 'the button outside',
  'access-code': 'a code',
  'auto-relock': 'auto-relock',
  thumbturn: 'hand',
  'unlock-button': 'the button inside',
  'lock-button': 'the button inside',
  schedule: 'a schedule',
  platform: 'a smart home',
  'platform-key': 'a home key',
  'own-command': 'this plugin',
  unavailable: null,
  other: null,
};

/** " by Dog walker (a code)", or nothing when nobody said. */
export function byWords({ method, name }: Accessor): string {
  const how = METHOD_WORDS[method];
  if (name === null) {
    return how === null ? '' : ` by ${how}`;
  }
  return how === null ? ` by ${name}` : ` by ${name} (${how})`;
}

/** Whether the service reaches the lock. */
export const PRESENCE_WORDS: Readonly<Record<Presence, string>> = {
  reachable: 'connected',
  offline: 'offline',
  missing: 'removed from the account',
};

/** What happened to the connection. `before`: left out where it is not known any more. */
export function presenceNews(presence: Presence, before?: Presence): string {
  if (presence === 'reachable') {
    return before === 'missing' ? 'back in the account' : 'back online';
  }
  return PRESENCE_WORDS[presence];
}

/** A lock that comes for the first time, and one that left for good. */
export const ROSTER_NEWS = { appeared: 'found in the account', removed: 'removed from Home' } as const;

export const ALERT_WORDS: Readonly<Record<AlertReport['type'], string>> = {
  'wrong-code': 'a wrong code was entered',
  'keypad-locked-out': 'the keypad locked itself after wrong codes',
  alarm: 'the alarm sounded',
};

/** "87%", "low, 12%", or nothing when the service has not said. */
export function batteryWords({ grade, percent }: Battery): string {
  const graded = grade === 'low' ? 'low' : grade === 'critical' ? 'nearly empty' : '';
  const percentage = percent === null ? '' : `${String(percent)}%`;
  return [graded, percentage].filter((part) => part !== '').join(', ');
}

/** "left unlocked for 10 minutes". */
export function leftUnlockedWords(ms: number): string {
  return `left unlocked for ${lengthWords(ms)}`;
}

/** What a person calls the lock. A name is foreign text: a log or a terminal makes it harmless. */
export function nameOf({
  id,
  description,
}: Pick<Lock, 'id'> & { readonly description: { readonly name: string } }): string {
  return description.name === '' ? id : description.name;
}
