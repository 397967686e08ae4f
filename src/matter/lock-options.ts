// What a person may choose about one lock over Matter. The Homebridge shell fills it in from the configuration.
import type { LowBatteryLimits } from '../domain/battery-policy.ts';

export interface MatterLockOptions {
  /** The lock is not shown over Matter: it was not asked for, or the lock is hidden everywhere. */
  readonly hidden: boolean;
  /** What controllers first call the lock; null: its name in the account. */
  readonly name: string | null;
  /** Matter does not distinguish administrators, so such a lock is never unlocked over Matter. */
  readonly adminOnly: boolean;
  readonly lowBattery: LowBatteryLimits;
}
