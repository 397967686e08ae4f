// The pages' sentences about doors: how a bolt stands, who moved it, how long ago.
import type { AccessMethod, Accessor } from '../../src/domain/access.ts';
import type { RuntimeLinkState } from '../../src/domain/account.ts';
import type { BoltPosition, BoltState, Instant } from '../../src/domain/bolt.ts';
import type { RequestRefusal } from '../../src/domain/intent-policy.ts';
import type { Battery } from '../../src/domain/lock.ts';
import type { LockView } from '../../src/panel/lock-view.ts';
import type { PageResults } from './transport.ts';

export const BOLT_WORDS: Readonly<Record<BoltState, string>> = {
  secured: 'Locked',
  unsecured: 'Unlocked',
  jammed: 'Jammed',
  unknown: 'Unknown',
};

/** Why a bolt jams, and what to do. */
export const JAM_ADVICE =
  'The bolt got stuck on its way. Close the door fully, check that nothing blocks the bolt, then lock again.';

/** An account that lists no lock, and what to do. */
export const NO_LOCKS =
  'No locks found in this account. In the lock’s app, check that this account owns a lock or was invited to one, and that the lock is on Wi-Fi.';

const MOVING_WORDS: Readonly<Record<BoltPosition, string>> = {
  secured: 'Locking …',
  unsecured: 'Unlocking …',
};

/** A link that no longer holds, in one line that says what it means and what helps. */
export const LINK_LOSS: Readonly<Record<Exclude<RuntimeLinkState, 'linked' | 'other-process'>, string>> = {
  unlinked: 'No account is connected, so Home can’t show or operate any lock.',
  revoked: 'The service ended the connection. Home shows “No Response” until you connect again.',
  expired: 'The connection has expired. Home shows “No Response” until you connect again.',
  'signed-out': 'The account was signed out everywhere. Home shows “No Response” until you connect again.',
};

const CREDENTIALS: Readonly<Record<string, string>> = {
  'partner.clientId': 'client ID',
  'partner.clientSecret': 'client secret',
  'partner.subscriptionKeys': 'subscription key',
};

/** Credentials that are needed, by the paths of their options: "The service cannot be asked: client id and ... missing." */
export function missingWords(missing: readonly string[]): string {
  const names = missing.map((path) => CREDENTIALS[path] ?? path);
  const list = new Intl.ListFormat('en').format(names);
  return `The ${list} ${names.length === 1 ? 'is' : 'are'} missing, so the service can’t be reached.`;
}

const METHOD_WORDS: Readonly<Record<AccessMethod, string | null>> = {
  'virtual-key': "the lock's app",
  'one-touch': 'the button outside',
  'access-code': 'a code',
  'auto-relock': 'the lock itself',
  thumbturn: 'hand',
  'unlock-button': 'the button inside',
  'lock-button': 'the button inside',
  schedule: 'its schedule',
  platform: 'a smart home',
  'platform-key': 'a home key',
  'own-command': 'this plugin',
  unavailable: null,
  other: null,
};

const REFUSAL_WORDS: Readonly<Record<RequestRefusal, string>> = {
  'not-linked': 'The account is not linked.',
  'remote-unlock-forbidden': 'Remote unlock is turned off for this lock.',
  'role-may-not-command': 'View only: this account can’t operate the lock.',
  'lock-missing': 'This lock was removed from the account.',
  'too-late': 'Homebridge was asleep, so this command expired. Try again.',
};

/** What a person calls the lock. A name is foreign text: it is only ever shown as text. */
export function nameOf({ id, description }: Pick<LockView, 'id' | 'description'>): string {
  return description.name === '' ? id : description.name;
}

/** Where the bolt is or, while a command is under way, where it goes. Of an unreachable lock, only what was known. */
export function boltWords(lock: Pick<LockView, 'bolt' | 'target' | 'presence'>, isCurrent: boolean): string {
  const { bolt, target } = lock;
  if (isCurrent && target !== null && target !== bolt) {
    return MOVING_WORDS[target];
  }
  return certainBolt(lock, isCurrent) === bolt ? BOLT_WORDS[bolt] : `Was ${BOLT_WORDS[bolt].toLowerCase()}`;
}

/** The bolt as it may be drawn: of a lock that nobody reaches, or that the page no longer hears of, unknown. */
export function certainBolt(
  { bolt, presence }: Pick<LockView, 'bolt' | 'presence'>,
  isCurrent: boolean,
): BoltState {
  return isCurrent && presence === 'reachable' ? bolt : 'unknown';
}

/** " by Dog walker (a code)", or nothing when nobody said. */
export function byWords({ method, name }: Accessor): string {
  const how = METHOD_WORDS[method];
  if (name === null) {
    return how === null ? '' : ` by ${how}`;
  }
  return how === null ? ` by ${name}` : ` by ${name} (${how})`;
}

/** "Left unlocked for 10 minutes", or nothing while it is not. */
export function leftUnlockedWords(
  { leftUnlockedSince }: Pick<LockView, 'leftUnlockedSince'>,
  isCurrent: boolean,
  now: Instant,
): string {
  return leftUnlockedSince === null || !isCurrent
    ? ''
    : `Left unlocked for ${lengthWords(now - leftUnlockedSince)}`;
}

export function isLow({ grade }: Pick<Battery, 'grade'>): boolean {
  return grade === 'low' || grade === 'critical';
}

/** "87%", "low, 12%", or nothing when the service has not said. */
export function batteryWords({ grade, percent }: Battery): string {
  const graded = grade === 'low' ? 'low' : grade === 'critical' ? 'nearly empty' : '';
  const percentage = percent === null ? '' : `${String(percent)}%`;
  return [graded, percentage].filter((part) => part !== '').join(', ');
}

/** What the press of "Lock" came to, where the card itself does not show it; empty when it does. */
export function moveWords(move: PageResults['lock']): string {
  switch (move.kind) {
    case 'refused':
      return REFUSAL_WORDS[move.reason];
    case 'failed':
      return move.message;
    case 'already':
      return 'Already locked.';
    case 'superseded':
      return 'Replaced by a newer command.';
    case 'uncertain':
      return 'The result is unknown. The lock’s next update will show it.';
    case 'accepted':
    case 'joined':
      return '';
  }
}

/** "just now", "40 seconds ago", "5 minutes ago", "3 hours ago", "2 days ago". */
export function agoWords(ms: number): string {
  const words = lengthWords(ms);
  return words === '' ? 'just now' : `${words} ago`;
}

/** "40 seconds", "5 minutes", "1 hour", "2 days"; empty below 5 seconds. */
export function lengthWords(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  if (seconds < 5) {
    return '';
  }
  if (seconds < 60) {
    return counted(seconds, 'second');
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    return counted(minutes, 'minute');
  }
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

function counted(count: number, unit: string): string {
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** `14:03` today, `Apr 14, 14:03` else, where the reader is. */
export function timeWords(at: Instant, now: Instant): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? date.toLocaleTimeString([], { timeStyle: 'short' })
    : date.toLocaleString([], { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** `14:03`, where the reader is. */
export function clockWords(at: Instant): string {
  return new Date(at).toLocaleTimeString([], { timeStyle: 'short' });
}

/** "Today", "Yesterday", or "Tuesday, April 14". */
export function dayWords(at: Instant, now: Instant): string {
  const day = new Date(at).toDateString();
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === new Date(now).toDateString()) {
    return 'Today';
  }
  return day === yesterday.toDateString()
    ? 'Yesterday'
    : new Date(at).toLocaleDateString([], { weekday: 'long', month: 'long', day: 'numeric' });
}
