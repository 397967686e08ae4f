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
} from '../../../../src/domain/codes/access-code.ts';
import { type CodeFacts, faultsOfCode } from '../../../../src/domain/codes/access-code-policy.ts';
import { t } from '../../../../src/words/translate.ts';

const NOW = Date.UTC(2026, 3, 14, 12);
const ALWAYS: CodeSchedule = { kind: 'always' };

function code(id: string, name: string, pin: string): AccessCode {
  return { id: accessCodeId(id), name, pin, readOnly: false, schedule: ALWAYS };
}

function facts(over: Partial<CodeFacts> = {}): CodeFacts {
  return { codes: [], variableLength: true, replaces: null, now: NOW, ...over };
}

function reasons(draft: Partial<CodeDraft>, over: Partial<CodeFacts> = {}): readonly string[] {
  const whole: CodeDraft = { name: 'Cleaner', pin: '4821', schedule: ALWAYS, ...draft };
  return faultsOfCode(whole, facts(over)).map(({ field, reason }) => `${field}: ${reason}`);
}

describe('the name of a code', () => {
  it.each([
    ['A', []],
    ['~'.repeat(24), []],
    ['', ['name: code-name-missing']],
    ['   ', ['name: code-name-missing']],
    ['~'.repeat(25), ['name: code-name-too-long']],
    ['Zoë', ['name: values-invalid']],
    ['Tab\tbed', ['name: values-invalid']],
    ['\u007f', ['name: values-invalid']],
  ])('%j has the fault %j (faults#69)', (name, expected) => {
    expect(reasons({ name })).toEqual(expected);
  });

  it('is unique without regard to case, but for the code that is changed (faults#69)', () => {
    const codes = [code('a', 'cleaner', '1111'), code('b', 'Guest', '2222')];
    expect(reasons({ name: 'CLEANER', pin: '3333' }, { codes })).toEqual(['name: code-name-exists']);
    expect(reasons({ name: 'CLEANER', pin: '3333' }, { codes, replaces: accessCodeId('a') })).toEqual([]);
  });
});

describe('the digits of a code', () => {
  it.each([
    ['0417', []],
    ['01234567', []],
    ['', ['pin: pin-missing']],
    ['41a7', ['pin: pin-out-of-range']],
    ['４８２１', ['pin: pin-out-of-range']],
    ['417', ['pin: code-length-out-of-range']],
    ['012345678', ['pin: code-length-out-of-range']],
  ])('%j have the fault %j', (pin, expected) => {
    expect(reasons({ pin })).toEqual(expected);
  });

  it('have one length on a lock that does not take several, known from its codes', () => {
    const codes = [code('a', 'Guest', '123456')];
    expect(reasons({ pin: '4821' }, { codes, variableLength: false })).toEqual([
      'pin: code-length-out-of-range',
    ]);
    expect(reasons({ pin: '482100' }, { codes, variableLength: false })).toEqual([]);
    expect(reasons({ pin: '4821' }, { codes: [], variableLength: false })).toEqual([]);
  });

  it.each([
    ['4821', 'pin: code-exists'],
    ['48210', 'pin: code-subset-in-use'],
    ['482', 'pin: code-length-out-of-range'],
  ])('%s beside 4821 have the fault: %s', (pin, expected) => {
    expect(reasons({ pin, name: 'New' }, { codes: [code('a', 'Guest', '4821')] })).toEqual([expected]);
  });

  it('do not begin a longer code of the lock', () => {
    expect(reasons({ pin: '4821' }, { codes: [code('a', 'Guest', '48210')] })).toEqual([
      'pin: code-superset-in-use',
    ]);
  });

  it('stand in no message of a fault', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{4,8}$/), fc.stringMatching(/^\d{4,8}$/), (pin, other) => {
        const faults = faultsOfCode(
          { name: 'X', pin, schedule: ALWAYS },
          facts({ codes: [code('a', 'Y', other)] }),
        );
        const said = faults.map(({ words }) => t(words));
        expect(said.filter((words) => words.includes(pin) || words.includes(other))).toEqual([]);
      }),
    );
  });

  it('clash exactly where one begins the other', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[01]{4,8}$/), fc.stringMatching(/^[01]{4,8}$/), (pin, other) => {
        const clash = pin.startsWith(other) || other.startsWith(pin);
        expect(reasons({ pin }, { codes: [code('a', 'Y', other)] }).length).toBe(clash ? 1 : 0);
      }),
    );
  });
});

