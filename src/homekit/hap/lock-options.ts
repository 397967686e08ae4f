// The options of one lock in Home, in the types that the configuration gives them.
import type { Config } from '../../config/config.ts';

/**
 * A page may change `name`, `hidden`, `adminOnly`, `lowBattery` and whether the switch may unlock while Home shows the
 * lock. The others stay as config.json had them at the start.
 */
export interface LockOptions
  extends Pick<
    Config,
    'offline' | 'connectivitySensor' | 'alerts' | 'fastEvents' | 'appleHomeCodes' | 'lowBattery'
  > {
  /** The first name in Home; null: the lock's name in the account. A name given in Home is never changed. */
  readonly name: string | null;
  readonly hidden: boolean;
  /** Only administrators of the home may operate the lock. */
  readonly adminOnly: boolean;
}

export type AlertOptions = Config['alerts'];

/** A method of moving the bolt that can trigger a sensor. */
export type MoveMethod = AlertOptions['movedBy'][number];
