// What a person may choose about how one lock shows in Home. Whoever starts HomeKit fills it in from the configuration.
import type { LowBatteryLimits } from '../domain/battery-policy.ts';
import type { WrongCodeLimits } from './wrong-code-policy.ts';

/** What Home shows of a lock of which nothing fresh is known. */
export type OfflineDisplay = 'unknown' | 'noResponse' | 'lastKnown';

/** The tile that tells whether the lock can be reached. Home reads a contact sensor as a door, an occupancy sensor not. */
export type ConnectivitySensor = 'occupancy' | 'contact' | 'none';

/** A sensor that follows the bolt. Home reads a contact sensor as a door. */
export type BoltSensorKind = 'occupancy' | 'contact';

/** A way of moving the bolt that can be announced. */
export type MoveMethod = 'keypad' | 'inside' | 'outside' | 'remote' | 'autoRelock' | 'nfc';

/** What is announced, each by a service of its own that automations and notifications can use. */
export interface AlertOptions {
  /** Null: not announced. */
  readonly wrongCode: WrongCodeLimits | null;
  readonly keypadLockedOut: boolean;
  readonly activityAlarm: boolean;
  readonly jam: boolean;
  readonly lowBattery: boolean;
  /** Names of access codes, letter by letter as in the account, each once. */
  readonly unlockedByCode: readonly string[];
  /** Each once. */
  readonly movedBy: readonly MoveMethod[];
  readonly boltSensor: BoltSensorKind | 'none';
  /** A switch that moves the bolt without Home asking first. */
  readonly automationSwitch: 'off' | 'lockOnly' | 'bothWays';
}

/**
 * A page may change `name`, `hidden`, `adminOnly`, `lowBattery` and whether the switch may unlock while Home shows the lock. The
 * others are as config.json had them at the start.
 */
export interface LockOptions {
  /** What Home first calls the lock; null: its name in the account. A person's rename in Home is never touched. */
  readonly name: string | null;
  /** The lock has no place in Home at all. */
  readonly hidden: boolean;
  /** Only the home's administrators may move the bolt. */
  readonly adminOnly: boolean;
  readonly offline: OfflineDisplay;
  readonly lowBattery: LowBatteryLimits;
  readonly connectivitySensor: ConnectivitySensor;
  readonly alerts: AlertOptions;
  /** Experimental: a pulse that HAP sends at once brings the lock's news along. */
  readonly fastEvents: boolean;
}
