// What happened at a lock: entries in the house's words, the newest first, and the gaps of which nobody knows.
import type { Accessor } from './access.ts';
import { type Instant, isBoltPosition } from './bolt.ts';
import type { BatteryGrade } from './lock.ts';
import { refusalHandling } from './refusal.ts';
import type { BoltReport, ServiceEvent } from './service-event.ts';

/**
 * What an entry is about. `secured` and `unsecured` are said only when the service says the direction; it is never
 * guessed from who moved the bolt. `unrecognised`: the service did not say, or in a word that is not known here.
 */
export type HistoryWhat =
  | 'secured'
  | 'unsecured'
  | 'jammed'
  | 'keypad-locked-out'
  | 'keypad-disconnected'
  | 'alarm'
  | 'alarm-silenced'
  | 'code-added'
  | 'code-deleted'
  | 'all-codes-deleted'
  | 'user-added'
  | 'user-deleted'
  | 'admin-added'
  | 'admin-deleted'
  | 'firmware-updated'
  | 'firmware-update-failed'
  | 'battery-low'
  | 'battery-critical'
  | 'batteries-replaced'
  | 'passage-mode-on'
  | 'passage-mode-off'
  | 'history-cleared'
  | 'unrecognised';

export interface HistoryEntry {
  readonly id: string;
  readonly at: Instant;
  /** How far the clock at the door was ahead of UTC then, in minutes; null when the service was not asked for it. */
  readonly offsetMinutes: number | null;
  readonly what: HistoryWhat;
  readonly by: Accessor;
}

export interface HistoryQuestion {
  /** How many entries at most, 1 to `MOST_HISTORY_ENTRIES`. */
  readonly limit: number;
  /** Whether each entry should tell the time zone offset of the door at its date. */
  readonly deviceTime: boolean;
}

/** The most that one question may ask for (wire contract 5). */
export const MOST_HISTORY_ENTRIES = 100;

/** The service's list did not reach back to what was known: whatever happened in between is known to nobody here. */
export interface HistoryGap {
  readonly what: 'gap';
  readonly from: Instant;
  readonly to: Instant;
}

/** One line of a history as people see it. */
export type HistoryLine = HistoryEntry | HistoryGap;

/** The most lines of a lock that are told at a time. */
export const MOST_HISTORY_LINES = 1_000;

/** What an event of the service tells of a lock's history; null when nothing that belongs there. */
export function entryOfEvent(event: ServiceEvent): HistoryEntry | null {
  const what = whatOf(event);
  if (what === null || event.at === null) {
    return null;
  }
  const by = 'accessor' in event ? event.accessor : null;
  return { id: event.eventId, at: event.at, offsetMinutes: null, what, by: by ?? NOBODY_KNOWN };
}

const NOBODY_KNOWN: Accessor = { method: 'unavailable', id: null, name: null };

/** Events whose name is all that they tell. Who is reachable and which codes were tried is not kept. */
const PLAIN_WORDS: Readonly<Partial<Record<ServiceEvent['type'], HistoryWhat>>> = {
  alarm: 'alarm',
  'keypad-locked-out': 'keypad-locked-out',
  'code-added': 'code-added',
  'code-deleted': 'code-deleted',
};

function whatOf(event: ServiceEvent): HistoryWhat | null {
  if (event.type === 'bolt') {
    return boltWord(event);
  }
  if (event.type === 'battery') {
    return batteryWord(event.battery.grade);
  }
  if (event.type === 'command-ended') {
    const { reading } = event;
    return reading.state === 'failed' && refusalHandling(reading.reason) === 'jammed' ? 'jammed' : null;
  }
  return PLAIN_WORDS[event.type] ?? null;
}

/** A bolt that moved while nobody could tell of it is found where it is now: when and by whom, only the list knows. */
function boltWord({ bolt, accessor }: BoltReport): HistoryWhat | null {
  return bolt !== null && isBoltPosition(bolt) && accessor?.method !== 'unavailable' ? bolt : null;
}

function batteryWord(grade: BatteryGrade): HistoryWhat | null {
  return grade === 'low' || grade === 'critical' ? `battery-${grade}` : null;
}
