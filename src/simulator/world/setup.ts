// The initial state of a world: people, locks and settings, from a scenario or a control call.
import type { Accessor, BoltEnd, EventCode, Role, ScheduleDetailsRecord, ScheduleType } from './records.ts';

/** How the service answers a command while another is pending on the device (wire contract 10.1). */
export type BusyMode = '409' | 'failed-command';

/** Everything about a lock that can be set at any time. Durations are milliseconds. */
export interface LockSettings {
  readonly timeZone: string;
  /** How long the motor takes from end to end. */
  readonly travelMs: number;
  /** Up to this much, by seeded chance, is added to each travel. */
  readonly travelJitterMs: number;
  /** How long the lock takes to change its stored access codes. */
  readonly codeWriteMs: number;
  /** Locks this long after coming to rest unlocked; null: never. */
  readonly autoRelockMs: number | null;
  /** Locks every day at this local time, `HH:mm`; null: never. */
  readonly scheduledLockAt: string | null;
  /** Length of all codes of a lock without `vlac`, 4-8. */
  readonly accessCodeLength: number;
  /** Whether codes may vary in length. */
  readonly vlac: boolean;
  readonly activityAlarm: boolean;
  /** Wrong entries in a row that disable the keypad, and for how long. */
  readonly wrongCodesToLockout: number;
  readonly keypadLockoutMs: number;
  /** When the cloud notices the loss of a lock; null: by seeded chance within 20 minutes. */
  readonly noticeOfflineMs: number | null;
  /** Percent of the battery that one motor movement costs. */
  readonly drainPerMovement: number;
  /** At or below these percentages the battery is Low, CriticallyLow. */
  readonly lowBatteryPercent: number;
  readonly criticalBatteryPercent: number;
  readonly wifiRssi: number;
  readonly modelName: string;
  readonly firmwareVersion: string;
}

/** A user of the service; the name appears as an accessor's `friendlyName`. */
export interface UserSetup {
  /** The id; chosen by seeded chance when absent. */
  readonly userId?: string;
  readonly friendlyName: string;
  readonly email: string;
}

/** A user of the world. */
export type UserRecord = Required<UserSetup>;

/** An access code put in place without a command. Not checked: that is how lists drift apart. */
export interface AccessCodeSetup {
  readonly accessCodeId?: string;
  readonly name: string;
  readonly code: string;
  readonly readOnly?: boolean;
  /** Default `Always`. */
  readonly scheduleType?: ScheduleType;
  readonly scheduleDetails?: Partial<ScheduleDetailsRecord>;
}

/** Where an access code is put or dropped: on the lock, in the cloud's list, or both. */
export type CodeSide = 'lock' | 'cloud' | 'both';

/** A lock as it comes into the world. */
export interface DeviceSetup {
  readonly deviceId?: string;
  readonly name: string;
  readonly type: 'WifiDeadbolt' | 'WifiLever';
  readonly serialNumber?: string;
  /** Default `Locked`. */
  readonly bolt?: BoltEnd;
  /** Default 100. */
  readonly batteryPercent?: number;
  readonly roles: Readonly<Record<string, Role>>;
  readonly accessCodes?: readonly AccessCodeSetup[];
  readonly settings?: Partial<LockSettings>;
}

/** A world before its first moment. */
export interface WorldSetup {
  /** The same seed and the same calls give the same world, byte for byte. */
  readonly seed: string;
  /** Epoch milliseconds. */
  readonly startAt: number;
  /** Default `409`. */
  readonly busyMode?: BusyMode;
  readonly users: readonly UserSetup[];
  readonly devices: readonly DeviceSetup[];
}

/** A history entry written by hand, for codes that nothing in the world brings about (a firmware update). */
export interface HistoryEntrySetup {
  readonly eventCode: EventCode;
  /** Epoch milliseconds; default now. */
  readonly at?: number;
  readonly accessor?: Accessor;
}
