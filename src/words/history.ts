// What an entry of a history says.
import type { HistoryEntry, HistoryWhat } from '../domain/history/history.ts';
import type { AccessMethod } from '../domain/locks/access.ts';
import { CODE_VERBS } from './codes.ts';
import { ALERT_WORDS, BOLT_WORDS, byWords, presenceNews } from './locks.ts';

const WHAT_WORDS: Readonly<Record<HistoryWhat, string>> = {
  secured: BOLT_WORDS.secured,
  unsecured: BOLT_WORDS.unsecured,
  jammed: BOLT_WORDS.jammed,
  ...ALERT_WORDS,
  'keypad-disconnected': 'the keypad was disconnected',
  'alarm-silenced': 'the alarm was silenced',
  online: presenceNews('reachable'),
  offline: presenceNews('offline'),
  'code-added': 'an access code was added',
  'code-updated': 'an access code was changed',
  'code-deleted': 'an access code was removed',
  'all-codes-deleted': 'all access codes were removed',
  'user-added': 'a user was added',
  'user-deleted': 'a user was removed',
  'admin-added': 'a user became an administrator',
  'admin-deleted': 'a user is no longer an administrator',
  'firmware-updated': 'the firmware was updated',
  'firmware-update-failed': 'an update of the firmware failed',
  'battery-normal': 'the battery level is normal',
  'battery-low': 'the battery is low',
  'battery-critical': 'the battery is nearly empty',
  'batteries-replaced': 'the batteries were replaced',
  'passage-mode-on': 'passage mode was switched on',
  'passage-mode-off': 'passage mode was switched off',
  'history-cleared': 'the history was cleared',
  unrecognised: 'something the service does not name',
};

const CODE_CHANGES: Readonly<Partial<Record<HistoryWhat, keyof typeof CODE_VERBS>>> = {
  'code-added': 'add',
  'code-updated': 'update',
  'code-deleted': 'remove',
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
    return by.name === null
      ? WHAT_WORDS[what]
      : `the access code "${by.name}" was ${CODE_VERBS[change].done}`;
  }
  // An event that is not known here is called by the service's own word.
  const isNamed = what === 'unrecognised' && serviceWord !== undefined;
  return `${isNamed ? `event "${serviceWord}"` : WHAT_WORDS[what]}${byWords(by)}`;
}

/** How someone outside can unlock, in a word or two. */
export const WAYS_IN: Readonly<Partial<Record<AccessMethod, string>>> = {
  'access-code': 'code',
  'virtual-key': 'app',
  'one-touch': 'button outside',
  platform: 'smart home',
  'platform-key': 'home key',
  'own-command': 'this plugin',
};
