// What a person may choose about how one lock shows in Home. Whoever starts HomeKit fills it in from the configuration.

/** What Home shows of a lock of which nothing fresh is known. */
export type OfflineDisplay = 'unknown' | 'noResponse' | 'lastKnown';

/** The tile that tells whether the lock can be reached. Home reads a contact sensor as a door, an occupancy sensor not. */
export type ConnectivitySensor = 'occupancy' | 'contact' | 'none';

/** Two bounds, so that a battery at the edge does not warn every hour. Whole percent. */
export interface LowBatteryLimits {
  /** From here down it is low. */
  readonly thresholdPercent: number;
  /** From here up it is good again. */
  readonly clearPercent: number;
}

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
}
