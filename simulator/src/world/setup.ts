// The initial state of a world: people, locks and settings, as scenarios and control calls write them. Unknown members
// are errors: a misspelt setting that is silently ignored makes a test that proves nothing.
import { z } from 'zod';
import { isErrorCode } from '../contract/errors.ts';
import { ACCESS_TYPES, EVENT_CODES, SCHEDULE_TYPES, WEEK_DAYS } from '../contract/names.ts';
import { localTimeSchema, timeZoneSchema } from '../time/zone.ts';

const DAY_MS = 86_400_000;

const text = z.string().min(1);
export const durationMsSchema = z.int().min(0).max(DAY_MS);
export const percentSchema = z.number().min(0).max(100);
export const boltEndSchema = z.enum(['Locked', 'Unlocked']);

/** How the service answers a command while another is pending on the device (wire contract 10.1). */
export const busyModeSchema = z.enum(['409', 'failed-command']);
export type BusyMode = z.infer<typeof busyModeSchema>;

/** Where an access code is put or dropped: on the lock, in the cloud's list, or both. */
export const codeSideSchema = z.enum(['lock', 'cloud', 'both']);
export type CodeSide = z.infer<typeof codeSideSchema>;

/** Everything about a lock that can be set at any time. Durations are milliseconds. */
export const lockSettingsSchema = z.strictObject({
  timeZone: timeZoneSchema.exactOptional(),
  /** How long the motor takes from end to end. */
  travelMs: durationMsSchema.exactOptional(),
  /** Up to this much, by seeded chance, is added to each travel. */
  travelJitterMs: durationMsSchema.exactOptional(),
  /** How long the lock takes to change its stored access codes. */
  codeWriteMs: durationMsSchema.exactOptional(),
  /** Locks this long after coming to rest unlocked; null: never. */
  autoRelockMs: durationMsSchema.nullable().exactOptional(),
  /** Locks every day at this local time, `HH:mm`; null: never. */
  scheduledLockAt: localTimeSchema.nullable().exactOptional(),
  /** Length of all codes of a lock without `vlac`. */
  accessCodeLength: z.int().min(4).max(8).exactOptional(),
  vlac: z.boolean().exactOptional(),
  activityAlarm: z.boolean().exactOptional(),
  /** Wrong entries in a row that disable the keypad, and for how long. */
  wrongCodesToLockout: z.int().min(1).exactOptional(),
  keypadLockoutMs: durationMsSchema.exactOptional(),
  /** When the cloud notices the loss of a lock; null: by seeded chance within 20 minutes. */
  noticeOfflineMs: durationMsSchema.nullable().exactOptional(),
  /** Percent of the battery that one motor movement costs. */
  drainPerMovement: percentSchema.exactOptional(),
  /** At or below these percentages the battery is Low, CriticallyLow. */
  lowBatteryPercent: percentSchema.exactOptional(),
  criticalBatteryPercent: percentSchema.exactOptional(),
  wifiRssi: z.int().min(-120).max(0).exactOptional(),
  modelName: text.exactOptional(),
  firmwareVersion: text.exactOptional(),
});
export type LockSettings = Readonly<Required<z.infer<typeof lockSettingsSchema>>>;

/** A user of the service; the id is chosen by seeded chance when absent, the name appears as an accessor's `friendlyName`. */
export const userSchema = z.strictObject({
  userId: text.exactOptional(),
  friendlyName: z.string(),
  email: z.string(),
});
export type UserSetup = Readonly<z.infer<typeof userSchema>>;
export type UserRecord = Required<UserSetup>;

const windowSchema = z.strictObject({
  startTime: localTimeSchema,
  endTime: localTimeSchema,
  activeWeekDays: z.array(z.enum(WEEK_DAYS)),
});

/** An access code put in place without a command, `Always` by default. Only its shape is checked: that is how lists drift apart. */
export const accessCodeSchema = z.strictObject({
  accessCodeId: text.exactOptional(),
  name: z.string(),
  code: z.string(),
  readOnly: z.boolean().exactOptional(),
  scheduleType: z.enum(SCHEDULE_TYPES).exactOptional(),
  scheduleDetails: z
    .strictObject({
      startDateTime: z.string().nullable().exactOptional(),
      endDateTime: z.string().nullable().exactOptional(),
      schedules: z.array(windowSchema).exactOptional(),
    })
    .exactOptional(),
});
export type AccessCodeSetup = Readonly<z.infer<typeof accessCodeSchema>>;

/** A lock as it comes into the world: `Locked`, with 100 percent of its battery, unless it is said otherwise. */
export const deviceSchema = z.strictObject({
  deviceId: text.exactOptional(),
  name: z.string(),
  type: z.enum(['WifiDeadbolt', 'WifiLever']),
  serialNumber: text.exactOptional(),
  bolt: boltEndSchema.exactOptional(),
  batteryPercent: percentSchema.exactOptional(),
  roles: z.record(text, text),
  accessCodes: z.array(accessCodeSchema).exactOptional(),
  settings: lockSettingsSchema.exactOptional(),
});
export type DeviceSetup = Readonly<z.infer<typeof deviceSchema>>;

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

export const plannedFailureSchema = z.strictObject({
  errorCode: z.int().refine(isErrorCode, 'One of the error numbers 0 to 38'),
  /** How many commands; default 1. */
  count: z.int().min(1).exactOptional(),
  /** From submission to failure; default the device's own time for that command. Above 60 s, 13 comes first. */
  delayMs: durationMsSchema.exactOptional(),
  /** The bolt moves all the same. */
  moves: z.boolean().exactOptional(),
});
export type PlannedFailure = Readonly<z.infer<typeof plannedFailureSchema>>;

/** A history entry written by hand, for codes that nothing in the world brings about (a firmware update). */
export const historyEntrySchema = z.strictObject({
  eventCode: z.enum(EVENT_CODES),
  /** Epoch milliseconds; default now. */
  at: z.int().exactOptional(),
  accessor: z
    .strictObject({
      id: z.string().nullable(),
      friendlyName: z.string().nullable(),
      accessType: z.enum(ACCESS_TYPES),
    })
    .exactOptional(),
});
export type HistoryEntrySetup = Readonly<z.infer<typeof historyEntrySchema>>;
