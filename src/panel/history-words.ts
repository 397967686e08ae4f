// What an entry of a history says in words, for pages and the command line.
import type { Accessor } from '../domain/access.ts';
import type { HistoryEntry, HistoryWhat } from '../domain/history.ts';
import { oneLine } from '../support/log.ts';

const WHAT_WORDS: Readonly<Record<HistoryWhat, string>> = {
  secured: 'locked',
  unsecured: 'unlocked',
  jammed: 'jammed',
  'keypad-locked-out': 'the keypad locked itself after wrong codes',
  'keypad-disconnected': 'the keypad was disconnected',
  alarm: 'the alarm sounded',
  'alarm-silenced': 'the alarm was silenced',
  'wrong-code': 'a wrong code was entered',
  online: 'back online',
  offline: 'offline',
  'code-added': 'an access code was added',
  'code-updated': 'an access code was changed',
  'code-deleted': 'an access code was deleted',
  'all-codes-deleted': 'all access codes were deleted',
  'user-added': 'a user was added',
  'user-deleted': 'a user was deleted',
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

const CODE_VERBS: Readonly<Partial<Record<HistoryWhat, string>>> = {
  'code-added': 'added',
  'code-updated': 'changed',
  'code-deleted': 'deleted',
};

/** An entry in words; `byWords` tells who did it. Safe for a terminal. */
export function entryWords(
  { what, serviceWord, by }: Pick<HistoryEntry, 'what' | 'serviceWord' | 'by'>,
  byWords: (by: Accessor) => string,
): string {
  const verb = CODE_VERBS[what];
  if (verb !== undefined && by.method === 'access-code') {
    // It names the code that was changed: no code changes another.
    return by.name === null ? WHAT_WORDS[what] : `the access code "${oneLine(by.name)}" was ${verb}`;
  }
  // An event that is not known here is called by the service's own word.
  const isNamed = what === 'unrecognised' && serviceWord !== undefined;
  return `${isNamed ? `event "${oneLine(serviceWord)}"` : WHAT_WORDS[what]}${byWords(by)}`;
}
