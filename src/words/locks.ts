// What is said of a lock: where its bolt is, who moved it, its connection, its battery and its alerts.
import { type Message, message } from '../domain/language/message.ts';
import type { AccessMethod, Accessor } from '../domain/locks/access.ts';
import type { BoltPosition, BoltState } from '../domain/locks/bolt.ts';
import type { Battery, Lock, Presence } from '../domain/locks/lock.ts';
import type { AlertReport } from '../domain/webhooks/service-event.ts';
import { seriesWords } from './sentence.ts';
import { lengthWords } from './times.ts';
import { languageCode, t } from './translate.ts';

export const BOLT_WORDS: Readonly<Record<BoltState, Message>> = {
  secured: message('locked'),
  unsecured: message('unlocked'),
  jammed: message('jammed'),
  unknown: message('unknown'),
};

export const VERBS: Readonly<Record<BoltPosition, 'lock' | 'unlock'>> = {
  secured: 'lock',
  unsecured: 'unlock',
};

/** What happened to the bolt, with who moved it where that is known. */
export function boltNews(bolt: BoltState, by: Accessor | null = null): string {
  return bolt === 'unknown'
    ? t('bolt position unknown')
    : `${t(BOLT_WORDS[bolt])}${by === null ? '' : byWords(by)}`;
}

/** What to do about a bolt that got stuck on its way. */
export const JAM_ADVICE = message(
  'Close the door fully, check that nothing blocks the bolt, then lock again.',
);

/** What a page shows instead of buttons. */
export const VIEW_ONLY = message('View only: this account can’t operate the lock.');

/** An account that lists no lock, and what to do. */
export const NO_LOCKS = message(
  'No locks found in this account. In the lock’s app, check that this account owns a lock or was invited to one, and that the lock is on Wi-Fi.',
);

const METHOD_WORDS: Readonly<Record<AccessMethod, Message | null>> = {
  'virtual-key': message("the lock's app"),
  'one-touch': message('the button outside'),
  'access-code': message('a code'),
  'auto-relock': message('auto-relock'),
  thumbturn: message('hand'),
  'unlock-button': message('the button inside'),
  'lock-button': message('the button inside'),
  schedule: message('a schedule'),
  platform: message('a smart home'),
  'platform-key': message('a home key'),
  'own-command': message('this plugin'),
  unavailable: null,
  other: null,
};

/** "Dog walker (a code)", "a code", or nothing when nobody said. */
export function whoWords({ method, name }: Accessor): string {
  const how = METHOD_WORDS[method];
  const way = how === null ? '' : t(how);
  return name === null || way === '' ? (name ?? way) : `${name} (${way})`;
}

/** Whether `whoWords` says anything. */
export function saysWho({ method, name }: Accessor): boolean {
  return name !== null || METHOD_WORDS[method] !== null;
}

/** " by Dog walker (a code)", or nothing when nobody said: what follows what happened. */
export function byWords(by: Accessor): string {
  const who = whoWords(by);
  return who === '' ? '' : ` ${t('by {who}', { who })}`;
}

/** Whether the service reaches the lock. */
export const PRESENCE_WORDS: Readonly<Record<Presence, Message>> = {
  reachable: message('connected'),
  offline: message('offline'),
  missing: message('removed from the account'),
};

/** What happened to the connection. `before`: left out where it is not known any more. */
export function presenceNews(presence: Presence, before?: Presence): string {
  if (presence === 'reachable') {
    return t(before === 'missing' ? 'back in the account' : 'back online');
  }
  return t(PRESENCE_WORDS[presence]);
}

/** A lock that comes for the first time, and one that left for good. */
export const ROSTER_NEWS = {
  appeared: message('found in the account'),
  removed: message('removed from Home'),
} as const;

export const ALERT_WORDS: Readonly<Record<AlertReport['type'], Message>> = {
  'wrong-code': message('a wrong code was entered'),
  'keypad-locked-out': message('the keypad locked itself after wrong codes'),
  alarm: message('the alarm sounded'),
};

/** "87%", "low, 12%", or nothing when the service has not said. */
export function batteryWords({ grade, percent }: Battery): string {
  const graded = grade === 'low' ? t('low') : grade === 'critical' ? t('nearly empty') : '';
  const percentage = percent === null ? '' : percentWords(percent);
  return seriesWords([graded, percentage]);
}

function percentWords(percent: number): string {
  return new Intl.NumberFormat(languageCode(), { style: 'percent' }).format(percent / 100);
}

/** "left unlocked for 10 minutes". */
export function leftUnlockedWords(ms: number): string {
  return t('left unlocked for {length}', { length: lengthWords(ms) });
}

/** What a person calls the lock. A name is foreign text: a log or a terminal makes it harmless. */
export function nameOf({
  id,
  description,
}: Pick<Lock, 'id'> & { readonly description: { readonly name: string } }): string {
  return description.name === '' ? id : description.name;
}

/** What was moved to the lock that took the place of another. */
export function replacedWords(moved: {
  readonly guests: number;
  readonly calendars: number;
  readonly entries: number;
}): Message {
  return message(
    'Moved: {guests, plural, one {# guest} other {# guests}}, {calendars, plural, one {# calendar} other {# calendars}}, {entries, plural, one {# entry of the history} other {# entries of the history}}.',
    { guests: moved.guests, calendars: moved.calendars, entries: moved.entries },
  );
}
