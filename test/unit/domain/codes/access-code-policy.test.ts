// Every rule of a valid access code, at its boundary, and the properties that hold for all of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessCode,
  accessCodeId,
  type CodeDraft,
  type CodeSchedule,
  matchesDraft,
  sameSchedule,
  toTheMinute,
  type WeeklyWindow,
} from '../../../../src/domain/codes/access-code.ts';
import { type CodeFacts, faultsOfCode } from '../../../../src/domain/codes/access-code-policy.ts';
import { t } from '../../../../src/words/translate.ts';

const NOW = Date.UTC(2026, 3, 14, 12);
const ALWAYS: CodeSchedule = { kind: 'always' };
const WINDOW: WeeklyWindow = { days: ['Monday'], from: '09:00', until: '17:30' };
const weekly = (...windows: readonly Partial<WeeklyWindow>[]): CodeSchedule => ({
  kind: 'recurring',
  windows: windows.map((window) => Object.assign({}, WINDOW, window)),
});
const stay = (from: number, until: number): CodeSchedule => ({ kind: 'temporary', from, until });

function code(id: string, name: string, pin: string): AccessCode {
  return { id: accessCodeId(id), name, pin, readOnly: false, schedule: ALWAYS };
}

const FULL = Array.from({ length: 100 }, (_, index) =>
  code(`c${String(index)}`, `Code ${String(index)}`, String(10_000_000 + index)),
);

/** Each fault as its field, reason and sentence. */
function faults(draft: Partial<CodeDraft>, facts: Partial<CodeFacts> = {}): readonly string[] {
  const whole: CodeDraft = { name: 'Cleaner', pin: '9753', schedule: ALWAYS, ...draft };
  const known = { codes: [], variableLength: true, replaces: null, now: NOW, ...facts };
  return faultsOfCode(whole, known).map(({ field, reason, words }) => `${field}: ${reason}: ${t(words)}`);
}

const PLAIN =
  'name: values-invalid: Use plain letters (A to Z), digits and punctuation. The lock can’t store other characters.';
const LENGTH = 'pin: code-length-out-of-range: Use 4 to 8 digits.';
const DIGITS = 'pin: pin-out-of-range: Use digits only.';
const TIMES = 'schedule: schedule-invalid: Enter times as hours and minutes, for example 09:30.';
const SHORTER =
  'pin: code-subset-in-use: A shorter code on this lock begins the same way. Choose a different one.';
const LONGER =
  'pin: code-superset-in-use: A longer code on this lock begins with these digits. Choose a different one.';

