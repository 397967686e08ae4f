// The options of one lock as a page shows and changes them: each with its origin, because config.json wins.
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { LockValues, SourcedValues } from '../../domain/locks/settings.ts';

export interface LockSettingsView extends SourcedValues {
  readonly id: LockId;
  /** The lock's name in the account. */
  readonly accountName: string;
  /** The offset of the lock's own clock, in minutes east of UTC; null while the service does not report it. */
  readonly offsetMinutes: number | null;
}

/** A page's change of one lock's settings; null erases the page's value, an omitted member stays as it is. */
export type LockSettingsChange = {
  readonly [Name in keyof LockValues]?: LockValues[Name] | null | undefined;
};

/** Stores the settings that pages make for single locks. */
export interface LockSettingsApi {
  show(lock: Lock): LockSettingsView;
  /**
   * Applies an unchecked `LockSettingsChange`: all of it, or none. It is on the disk and in force when this returns, and
   * outlives the lock's absence. Throws `bad-request` with a sentence for each fault ("lowBattery: must be at most 95;
   * lower it."), or `storage-failed`.
   */
  configure(lock: Lock, change: Readonly<Record<string, unknown>>): LockSettingsView;
}
