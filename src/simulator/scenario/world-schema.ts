// zod schemas of users and locks, for scenarios and control calls. Unknown members are errors:
// a misspelt setting that is silently ignored makes a test that proves nothing.
import { z } from 'zod';
import { isErrorCode } from '../contract/errors.ts';
import { ACCESS_TYPES, EVENT_CODES, SCHEDULE_TYPES, WEEK_DAYS } from '../contract/names.ts';
import { localTimeSchema, timeZoneSchema } from '../time/time-schemas.ts';
import type {
  AccessCodeSetup,
  DeviceSetup,
  HistoryEntrySetup,
  LockSettings,
  UserSetup,
} from '../world/setup.ts';
import type { PlannedFailure } from '../world/world-types.ts';

const DAY_MS = 86_400_000;

const text = z.string().min(1);
const durationMs = z.int().min(0).max(DAY_MS);
const percent = z.number().min(0).max(100);

export const boltEndSchema = z.enum(['Locked', 'Unlocked']);
export const codeSideSchema = z.enum(['lock', 'cloud', 'both']);
export const busyModeSchema = z.enum(['409', 'failed-command']);
export const percentSchema = percent;
export const durationMsSchema = durationMs;

/** Any of the settings of a lock. */
export const lockSettingsSchema = z.strictObject({
  timeZone: timeZoneSchema.exactOptional(),
  travelMs: durationMs.exactOptional(),
  travelJitterMs: durationMs.exactOptional(),
  codeWriteMs: durationMs.exactOptional(),
  autoRelockMs: durationMs.nullable().exactOptional(),
  scheduledLockAt: localTimeSchema.nullable().exactOptional(),
  accessCodeLength: z.int().min(4).max(8).exactOptional(),
  vlac: z.boolean().exactOptional(),
  activityAlarm: z.boolean().exactOptional(),
  wrongCodesToLockout: z.int().min(1).exactOptional(),
  keypadLockoutMs: durationMs.exactOptional(),
  noticeOfflineMs: durationMs.nullable().exactOptional(),
  drainPerMovement: percent.exactOptional(),
  lowBatteryPercent: percent.exactOptional(),
  criticalBatteryPercent: percent.exactOptional(),
  wifiRssi: z.int().min(-120).max(0).exactOptional(),
  modelName: text.exactOptional(),
  firmwareVersion: text.exactOptional(),
} satisfies Record<keyof LockSettings, z.ZodType>) satisfies z.ZodType<Partial<LockSettings>>;

const scheduleDetailsSchema = z.strictObject({
  startDateTime: z.string().nullable().exactOptional(),
  endDateTime: z.string().nullable().exactOptional(),
  schedules: z
    .array(
      z.strictObject({
        startTime: localTimeSchema,
        endTime: localTimeSchema,
        activeWeekDays: z.array(z.enum(WEEK_DAYS)),
      }),
    )
    .exactOptional(),
});

/** An access code put in place without a command; only its shape is checked, for lists must be able to drift. */
export const accessCodeSchema = z.strictObject({
  accessCodeId: text.exactOptional(),
  name: z.string(),
  code: z.string(),
  readOnly: z.boolean().exactOptional(),
  scheduleType: z.enum(SCHEDULE_TYPES).exactOptional(),
  scheduleDetails: scheduleDetailsSchema.exactOptional(),
}) satisfies z.ZodType<AccessCodeSetup>;

export const userSchema = z.strictObject({
  userId: text.exactOptional(),
  friendlyName: z.string(),
  email: z.string(),
}) satisfies z.ZodType<UserSetup>;

export const deviceSchema = z.strictObject({
  deviceId: text.exactOptional(),
  name: z.string(),
  type: z.enum(['WifiDeadbolt', 'WifiLever']),
  serialNumber: text.exactOptional(),
  bolt: boltEndSchema.exactOptional(),
  batteryPercent: percent.exactOptional(),
  roles: z.record(text, text),
  accessCodes: z.array(accessCodeSchema).exactOptional(),
  settings: lockSettingsSchema.exactOptional(),
}) satisfies z.ZodType<DeviceSetup>;

const errorCodeSchema = z.int().refine(isErrorCode, 'One of the error numbers 0 to 38');

export const plannedFailureSchema = z.strictObject({
  errorCode: errorCodeSchema,
  count: z.int().min(1).exactOptional(),
  delayMs: durationMs.exactOptional(),
  moves: z.boolean().exactOptional(),
}) satisfies z.ZodType<PlannedFailure>;

export const historyEntrySchema = z.strictObject({
  eventCode: z.enum(EVENT_CODES),
  at: z.int().exactOptional(),
  accessor: z
    .strictObject({
      id: z.string().nullable(),
      friendlyName: z.string().nullable(),
      accessType: z.enum(ACCESS_TYPES),
    })
    .exactOptional(),
}) satisfies z.ZodType<HistoryEntrySetup>;
