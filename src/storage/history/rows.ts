// Converts an entry of a lock's history to a row and back. Words unknown to this version read as not recognised.

import type { HistoryEntry, HistoryGap, HistoryWhat } from '../../domain/history/history.ts';
import type { AccessMethod } from '../../domain/locks/access.ts';
import { integer, integerOrNull, text, textOrNull } from '../database/columns.ts';
import type { Row } from '../database/connection.ts';

/** A record, so that the compiler reports a missing word. */
const WHATS: Readonly<Record<HistoryWhat, true>> = {
  secured: true,
  unsecured: true,
  jammed: true,
  'keypad-locked-out': true,
  'keypad-disconnected': true,
  alarm: true,
  'alarm-silenced': true,
  'wrong-code': true,
  online: true,
  offline: true,
  'code-added': true,
  'code-updated': true,
  'code-deleted': true,
  'all-codes-deleted': true,
  'user-added': true,
  'user-deleted': true,
  'admin-added': true,
  'admin-deleted': true,
  'firmware-updated': true,
  'firmware-update-failed': true,
  'battery-normal': true,
  'battery-low': true,
  'battery-critical': true,
  'batteries-replaced': true,
  'passage-mode-on': true,
  'passage-mode-off': true,
  'history-cleared': true,
  unrecognised: true,
};

const METHODS: Readonly<Record<AccessMethod, true>> = {
  'virtual-key': true,
  'one-touch': true,
  'access-code': true,
  'auto-relock': true,
  thumbturn: true,
  'unlock-button': true,
  'lock-button': true,
  schedule: true,
  platform: true,
  'platform-key': true,
  'own-command': true,
  unavailable: true,
  other: true,
};

/** Columns in the order of the insert: type, `method`, `accessor_id`, `accessor_name`, `offset_minutes`, `service_word`. */
export function entryColumns({ what, by, offsetMinutes, serviceWord }: HistoryEntry) {
  return [what, by.method, by.id, by.name, offsetMinutes, serviceWord ?? null] as const;
}

export function entryOf(row: Row): HistoryEntry {
  const what = text(row, 'what');
  const method = text(row, 'method');
  const serviceWord = textOrNull(row, 'service_word');
  return {
    id: text(row, 'entry_id'),
    at: integer(row, 'happened_at'),
    offsetMinutes: integerOrNull(row, 'offset_minutes'),
    what: isKeyOf(WHATS, what) ? what : 'unrecognised',
    by: {
      method: isKeyOf(METHODS, method) ? method : 'other',
      id: textOrNull(row, 'accessor_id'),
      name: textOrNull(row, 'accessor_name'),
    },
    ...(serviceWord === null ? {} : { serviceWord }),
  };
}

export function gapOf(row: Row): HistoryGap {
  return { what: 'gap', from: integer(row, 'began_at'), to: integer(row, 'ended_at') };
}

function isKeyOf<Words extends object>(words: Words, word: PropertyKey): word is keyof Words {
  return Object.hasOwn(words, word);
}
