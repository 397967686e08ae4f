// Converts an entry of a lock's history to a row and back. Words unknown to this version read as not recognised.

import { HISTORY_WHATS, type HistoryEntry, type HistoryGap } from '../../domain/history/history.ts';
import { ACCESS_METHODS } from '../../domain/locks/access.ts';
import { instant, integerOrNull, text, textOrNull, word } from '../database/columns.ts';
import type { Row } from '../database/connection.ts';

/** Columns in the order of the insert: type, `method`, `accessor_id`, `accessor_name`, `offset_minutes`, `service_word`. */
export function entryColumns({ what, by, offsetMinutes, serviceWord }: HistoryEntry) {
  return [what, by.method, by.id, by.name, offsetMinutes, serviceWord ?? null] as const;
}

export function entryOf(row: Row): HistoryEntry {
  const serviceWord = textOrNull(row, 'service_word');
  return {
    id: text(row, 'entry_id'),
    at: instant(row, 'happened_at'),
    offsetMinutes: integerOrNull(row, 'offset_minutes'),
    what: word(row, 'what', HISTORY_WHATS, 'unrecognised'),
    by: {
      method: word(row, 'method', ACCESS_METHODS, 'other'),
      id: textOrNull(row, 'accessor_id'),
      name: textOrNull(row, 'accessor_name'),
    },
    ...(serviceWord === null ? {} : { serviceWord }),
  };
}

export function gapOf(row: Row): HistoryGap {
  return { what: 'gap', from: instant(row, 'began_at'), to: instant(row, 'ended_at') };
}