describe('the schedule of a code', () => {
  const window = { days: ['Monday'], from: '09:00', until: '17:30' } as const;

  it.each<[string, CodeSchedule, readonly string[]]>([
    ['a stay', { kind: 'temporary', from: NOW, until: NOW + 1 }, []],
    ['an empty stay', { kind: 'temporary', from: NOW + 5, until: NOW + 5 }, ['schedule: schedule-invalid']],
    ['a stay that is over', { kind: 'temporary', from: NOW - 9, until: NOW }, ['schedule: schedule-invalid']],
    ['one window', { kind: 'recurring', windows: [window] }, []],
    ['two windows', { kind: 'recurring', windows: [window, window] }, []],
    ['no window', { kind: 'recurring', windows: [] }, ['schedule: schedule-invalid']],
    [
      'three windows',
      { kind: 'recurring', windows: [window, window, window] },
      ['schedule: schedule-too-large'],
    ],
    ['no day', { kind: 'recurring', windows: [{ ...window, days: [] }] }, ['schedule: schedule-invalid']],
    [
      'the end at the start',
      { kind: 'recurring', windows: [{ ...window, until: '09:00' }] },
      ['schedule: schedule-invalid'],
    ],
    ['a minute', { kind: 'recurring', windows: [{ ...window, until: '09:01' }] }, []],
    [
      'no time',
      { kind: 'recurring', windows: [window, { ...window, from: '9:00' }] },
      ['schedule: schedule-invalid'],
    ],
    [
      'hour 24',
      { kind: 'recurring', windows: [{ ...window, until: '24:00' }] },
      ['schedule: schedule-invalid'],
    ],
    ['one that was not understood', { kind: 'unrecognised' }, ['schedule: schedule-invalid']],
  ])('is judged: %s', (_, schedule, expected) => {
    expect(reasons({ schedule })).toEqual(expected);
  });

  it('is the same in any order of days and windows', () => {
    const a: CodeSchedule = {
      kind: 'recurring',
      windows: [{ ...window, days: ['Sunday', 'Monday'] }, window],
    };
    const b: CodeSchedule = {
      kind: 'recurring',
      windows: [window, { ...window, days: ['Monday', 'Sunday'] }],
    };
    expect(sameSchedule(a, b)).toBe(true);
    expect(sameSchedule(a, { kind: 'recurring', windows: [window] })).toBe(false);
    expect(sameSchedule(ALWAYS, { kind: 'unrecognised' })).toBe(false);
    for (const other of [{ days: ['Tuesday'] }, { from: '09:01' }, { until: '17:31' }] as const) {
      const c: CodeSchedule = { kind: 'recurring', windows: [{ ...window, ...other }] };
      expect(sameSchedule({ kind: 'recurring', windows: [window] }, c)).toBe(false);
    }
    expect(
      sameSchedule({ kind: 'temporary', from: 0, until: 2 }, { kind: 'temporary', from: 1, until: 2 }),
    ).toBe(false);
    expect(
      sameSchedule({ kind: 'temporary', from: 1, until: 2 }, { kind: 'temporary', from: 1, until: 3 }),
    ).toBe(false);
  });
});

describe('a lock with many codes', () => {
  const full = Array.from({ length: 100 }, (_, index) =>
    code(`c${String(index)}`, `Code ${String(index)}`, String(10_000_000 + index)),
  );

  it('takes the hundredth code, and none after it, but still a change', () => {
    expect(reasons({}, { codes: full.slice(1) })).toEqual([]);
    expect(reasons({}, { codes: full })).toEqual(['lock: code-not-added']);
    expect(reasons({}, { codes: full, replaces: accessCodeId('c7') })).toEqual([]);
  });
});

