// Entries of a lock's history, newest first, and the gaps between them.

import { refusalHandling } from '../commands/refusal.ts';
import type { Accessor } from '../locks/access.ts';
import { isBoltPosition } from '../locks/bolt.ts';
import { type Instant } from '../time/instant.ts';
import type { AlertReport, BoltReport, CodeReport, ServiceEvent } from '../webhooks/service-event.ts';

/**
 * The kind of an entry. `secured` and `unsecured` only when the service gives the direction; it is never guessed from the
 * accessor. `unrecognised`: the service gave none, or a word unknown here.
 */
export const HISTORY_WHATS = [
  'secured',
  'unsecured',
  'jammed',
  'keypad-locked-out',
  'keypad-disconnected',
  'alarm',
  'alarm-silenced',
  'wrong-code',
  'online',
  'offline',
  'code-added',
  'code-updated',
  'code-deleted',
  'all-codes-deleted',
  'user-added',
  'user-deleted',
  'admin-added',
  'admin-deleted',
  'firmware-updated',
  'firmware-update-failed',
  'battery-normal',
  'battery-low',
  'battery-critical',
  'batteries-replaced',
  'passage-mode-on',
  'passage-mode-off',
  'history-cleared',
  'unrecognised',
] as const;

export type HistoryWhat = (typeof HISTORY_WHATS)[number];

export interface HistoryEntry {
  readonly id: string;
  readonly at: Instant;
  /** How far the lock's local clock was ahead of UTC then, in minutes; null when it was not asked for. */
  readonly offsetMinutes: number | null;
  readonly what: HistoryWhat;
  readonly by: Accessor;
  /** The service's own word, kept where it is not known here. Foreign text. */
  readonly serviceWord?: string;
}

export interface HistoryQuestion {
  /** How many entries at most, 1 to `MOST_HISTORY_ENTRIES`. */
  readonly limit: number;
  /** Whether each entry should carry the lock's time zone offset at its date. */
  readonly deviceTime: boolean;
}

/** The most that one question may ask for (wire contract 5). */
export const MOST_HISTORY_ENTRIES = 100;

/** The service's list did not reach back to the last known entry: anything in between is lost. */
export interface HistoryGap {
  readonly what: 'gap';
  readonly from: Instant;
  readonly to: Instant;
}

export type HistoryLine = HistoryEntry | HistoryGap;

/** The most lines of a lock in one answer. */
export const MOST_HISTORY_LINES = 1_000;

/** The history entry of an event; null when it does not belong there. */
export function entryOfEvent(event: ServiceEvent): HistoryEntry | null {
  const what = whatOf(event);
  if (what === null || event.at === null) {
    return null;
  }
  const by = 'accessor' in event ? event.accessor : null;
  return {
    id: event.eventId,
    at: event.at,
    offsetMinutes: null,
    what,
    by: by ?? UNKNOWN_ACCESSOR,
    ...(event.type === 'unrecognised' ? { serviceWord: event.trigger } : {}),
  };
}

const UNKNOWN_ACCESSOR: Accessor = { method: 'unavailable', id: null, name: null };

/** Events that their name describes in full. Of a wrong code, nothing but the time is kept. */
const PLAIN_WORDS: Readonly<Record<(AlertReport | CodeReport)['type'], HistoryWhat>> = {
  alarm: 'alarm',
  'wrong-code': 'wrong-code',
  'keypad-locked-out': 'keypad-locked-out',
  'code-added': 'code-added',
  'code-updated': 'code-updated',
  'code-deleted': 'code-deleted',
};

/** Kinds that only webhooks report: no listed entry can be about the same occurrence. */
const NEVER_LISTED: ReadonlySet<HistoryWhat> = new Set<HistoryWhat>([
  'wrong-code',
  'online',
  'offline',
  'battery-normal',
]);

/** Whether a listed entry can be about the same occurrence as this reported one. */
export function canBeListed({ what }: HistoryEntry): boolean {
  return !NEVER_LISTED.has(what);
}

function whatOf(event: ServiceEvent): HistoryWhat | null {
  if (event.type === 'bolt') {
    return boltWord(event);
  }
  if (event.type === 'battery') {
    const { grade } = event.battery;
    return grade === 'unknown' ? null : `battery-${grade}`;
  }
  if (event.type === 'connectivity') {
    return event.connected === null ? null : event.connected ? 'online' : 'offline';
  }
  if (event.type === 'unrecognised') {
    return event.trigger === '' ? null : 'unrecognised';
  }
  if (event.type === 'command-ended') {
    const { reading } = event;
    return reading.state === 'failed' && refusalHandling(reading.reason) === 'jammed' ? 'jammed' : null;
  }
  return event.type === 'signed-out' ? null : PLAIN_WORDS[event.type];
}

/** A move during an outage shows only its result: the list alone knows when it happened and its accessor. */
function boltWord({ bolt, accessor }: BoltReport): HistoryWhat | null {
  return bolt !== null && isBoltPosition(bolt) && accessor?.method !== 'unavailable' ? bolt : null;
}
