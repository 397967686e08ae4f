// Options of one lock over Matter, filled in by the Homebridge shell from the configuration.

export interface MatterLockOptions {
  /** The lock is not shown over Matter: not requested, or hidden everywhere. */
  readonly hidden: boolean;
  /** Initial name for controllers; null: its name in the account. */
  readonly name: string | null;
  /** Why it is never unlocked over Matter, as the end of a log line; null: it may be. */
  readonly unlockRefusal: string | null;
  /** Low at or below this percentage. */
  readonly lowBattery: number;
}
