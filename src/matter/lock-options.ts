// Options of one lock over Matter, filled in by the Homebridge shell from the configuration.
import type { LowBatteryLimits } from '../domain/battery-policy.ts';

export interface MatterLockOptions {
  /** The lock is not shown over Matter: not requested, or hidden everywhere. */
  readonly hidden: boolean;
  /** Initial name for controllers; null: its name in the account. */
  readonly name: string | null;
  /** Matter does not distinguish administrators, so such a lock is never unlocked over Matter. */
  readonly adminOnly: boolean;
  readonly lowBattery: LowBatteryLimits;
}
