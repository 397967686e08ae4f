// An access code as a lock or the cloud keeps it, and every rule that a new or changed one must obey (wire contract 4).
import type { ErrorCode } from '../contract/errors.ts';
import type { AccessCodeRecord } from './records.ts';
import { isScheduleType, parseSchedule, type Schedule, scheduleRecord } from './schedule.ts';
import type { AccessCodeSetup, LockSettings } from './setup.ts';

/** A code kept on a lock or in the cloud's list. */
export interface StoredCode {
  readonly accessCodeId: string;
  readonly name: string;
  readonly code: string;
  readonly readOnly: boolean;
  readonly schedule: Schedule;
}

export type CodeDraft = Pick<StoredCode, 'name' | 'code' | 'schedule'>;

/** Wire contract 4: "100 codes already". */
export const MOST_CODES = 100;
/** Specification, Other limits. */
const LONGEST_NAME = 24;
/** Wire contract 4: codes have 4 to 8 digits. */
const SHORTEST_CODE = 4;
const LONGEST_CODE = 8;

/** The code as the list shows it, times in the device's zone. */
export function accessCodeRecord(code: StoredCode, timeZone: string): AccessCodeRecord {
  return {
    accessCodeId: code.accessCodeId,
    name: code.name,
    code: code.code,
    accessCodeLength: code.code.length,
    readOnly: code.readOnly,
    ...scheduleRecord(code.schedule, timeZone),
  };
}

/** A code as it is kept. Its digits and name are taken as they are; its schedule must make sense (RangeError). */
export function storedCode(setup: AccessCodeSetup, accessCodeId: string): StoredCode {
  const { name, code, readOnly = false, scheduleType = 'Always', scheduleDetails } = setup;
  const schedule = parseSchedule(scheduleType, scheduleDetails);
  if (typeof schedule === 'number') {
    throw new RangeError(
      `scheduleDetails: not a ${scheduleType} schedule; Temporary needs startDateTime and endDateTime as ` +
        `20260415T15:00-04:00, Recurring one or two schedules`,
    );
  }
  return { accessCodeId, name, code, readOnly, schedule };
}

type Members = Readonly<Record<string, unknown>>;

/** A member that is absent or null is not given: an error in a new code, no change in a changed one. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Reads a new code (`base` null) or a change of `base`, in the contract's order: name, code, schedule.
 * Returns the number of the first error instead when there is one.
 */
export function parseDraft(
  data: Members,
  base: CodeDraft | null,
  settings: LockSettings,
): CodeDraft | ErrorCode {
  const name = parseName(data['name'], base?.name);
  if (typeof name === 'number') {
    return name;
  }
  const code = parseCode(data['code'], base?.code, settings);
  if (typeof code === 'number') {
    return code;
  }
  const schedule = parseDraftSchedule(data, base?.schedule);
  return typeof schedule === 'number' ? schedule : { name, code, schedule };
}

function parseName(value: unknown, before: string | undefined): string | ErrorCode {
  if (!isGiven(value)) {
    return before ?? 18;
  }
  if (value === '') {
    return 18;
  }
  if (typeof value !== 'string') {
    return 24;
  }
  if (value.length > LONGEST_NAME) {
    return 28;
  }
  return /^[\u0020-\u007e]+$/.test(value) ? value : 24;
}

function parseCode(value: unknown, before: string | undefined, settings: LockSettings): string | ErrorCode {
  if (!isGiven(value)) {
    return before ?? 17;
  }
  if (value === '') {
    return 17;
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value)) {
    return 3;
  }
  const lengthIsGood = settings.vlac
    ? value.length >= SHORTEST_CODE && value.length <= LONGEST_CODE
    : value.length === settings.accessCodeLength;
  return lengthIsGood ? value : 30;
}

/** A change may name a type without details, or details without a type, as long as they still make a schedule. */
function parseDraftSchedule(data: Members, before: Schedule | undefined): Schedule | ErrorCode {
  const { scheduleType, scheduleDetails } = data;
  const type = isGiven(scheduleType) ? scheduleType : before?.type;
  if (type === undefined) {
    return 19;
  }
  if (!isScheduleType(type)) {
    return 34;
  }
  const keepsDetails = !isGiven(scheduleDetails) && before?.type === type;
  return keepsDetails ? before : parseSchedule(type, scheduleDetails);
}

/**
 * The first clash of a code with those already there, in the contract's order: 2, 4, 37, 38.
 * `ownId` is the code being changed, which cannot clash with itself.
 */
export function findClash(
  codes: Iterable<StoredCode>,
  draft: CodeDraft,
  ownId: string | null,
  vlac: boolean,
): ErrorCode | null {
  const others = [...codes].filter((other) => other.accessCodeId !== ownId);
  const name = draft.name.toLowerCase();
  if (others.some((other) => other.code === draft.code)) {
    return 2;
  }
  if (others.some((other) => other.name.toLowerCase() === name)) {
    return 4;
  }
  if (vlac && others.some((other) => draft.code.startsWith(other.code))) {
    return 37;
  }
  if (vlac && others.some((other) => other.code.startsWith(draft.code))) {
    return 38;
  }
  return null;
}