describe('a fault of a code', () => {
  const window = { days: ['Monday'], from: '09:00', until: '17:30' } as const;
  const kept = [code('a', 'Guest', '48215')];

  it.each<[Partial<CodeDraft>, Partial<CodeFacts>, string]>([
    [{ name: '' }, {}, 'Enter a name.'],
    [
      { name: 'Zoë' },
      {},
      'Use plain letters (A to Z), digits and punctuation. The lock can’t store other characters.',
    ],
    [{ name: '~'.repeat(25) }, {}, 'Use at most 24 characters.'],
    [{ name: 'GUEST', pin: '1111' }, { codes: kept }, 'Another code on this lock has this name.'],
    [{ pin: '' }, {}, 'Enter a code.'],
    [{ pin: '12a4' }, {}, 'Use digits only.'],
    [{ pin: 'a1234' }, {}, 'Use digits only.'],
    [{ pin: '1234a' }, {}, 'Use digits only.'],
    [{ pin: '123' }, {}, 'Use 4 to 8 digits.'],
    [{ pin: '1111' }, { codes: kept, variableLength: false }, 'All codes on this lock have 5 digits. Use 5.'],
    [{ pin: '48215' }, { codes: kept }, 'Another code on this lock is the same. Choose a different one.'],
    [
      { pin: '482150' },
      { codes: kept },
      'A shorter code on this lock begins the same way. Choose a different one.',
    ],
    [
      { pin: '4821' },
      { codes: kept },
      'A longer code on this lock begins with these digits. Choose a different one.',
    ],
    [{ schedule: { kind: 'unrecognised' } }, {}, 'Choose when the code works.'],
    [{ schedule: { kind: 'temporary', from: 2, until: 1 } }, {}, 'The end must be after the start.'],
    [{ schedule: { kind: 'temporary', from: NOW - 1, until: NOW } }, {}, 'The end is in the past.'],
    [{ schedule: { kind: 'recurring', windows: [] } }, {}, 'Add at least one weekly window.'],
    [
      { schedule: { kind: 'recurring', windows: [window, window, window] } },
      {},
      'Use at most 2 weekly windows.',
    ],
    [{ schedule: { kind: 'recurring', windows: [{ ...window, days: [] }] } }, {}, 'Choose at least one day.'],
    [
      { schedule: { kind: 'recurring', windows: [window, { ...window, until: '17:60' }] } },
      {},
      'Enter times as hours and minutes, for example 09:30.',
    ],
    [
      { schedule: { kind: 'recurring', windows: [{ ...window, from: 'at 09:00' }] } },
      {},
      'Enter times as hours and minutes, for example 09:30.',
    ],
    [
      { schedule: { kind: 'recurring', windows: [{ ...window, from: '09:00 ' }] } },
      {},
      'Enter times as hours and minutes, for example 09:30.',
    ],
    [
      { schedule: { kind: 'recurring', windows: [{ ...window, from: '18:00' }] } },
      {},
      'The end of a window must be after its start, on the same day.',
    ],
  ])('%j is reported in a sentence (%#)', (draft, over, words) => {
    const whole: CodeDraft = { name: 'Cleaner', pin: '9753', schedule: ALWAYS, ...draft };
    expect(faultsOfCode(whole, facts(over)).map((fault) => t(fault.words))).toEqual([words]);
  });

  it('of a full lock names the limit', () => {
    const full = Array.from({ length: 100 }, (_, index) => code(String(index), `n${String(index)}`, ''));
    const draft: CodeDraft = { name: 'Cleaner', pin: '9753', schedule: ALWAYS };
    expect(faultsOfCode(draft, facts({ codes: full })).map(({ words }) => t(words))).toEqual([
      'The lock already has 100 codes. Remove one first.',
    ]);
  });

  it('is absent beside a code whose digits the service hides', () => {
    expect(reasons({}, { codes: [code('a', 'Guest', '')] })).toEqual([]);
  });

  it.each(['00:00', '09:59', '19:30', '20:00', '23:58'])('is not raised by the time %s', (from) => {
    const schedule: CodeSchedule = { kind: 'recurring', windows: [{ ...window, from, until: '23:59' }] };
    expect(reasons({ schedule })).toEqual([]);
  });
});

describe('a code', () => {
  it('keeps its times to the minute, as the service does', () => {
    expect(toTheMinute({ kind: 'temporary', from: 179_999, until: 180_000 })).toEqual({
      kind: 'temporary',
      from: 120_000,
      until: 180_000,
    });
    expect(toTheMinute(ALWAYS)).toBe(ALWAYS);
  });

  it('equals a draft, or differs from it', () => {
    const kept = code('a', 'Guest', '4821');
    expect(matchesDraft(kept, kept)).toBe(true);
    expect(matchesDraft(kept, { ...kept, name: 'guest' })).toBe(false);
    expect(matchesDraft(kept, { ...kept, pin: '4822' })).toBe(false);
    expect(matchesDraft(kept, { ...kept, schedule: { kind: 'unrecognised' } })).toBe(false);
  });
});