describe('a draft of a code', () => {
  const guest = [code('a', 'Guest', '48215')];

  it.each<[Partial<CodeDraft>, Partial<CodeFacts>, string]>([
    [{ name: '' }, {}, 'name: code-name-missing: Enter a name.'],
    [{ name: '   ' }, {}, 'name: code-name-missing: Enter a name.'],
    [{ name: '~'.repeat(25) }, {}, 'name: code-name-too-long: Use at most 24 characters.'],
    [{ name: 'Zoë' }, {}, PLAIN],
    [{ name: 'Tab\tbed' }, {}, PLAIN],
    [{ name: '\u007f' }, {}, PLAIN],
    [{ name: 'GUEST' }, { codes: guest }, 'name: code-name-exists: Another code on this lock has this name.'],
    [{ pin: '' }, {}, 'pin: pin-missing: Enter a code.'],
    [{ pin: '12a4' }, {}, DIGITS],
    [{ pin: 'a1234' }, {}, DIGITS],
    [{ pin: '1234a' }, {}, DIGITS],
    [{ pin: '４８２１' }, {}, DIGITS],
    [{ pin: '417' }, {}, LENGTH],
    [{ pin: '012345678' }, {}, LENGTH],
    [{ pin: '482' }, { codes: guest }, LENGTH],
    [
      {},
      { codes: guest, variableLength: false },
      'pin: code-length-out-of-range: All codes on this lock have 5 digits. Use 5.',
    ],
    [
      { pin: '48215' },
      { codes: guest },
      'pin: code-exists: Another code on this lock is the same. Choose a different one.',
    ],
    [{ pin: '482150' }, { codes: guest }, SHORTER],
    [{ pin: '4821' }, { codes: guest }, LONGER],
    [{ schedule: { kind: 'unrecognised' } }, {}, 'schedule: schedule-invalid: Choose when the code works.'],
    [
      { schedule: stay(NOW + 5, NOW + 5) },
      {},
      'schedule: schedule-invalid: The end must be after the start.',
    ],
    [{ schedule: stay(NOW - 9, NOW) }, {}, 'schedule: schedule-invalid: The end is in the past.'],
    [{ schedule: weekly() }, {}, 'schedule: schedule-invalid: Add at least one weekly window.'],
    [{ schedule: weekly({}, {}, {}) }, {}, 'schedule: schedule-too-large: Use at most 2 weekly windows.'],
    [{ schedule: weekly({ days: [] }) }, {}, 'schedule: schedule-invalid: Choose at least one day.'],
    [
      { schedule: weekly({ until: '09:00' }) },
      {},
      'schedule: schedule-invalid: The end of a window must be after its start, on the same day.',
    ],
    [
      { schedule: weekly({ days: ['Monday', 'Sunday'], from: '22:00', until: '06:00' }) },
      {},
      'schedule: schedule-invalid: A window ends on the day on which it begins. Write the night as two: Mon,Sun 22:00-23:59 and Mon,Tue 00:00-06:00.',
    ],
    [{ schedule: weekly({}, { from: '9:00' }) }, {}, TIMES],
    [{ schedule: weekly({ from: 'at 09:00' }) }, {}, TIMES],
    [{ schedule: weekly({ from: '09:00 ' }) }, {}, TIMES],
    [{ schedule: weekly({ until: '17:60' }) }, {}, TIMES],
    [{ schedule: weekly({ until: '24:00' }) }, {}, TIMES],
    [{}, { codes: FULL }, 'lock: code-not-added: The lock already has 100 codes. Remove one first.'],
  ])('with %j breaks one rule, which is reported in a sentence (%#, faults#69)', (draft, facts, expected) => {
    expect(faults(draft, facts)).toEqual([expected]);
  });

  it.each<[string, Partial<CodeDraft>, Partial<CodeFacts>]>([
    ['the shortest name', { name: 'A' }, {}],
    ['the longest name', { name: '~'.repeat(24) }, {}],
    ['the name of what it changes', { name: 'GUEST' }, { codes: guest, replaces: accessCodeId('a') }],
    ['the fewest digits, beginning with a zero', { pin: '0417' }, {}],
    ['the most digits', { pin: '01234567' }, {}],
    ['the length of the other codes of its lock', { pin: '97531' }, { codes: guest, variableLength: false }],
    ['any length where the lock has no code', {}, { variableLength: false }],
    ['any digits beside a code whose digits the service hides', {}, { codes: [code('a', 'Guest', '')] }],
    [
      'the length of the codes that are shown, beside a mask',
      { pin: '97531' },
      { codes: [code('a', 'Guest', '****'), code('b', 'Other', '48215')], variableLength: false },
    ],
    ['a stay', { schedule: stay(NOW, NOW + 1) }, {}],
    ['one window', { schedule: weekly({}) }, {}],
    ['two windows', { schedule: weekly({}, {}) }, {}],
    ['a window of a minute', { schedule: weekly({ until: '09:01' }) }, {}],
    ...['00:00', '09:59', '19:30', '20:00', '23:58'].map(
      (from): [string, Partial<CodeDraft>, Partial<CodeFacts>] => [
        `a window from ${from}`,
        { schedule: weekly({ from, until: '23:59' }) },
        {},
      ],
    ),
    ['the hundredth code of a lock', {}, { codes: FULL.slice(1) }],
    ['a change of a full lock', {}, { codes: FULL, replaces: accessCodeId('c7') }],
  ])('with %s is valid', (_, draft, facts) => {
    expect(faults(draft, facts)).toEqual([]);
  });

  it('is reported without its digits or those of others', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{4,8}$/), fc.stringMatching(/^\d{4,8}$/), (pin, other) => {
        const said = faults({ pin }, { codes: [code('a', 'Y', other)] });
        expect(said.filter((words) => words.includes(pin) || words.includes(other))).toEqual([]);
      }),
    );
  });

  it('clashes with another exactly where one begins the other', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[01]{4,8}$/), fc.stringMatching(/^[01]{4,8}$/), (pin, other) => {
        const clash = pin.startsWith(other) || other.startsWith(pin);
        expect(faults({ pin }, { codes: [code('a', 'Y', other)] }).length).toBe(clash ? 1 : 0);
      }),
    );
  });
});

describe('a schedule', () => {
  it('is the same in any order of days and windows', () => {
    const one = weekly({ days: ['Sunday', 'Monday'] }, {});
    expect(sameSchedule(one, weekly({}, { days: ['Monday', 'Sunday'] }))).toBe(true);
  });

  it.each<[string, CodeSchedule, CodeSchedule]>([
    ['the number of windows', weekly({}, {}), weekly({})],
    ['the day', weekly({}), weekly({ days: ['Tuesday'] })],
    ['the start of a window', weekly({}), weekly({ from: '09:01' })],
    ['the end of a window', weekly({}), weekly({ until: '17:31' })],
    ['the kind', ALWAYS, { kind: 'unrecognised' }],
    ['the start of a stay', stay(0, 2), stay(1, 2)],
    ['the end of a stay', stay(1, 2), stay(1, 3)],
  ])('differs by %s', (_, one, other) => {
    expect(sameSchedule(one, other)).toBe(false);
  });

  it('keeps its times to the minute, as the service does', () => {
    expect(toTheMinute(stay(179_999, 180_000))).toEqual(stay(120_000, 180_000));
    expect(toTheMinute(ALWAYS)).toBe(ALWAYS);
  });
});

it('a code equals a draft with the same name, digits and schedule alone', () => {
  const kept = code('a', 'Guest', '4821');
  expect(matchesDraft(kept, { ...kept })).toBe(true);
  for (const other of [{ name: 'guest' }, { pin: '4822' }, { schedule: { kind: 'unrecognised' } as const }]) {
    expect(matchesDraft(kept, { ...kept, ...other })).toBe(false);
  }
});
