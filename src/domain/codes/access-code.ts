// An access code: a name, a PIN, and when it opens the lock.
import type { Instant } from '../time/instant.ts';

declare const accessCodeIdBrand: unique symbol;

export type AccessCodeId = string & { readonly [accessCodeIdBrand]: true };

export function accessCodeId(text: string): AccessCodeId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists only for the compiler
  return text as AccessCodeId;
}

const UNNAMED = /^record \d+ without an id$/;

/** Stands for the id of a record that has none of its own: no command can name it. */
export function unnamedCodeId(place: number): AccessCodeId {
  return accessCodeId(`record ${String(place)} without an id`);
}

/** Whether a record has no id of its own: it may be any code that the list seems to lack. */
export function isUnnamed({ id }: Pick<AccessCode, 'id'>): boolean {
  return UNNAMED.test(id);
}

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Hours of a week in which a code opens, in the lock's local time. */
export interface WeeklyWindow {
  readonly days: readonly Weekday[];
  /** `HH:mm`. */
  readonly from: string;
  /** `HH:mm`, after `from`. */
  readonly until: string;
}

export type CodeSchedule =
  | { readonly kind: 'always' }
  | { readonly kind: 'temporary'; readonly from: Instant; readonly until: Instant }
  | { readonly kind: 'recurring'; readonly windows: readonly WeeklyWindow[] }
  /** A schedule that this version cannot read: it is shown as such, and never written. */
  | { readonly kind: 'unrecognised' };

/** The members of a code that a person chooses. The PIN is a secret and text: it may begin with zeros. */
export interface CodeDraft {
  readonly name: string;
  readonly pin: string;
  readonly schedule: CodeSchedule;
}

/** Characters of a name (specification, Other limits). */
export const LONGEST_CODE_NAME = 24;
/** The former limit, which a lock or a service may still have. */
export const SHORTER_CODE_NAME = 12;

/** Whether a lock can store these characters (specification, Access code). */
export function isPlain(name: string): boolean {
  return /^[\u0020-\u007e]*$/.test(name);
}

export interface AccessCode extends CodeDraft {
  readonly id: AccessCodeId;
  /** The service allows no change or removal of this code through this interface. */
  readonly readOnly: boolean;
}

const MS_PER_MINUTE = 60_000;

/** The service keeps times to the minute: seconds would never be found again in its list. */
export function toTheMinute(schedule: CodeSchedule): CodeSchedule {
  const cut = (at: Instant): Instant => Math.floor(at / MS_PER_MINUTE) * MS_PER_MINUTE;
  return schedule.kind === 'temporary'
    ? { ...schedule, from: cut(schedule.from), until: cut(schedule.until) }
    : schedule;
}

/** Whether two schedules open at the same times. The order of windows and days does not matter. */
export function sameSchedule(a: CodeSchedule, b: CodeSchedule): boolean {
  return scheduleKey(a) === scheduleKey(b);
}

function scheduleKey(schedule: CodeSchedule): string {
  switch (schedule.kind) {
    case 'always':
    case 'unrecognised':
      return schedule.kind;
    case 'temporary':
      return `temporary ${String(schedule.from)} ${String(schedule.until)}`;
    case 'recurring':
      return schedule.windows.map(windowKey).sort().join(' ');
  }
}

function windowKey({ days, from, until }: WeeklyWindow): string {
  return `${WEEKDAYS.filter((day) => days.includes(day)).join('+')} ${from}-${until}`;
}

/** Names the members that a person chose: the same for codes that match. It holds the digits. */
export function draftKey({ name, pin, schedule }: CodeDraft): string {
  return JSON.stringify([name, pin, scheduleKey(schedule)]);
}

export function matchesDraft(code: CodeDraft, draft: CodeDraft): boolean {
  return code.name === draft.name && code.pin === draft.pin && sameSchedule(code.schedule, draft.schedule);
}

/** The members of a code that a person chose, without those that the service gave. */
export function draftOf({ name, pin, schedule }: CodeDraft): CodeDraft {
  return { name, pin, schedule };
}

/** Whether the service hides the digits in its list. */
export function hasHiddenPin({ pin }: Pick<CodeDraft, 'pin'>): boolean {
  return !/^\d+$/.test(pin);
}

/** As `matchesDraft`, also where the service hides the digits of its list. */
export function mayMatchDraft(listed: CodeDraft, draft: CodeDraft): boolean {
  return matchesDraft(hasHiddenPin(listed) ? { ...listed, pin: draft.pin } : listed, draft);
}
