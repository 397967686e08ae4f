// What an entry of a history says.
import type { HistoryEntry, HistoryWhat } from '../domain/history/history.ts';
import { type Message, message } from '../domain/language/message.ts';
import type { AccessMethod } from '../domain/locks/access.ts';
import { ALERT_WORDS, BOLT_WORDS, byWords, PRESENCE_WORDS } from './locks.ts';
import { spokenName } from './stay-names.ts';
import { t } from './translate.ts';

const WHAT_WORDS: Readonly<Record<HistoryWhat, Message>> = {
  secured: BOLT_WORDS.secured,
  unsecured: BOLT_WORDS.unsecured,
  jammed: BOLT_WORDS.jammed,
  ...ALERT_WORDS,
  'keypad-disconnected': message('the keypad was disconnected'),
  'alarm-silenced': message('the alarm was silenced'),
  online: message('back online'),
  offline: PRESENCE_WORDS.offline,
  'code-added': message('an access code was added'),
  'code-updated': message('an access code was changed'),
  'code-deleted': message('an access code was removed'),
  'all-codes-deleted': message('all access codes were removed'),
  'user-added': message('a user was added'),
  'user-deleted': message('a user was removed'),
  'admin-added': message('a user became an administrator'),
  'admin-deleted': message('a user is no longer an administrator'),
  'firmware-updated': message('the firmware was updated'),
  'firmware-update-failed': message('an update of the firmware failed'),
  'battery-normal': message('the battery level is normal'),
  'battery-low': message('the battery is low'),
  'battery-critical': message('the battery is nearly empty'),
  'batteries-replaced': message('the batteries were replaced'),
  'passage-mode-on': message('passage mode was switched on'),
  'passage-mode-off': message('passage mode was switched off'),
  'history-cleared': message('the history was cleared'),
  unrecognised: message('something the service does not name'),
};

/** The same with the name of the code that was changed. */
const CODE_CHANGES: Readonly<Partial<Record<HistoryWhat, (name: string) => string>>> = {
  'code-added': (name) => t('the access code "{name}" was added', { name }),
  'code-updated': (name) => t('the access code "{name}" was changed', { name }),
  'code-deleted': (name) => t('the access code "{name}" was removed', { name }),
};

/** An entry with who did it. Names and the service's own words are foreign text: a terminal makes them harmless. */
export function entryWords({
  what,
  serviceWord,
  by,
}: Pick<HistoryEntry, 'what' | 'serviceWord' | 'by'>): string {
  const change = CODE_CHANGES[what];
  if (change !== undefined && by.method === 'access-code') {
    // It names the code that was changed: no code changes another.
    return by.name === null ? t(WHAT_WORDS[what]) : change(spokenName(by.name));
  }
  // An event that is not known here is called by the service's own word.
  const isNamed = what === 'unrecognised' && serviceWord !== undefined;
  return `${isNamed ? t('event "{word}"', { word: serviceWord }) : t(WHAT_WORDS[what])}${byWords(by)}`;
}

/** How someone outside can unlock, in a word or two. */
export const WAYS_IN: Readonly<Partial<Record<AccessMethod, Message>>> = {
  'access-code': message('code'),
  'virtual-key': message('app'),
  'one-touch': message('button outside'),
  platform: message('smart home'),
  'platform-key': message('home key'),
  'own-command': message('this plugin'),
};

/** What an erasure takes from this computer, before a person agrees. */
export function erasedWords(entries: number, name: string): string {
  return t(
    '{entries, plural, one {# entry} other {# entries}} of {name} would be erased here for good, and the service’s lists do not bring them back.',
    { entries, name },
  );
}

/** What no erasure here can take. */
export function stayingWords(): string {
  return t(
    'What stays: the service’s own log and the lock’s app, for as long as they keep it; exports, and backups that were made before.',
  );
}
