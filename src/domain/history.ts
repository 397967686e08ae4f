// What happened at a lock, as the service remembers it: entries in the house's words, the newest first.
import type { Accessor } from './access.ts';
import type { Instant } from './bolt.ts';

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
