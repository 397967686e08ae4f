// Options of one lock over MQTT, filled in from the configuration.

/** Which commands are accepted from a broker at all. */
export type AcceptedCommands = 'none' | 'lockOnly' | 'both';

export interface MqttLockOptions {
  readonly hidden: boolean;
  /** Null: its name in the account. */
  readonly name: string | null;
  /** `lockOnly` also where only administrators may unlock, because a broker cannot tell who asks. */
  readonly commands: AcceptedCommands;
  /** The account refuses an unlock from anywhere without it, and says so itself. */
  readonly remoteUnlock: boolean;
  /** Low at or below this percentage. */
  readonly lowBattery: number;
}
