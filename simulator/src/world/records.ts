// Records in the shape of the wire (specification, Resources; wire contract 2-5).
import type { CommandErrorRecord, Refusal } from '../contract/errors.ts';
import type {
  ACCESS_TYPES,
  BATTERY_STATES,
  COMMAND_NAMES,
  EVENT_CODES,
  SCHEDULE_TYPES,
  WEEK_DAYS,
} from '../contract/names.ts';

export type AccessType = (typeof ACCESS_TYPES)[number];
export type BatteryState = (typeof BATTERY_STATES)[number];
export type CommandName = (typeof COMMAND_NAMES)[number];
export type EventCode = (typeof EVENT_CODES)[number];
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];
export type WeekDay = (typeof WEEK_DAYS)[number];

export type BoltEnd = 'Locked' | 'Unlocked';
/** `Unknown` after a jam, or when the lock lost its position. */
export type LockState = BoltEnd | 'Unknown';
/** The contract names `owner` and `guest`; any other word is a role that only reads. */
export type Role = 'owner' | 'guest' | (string & {});

/** The accessor; a lock without that information reports `AccessTypeUnavailable`. */
export interface Accessor {
  readonly id: string | null;
  readonly friendlyName: string | null;
  readonly accessType: AccessType;
}

/** A device as `GET /devices/{deviceId}` shows it. */
export interface DeviceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly lockState: LockState;
  readonly batteryState: BatteryState;
  readonly modelName: string;
  readonly serialNumber: string;
  readonly percentageBatteryLevel: number;
  readonly connected: boolean;
  readonly lastConnectedToCloud: string;
  readonly lastUpdated: string;
  readonly created: string;
  /** The offset of the device's zone now, `-04:00`. */
  readonly timezoneOffset: string;
  readonly firmwareVersion: string;
  readonly wifiRssi: number;
  readonly features: { readonly vlac: boolean; readonly activityAlarm: boolean };
}

export interface ListedDeviceRecord extends DeviceRecord {
  readonly role: Role;
}

/** `data` of the five commands by state (wire contract 3). */
export interface CommandDataByName {
  readonly ChangeLockState: { readonly lockState: LockState; readonly error: CommandErrorRecord | null };
  readonly AddAccessCode: CodeCommandData;
  readonly UpdateAccessCode: CodeCommandData;
  readonly DeleteAccessCode: CodeCommandData;
  readonly DeleteAllAccessCodes: { readonly deviceId: string; readonly error: CommandErrorRecord | null };
}

interface CodeCommandData {
  readonly accessCodeId: string | null;
  readonly friendlyName: string | null;
  readonly error: CommandErrorRecord | null;
}

export type CommandState = 'Pending' | 'Successful' | 'Failed';

/** A command as the commands endpoint shows it. A later state is a new record; a record never changes. */
export type CommandRecord = {
  readonly [Name in CommandName]: {
    readonly commandId: string;
    readonly deviceId: string;
    readonly state: CommandState;
    readonly name: Name;
    readonly data: CommandDataByName[Name];
  };
}[CommandName];

/** One weekly window, `HH:mm` local time of the device; the end minute is outside. */
export interface WeeklyWindow {
  readonly startTime: string;
  readonly endTime: string;
  readonly activeWeekDays: readonly WeekDay[];
}

/** `scheduleDetails`: always an object; times only for Temporary, windows only for Recurring (wire contract 4). */
export interface ScheduleDetailsRecord {
  /** `<yyyymmdd>T<hh:mm><+/-hh:mm>` with the offset of the device's zone on that date. */
  readonly startDateTime: string | null;
  readonly endDateTime: string | null;
  readonly schedules: readonly WeeklyWindow[];
}

export interface AccessCodeRecord {
  readonly accessCodeId: string;
  readonly name: string;
  readonly code: string;
  readonly accessCodeLength: number;
  readonly readOnly: boolean;
  readonly scheduleType: ScheduleType;
  readonly scheduleDetails: ScheduleDetailsRecord;
}

/** A history entry; `timestamp` is UTC or carries the device's offset, as asked (wire contract 5). */
export interface HistoryRecord {
  readonly id: string;
  readonly timestamp: string;
  readonly eventCode: EventCode;
  readonly accessor: Accessor;
}

/** The service's answer to a call: a value or a refusal. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };
