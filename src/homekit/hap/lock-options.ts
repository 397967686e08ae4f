// The options of one lock in Home, in the types that the configuration gives them.
import type { Config } from '../../config/config.ts';
import type { LockValues } from '../../domain/locks/settings.ts';

/**
 * A page may change the values of the lock, `hidden`, and whether the switch may unlock while Home shows the lock. The others
 * stay as config.json had them at the start. A name given in Home is never changed.
 */
export interface LockOptions
  extends LockValues,
    Pick<Config, 'offline' | 'connectivitySensor' | 'alerts' | 'fastEvents' | 'appleHomeCodes'> {
  /** It is not in Home, by its own setting or because it is in Matter alone. */
  readonly hidden: boolean;
}

export type AlertOptions = Config['alerts'];

/** A method of moving the bolt that can trigger a sensor. */
export type MoveMethod = AlertOptions['movedBy'][number];
