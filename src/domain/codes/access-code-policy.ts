// Every rule of a valid access code, judged before the service is asked (specification, Access code; wire contract 4).

import type { RefusalReason } from '../commands/refusal.ts';
import { type Message, message } from '../language/message.ts';
import type { Instant } from '../time/instant.ts';
import {
  type AccessCode,
  type AccessCodeId,
  type CodeDraft,
  type CodeSchedule,
  hasHiddenPin,
  isPlain,
  LONGEST_CODE_NAME,
  WEEKDAYS,
  type Weekday,
  type WeeklyWindow,
} from './access-code.ts';

/** Digits (wire contract 4). */
export const SHORTEST_PIN = 4;
export const LONGEST_PIN = 8;
/** Codes on one lock, and windows of one schedule (wire contract 4). */
export const MOST_CODES = 100;
const MOST_WINDOWS = 2;

export type CodeField = 'name' | 'pin' | 'schedule' | 'lock';

/** A rule that a draft breaks: the field, the service's own reason, and the sentence for a person. */
export interface CodeFault {
  readonly field: CodeField;
  readonly reason: RefusalReason;
  readonly words: Message;
}

export interface CodeFacts {
  /** The codes of the lock, read-only ones included. */
  readonly codes: readonly AccessCode[];
  /** Whether the lock takes codes of different lengths. */
  readonly variableLength: boolean;
  /** The code that the draft replaces; null for a new one. */
  readonly replaces: AccessCodeId | null;
  readonly now: Instant;
}

/** All rules that the draft breaks, in the order of the fields. Empty when it is valid. */
export function faultsOfCode(draft: CodeDraft, facts: CodeFacts): readonly CodeFault[] {
  const others = facts.codes.filter(({ id }) => id !== facts.replaces);
  const broken: readonly (readonly [CodeField, Broken | null])[] = [
    ['name', nameFault(draft.name, others)],
    ['pin', pinFault(draft.pin, others, facts.variableLength)],
    ['schedule', scheduleFault(draft.schedule, facts.now)],
    ['lock', facts.replaces === null && others.length >= MOST_CODES ? LOCK_FULL : null],
  ];
  return broken.flatMap(([field, rule]) => {
    return rule === null ? [] : [{ field, reason: rule[0], words: rule[1] }];
  });
}

/** The rules that a change breaks. An unchanged member was accepted before, and is not judged again. */
export function faultsOfChange(
  code: AccessCode,
  changes: Partial<CodeDraft>,
  facts: Omit<CodeFacts, 'replaces'>,
): readonly CodeFault[] {
  const faults = faultsOfCode({ ...code, ...changes }, { ...facts, replaces: code.id });
  return faults.filter(({ field }) => field === 'lock' || changes[field] !== undefined);
}

type Broken = readonly [reason: RefusalReason, words: Message];

const LOCK_FULL: Broken = [
  'code-not-added',
  message('The lock already has {most} codes. Remove one first.', { most: MOST_CODES }),
];

function nameFault(name: string, others: readonly AccessCode[]): Broken | null {
  if (name.trim() === '') {
    return ['code-name-missing', message('Enter a name.')];
  }
  if (!isPlain(name)) {
    return [
      'values-invalid',
      message('Use plain letters (A to Z), digits and punctuation. The lock can’t store other characters.'),
    ];
  }
  if (name.length > LONGEST_CODE_NAME) {
    return ['code-name-too-long', message('Use at most {most} characters.', { most: LONGEST_CODE_NAME })];
  }
  const clash = others.some((other) => other.name.toLowerCase() === name.toLowerCase());
  return clash ? ['code-name-exists', message('Another code on this lock has this name.')] : null;
}

function pinFault(pin: string, others: readonly AccessCode[], variableLength: boolean): Broken | null {
  if (pin === '') {
    return ['pin-missing', message('Enter a code.')];
  }
  if (!/^\d+$/.test(pin)) {
    return ['pin-out-of-range', message('Use digits only.')];
  }
  if (pin.length < SHORTEST_PIN || pin.length > LONGEST_PIN) {
    const limits = { least: SHORTEST_PIN, most: LONGEST_PIN };
    return ['code-length-out-of-range', message('Use {least} to {most} digits.', limits)];
  }
  const shown = others.filter((other) => !hasHiddenPin(other));
  const length = variableLength ? null : (shown[0]?.pin.length ?? null);
  if (length !== null && pin.length !== length) {
    return [
      'code-length-out-of-range',
      message('All codes on this lock have {length} digits. Use {length}.', { length }),
    ];
  }
  return pinClash(pin, shown);
}

function pinClash(pin: string, others: readonly AccessCode[]): Broken | null {
  if (others.some((other) => other.pin === pin)) {
    return ['code-exists', message('Another code on this lock is the same. Choose a different one.')];
  }
  if (others.some((other) => pin.startsWith(other.pin))) {
    return [
      'code-subset-in-use',
      message('A shorter code on this lock begins the same way. Choose a different one.'),
    ];
  }
  if (others.some((other) => other.pin.startsWith(pin))) {
    return [
      'code-superset-in-use',
      message('A longer code on this lock begins with these digits. Choose a different one.'),
    ];
  }
  return null;
}

function scheduleFault(schedule: CodeSchedule, now: Instant): Broken | null {
  if (schedule.kind === 'recurring' && schedule.windows.length > MOST_WINDOWS) {
    return ['schedule-too-large', message('Use at most {most} weekly windows.', { most: MOST_WINDOWS })];
  }
  const words = scheduleWords(schedule, now);
  return words === null ? null : ['schedule-invalid', words];
}

function scheduleWords(schedule: CodeSchedule, now: Instant): Message | null {
  switch (schedule.kind) {
    case 'always':
      return null;
    case 'unrecognised':
      return message('Choose when the code works.');
    case 'temporary':
      if (schedule.until <= schedule.from) {
        return message('The end must be after the start.');
      }
      return schedule.until <= now ? message('The end is in the past.') : null;
    case 'recurring':
      return schedule.windows.length === 0
        ? message('Add at least one weekly window.')
        : (schedule.windows.map(windowFault).find((found) => found !== null) ?? null);
  }
}

function windowFault({ days, from, until }: WeeklyWindow): Message | null {
  if (days.length === 0) {
    return message('Choose at least one day.');
  }
  if (![from, until].every((time) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time))) {
    return message('Enter times as hours and minutes, for example 09:30.');
  }
  return until <= from ? nightFault({ days, from, until }) : null;
}

/** A window cannot pass midnight: says how the night is written as two. */
function nightFault({ days, from, until }: WeeklyWindow): Message {
  const shown = (of: readonly Weekday[], times: string): string =>
    `${of.map((day) => day.slice(0, 3)).join(',')} ${times}`;
  const nextDays = WEEKDAYS.filter((_, index) => {
    const before = WEEKDAYS.at(index - 1);
    return before !== undefined && days.includes(before);
  });
  return until === from
    ? message('The end of a window must be after its start, on the same day.')
    : message(
        'A window ends on the day on which it begins. Write the night as two: {evening} and {morning}.',
        {
          evening: shown(days, `${from}-23:59`),
          morning: shown(nextDays, `00:00-${until}`),
        },
      );
}
