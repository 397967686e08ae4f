// Wire contract 4 and 11: access codes and every check on them, in the contract's order.
import { describe, expect, test } from 'vitest';
import { DOOR, errorOf, home, MINUTE, refusalOf, statusAndCode } from './home.ts';

const GOOD = { name: 'Cleaner', code: '4821', scheduleType: 'Always' };
const TEMPORARY = { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00-04:00' };
const WINDOW = { startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] };
const DOG_WALKER = { accessCodeId: 'c1', name: 'Dog walker', code: '0417' };
const FIXED = { accessCodeId: 'fixed', name: 'Fixed', code: '9999', readOnly: true };

const temporary = (details: unknown) => ({
  ...GOOD,
  scheduleType: 'Temporary',
  scheduleDetails: details,
});
const recurring = (...schedules: unknown[]) => ({
  ...GOOD,
  scheduleType: 'Recurring',
  scheduleDetails: { schedules },
});

describe('wire contract 4, reading', () => {
  test('Always has no times and no windows, even when some are sent', () => {
    const { outcome, codes } = home();
    outcome('AddAccessCode', { ...GOOD, scheduleDetails: { ...TEMPORARY, schedules: [1, 2, 3] } });
    expect(codes()[0]?.scheduleDetails).toEqual({ startDateTime: null, endDateTime: null, schedules: [] });
  });

  test('times of Temporary come back with the offset of the device’s zone on that date', () => {
    const { outcome, codes } = home();
    outcome(
      'AddAccessCode',
      temporary({ startDateTime: '20261031T12:00+00:00', endDateTime: '20261102T12:00+00:00' }),
    );
    expect(codes()[0]).toMatchObject({
      scheduleType: 'Temporary',
      scheduleDetails: {
        startDateTime: '20261031T08:00-04:00',
        endDateTime: '20261102T07:00-05:00',
        schedules: [],
      },
    });
  });
});

describe('wire contract 4, adding, changing and deleting', () => {
  test('a new code is listed, stored, reported and remembered once the lock has it, not before', () => {
    const { world, command, codes, pass, reported, history } = home();
    const { data } = command('AddAccessCode', GOOD);
    pass(799);
    expect(codes()).toEqual([]);
    pass(1);
    expect(codes()).toMatchObject([GOOD]);
    expect(world.inspect(DOOR).codesOnLock).toEqual(codes());
    expect(reported()).toMatchObject([
      { kind: 'access-code-added', accessCode: codes()[0] },
      { kind: 'command-ended' },
    ]);
    expect(codes()[0]?.accessCodeId).toBe('accessCodeId' in data && data.accessCodeId);
    expect(history()).toMatchObject([
      { eventCode: 'AccessCodeUserAdded', accessor: { friendlyName: 'Cleaner', accessType: 'AccessCode' } },
    ]);
  });

  test('a change replaces what it names and keeps the rest', () => {
    const { outcome, codes, reported, world } = home({ accessCodes: [DOG_WALKER] });
    outcome('UpdateAccessCode', { accessCodeId: 'c1', name: 'Cat sitter' });
    expect(codes()).toMatchObject([{ accessCodeId: 'c1', name: 'Cat sitter', code: '0417' }]);
    outcome('UpdateAccessCode', { accessCodeId: 'c1', code: '7777' });
    outcome('UpdateAccessCode', {
      accessCodeId: 'c1',
      scheduleType: 'Temporary',
      scheduleDetails: TEMPORARY,
    });
    expect(codes()).toMatchObject([
      { name: 'Cat sitter', code: '7777', scheduleType: 'Temporary', scheduleDetails: TEMPORARY },
    ]);
    expect(reported()[0]).toMatchObject({ kind: 'access-code-updated', accessCode: { name: 'Cat sitter' } });
    expect(world.inspect(DOOR).codesOnLock).toEqual(codes());
  });

  test('wire contract 11: an empty change succeeds', () => {
    const { outcome } = home({ accessCodes: [DOG_WALKER] });
    expect(outcome('UpdateAccessCode', { accessCodeId: 'c1' }).state).toBe('Successful');
  });

  test('a change may give details for the type that is there, or a type that needs none', () => {
    const { outcome, codes } = home({
      accessCodes: [{ ...DOG_WALKER, scheduleType: 'Temporary', scheduleDetails: TEMPORARY }],
    });
    const endDateTime = '20260420T11:00-04:00';
    outcome('UpdateAccessCode', { accessCodeId: 'c1', scheduleDetails: { ...TEMPORARY, endDateTime } });
    expect(codes()[0]?.scheduleDetails.endDateTime).toBe(endDateTime);
    outcome('UpdateAccessCode', { accessCodeId: 'c1', scheduleType: 'Temporary' });
    expect(codes()[0]?.scheduleDetails.endDateTime).toBe(endDateTime);
    outcome('UpdateAccessCode', { accessCodeId: 'c1', scheduleType: 'Always' });
    expect(codes()[0]?.scheduleType).toBe('Always');
  });

  test('a code may keep its own name, digits and prefix', () => {
    const { outcome } = home({ accessCodes: [DOG_WALKER], settings: { vlac: true } });
    const same = { accessCodeId: 'c1', name: 'DOG WALKER', code: '04170' };
    expect(outcome('UpdateAccessCode', same).state).toBe('Successful');
  });

  test('deleting takes the code from list and lock and tells its name', () => {
    const { outcome, codes, reported, history, world } = home({ accessCodes: [DOG_WALKER] });
    outcome('DeleteAccessCode', { accessCodeId: 'c1' });
    expect(codes()).toEqual([]);
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
    expect(reported()[0]).toEqual({ kind: 'access-code-deleted', accessCodeId: 'c1', name: 'Dog walker' });
    expect(history()).toMatchObject([{ eventCode: 'AccessCodeUserDeleted' }]);
  });

  test('a code that only the cloud has, and one that only the lock has and nobody knows, can be deleted by id', () => {
    const { world, outcome, codes, refusal } = home();
    world.putAccessCode(DOOR, DOG_WALKER, 'cloud');
    world.putAccessCode(DOOR, { ...DOG_WALKER, accessCodeId: 'c2' }, 'lock');
    expect(codes().map((code) => code.accessCodeId)).toEqual(['c1']);
    expect(statusAndCode(refusalOf(world.getAccessCode('owner', DOOR, 'c2')))).toEqual([404, 31]);
    expect(statusAndCode(refusal('UpdateAccessCode', { accessCodeId: 'c2' }))).toEqual([404, 31]);
    expect(outcome('DeleteAccessCode', { accessCodeId: 'c1' }).state).toBe('Successful');
    expect(outcome('DeleteAccessCode', { accessCodeId: 'c2' }).state).toBe('Successful');
    expect(codes()).toEqual([]);
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
  });

  test('wire contract 11: delete-all leaves read-only codes', () => {
    const { outcome, codes, kinds, history, world } = home({ accessCodes: [DOG_WALKER, FIXED] });
    outcome('DeleteAllAccessCodes', {});
    expect(codes().map((code) => code.accessCodeId)).toEqual(['fixed']);
    expect(world.inspect(DOOR).codesOnLock.map((code) => code.accessCodeId)).toEqual(['fixed']);
    expect(kinds()).toEqual(['access-code-deleted', 'command-ended']);
    expect(history()).toMatchObject([{ eventCode: 'AllAccessCodesDeleted' }]);
  });

  test('a lock cut off while it writes has the code, the list has not, until the history is back', () => {
    const { world, command, codes, pass, history } = home();
    command('AddAccessCode', GOOD);
    world.cutWifi(DOOR, 0);
    pass(2 * MINUTE);
    expect(codes()).toEqual([]);
    expect(world.inspect(DOOR).codesOnLock).toMatchObject([GOOD]);
    world.restoreWifi(DOOR);
    expect(codes()).toEqual([]);
    expect(history()).toMatchObject([{ eventCode: 'AccessCodeUserAdded' }]);
  });
});

describe('wire contract 4, checks made at once', () => {
  const settings = { accessCodeLength: 4, vlac: false };

  test.each([
    ['name missing', { ...GOOD, name: undefined }, 18],
    ['name null', { ...GOOD, name: null }, 18],
    ['name empty', { ...GOOD, name: '' }, 18],
    ['name of 25 characters', { ...GOOD, name: 'x'.repeat(25) }, 28],
    ['name not ASCII', { ...GOOD, name: 'Café' }, 24],
    ['name not printable', { ...GOOD, name: 'a\nb' }, 24],
    ['name with DEL', { ...GOOD, name: 'a\u007f' }, 24],
    ['name not text', { ...GOOD, name: 7 }, 24],
    ['code missing', { ...GOOD, code: undefined }, 17],
    ['code null', { ...GOOD, code: null }, 17],
    ['code empty', { ...GOOD, code: '' }, 17],
    ['code not digits', { ...GOOD, code: '12a4' }, 3],
    ['code in other digits', { ...GOOD, code: '١٢٣٤' }, 3],
    ['code not text', { ...GOOD, code: 4821 }, 3],
    ['code of another length than the device’s', { ...GOOD, code: '48210' }, 30],
    ['scheduleType missing', { ...GOOD, scheduleType: undefined }, 19],
    ['scheduleType unknown', { ...GOOD, scheduleType: 'Sometimes' }, 34],
    ['scheduleType in another case', { ...GOOD, scheduleType: 'always' }, 34],
    ['Temporary without details', temporary(undefined), 34],
    ['Temporary without end', temporary({ startDateTime: TEMPORARY.startDateTime }), 34],
    [
      'Temporary that ends as it starts',
      temporary({ ...TEMPORARY, endDateTime: TEMPORARY.startDateTime }),
      34,
    ],
    ['Temporary without offset', temporary({ ...TEMPORARY, startDateTime: '20260415T15:00' }), 34],
    ['Temporary with Z', temporary({ ...TEMPORARY, startDateTime: '20260415T15:00Z' }), 34],
    ['Temporary in ISO form', temporary({ ...TEMPORARY, startDateTime: '2026-04-15T15:00-04:00' }), 34],
    [
      'Temporary on a 30th of February',
      temporary({ startDateTime: '20260230T15:00-05:00', endDateTime: '20260401T00:00-04:00' }),
      34,
    ],
    ['Temporary in a 13th month', temporary({ ...TEMPORARY, endDateTime: '20261301T00:00-04:00' }), 34],
    ['Recurring without windows', recurring(), 34],
    [
      'Recurring with windows that are no list',
      { ...recurring(), scheduleDetails: { schedules: WINDOW } },
      34,
    ],
    ['Recurring with a window that is none', recurring('always'), 34],
    ['Recurring that ends before it starts', recurring({ ...WINDOW, endTime: '08:00' }), 34],
    ['Recurring that ends as it starts', recurring({ ...WINDOW, endTime: '09:00' }), 34],
    ['Recurring at 24:00', recurring({ ...WINDOW, endTime: '24:00' }), 34],
    ['Recurring at 9:00', recurring({ ...WINDOW, startTime: '9:00' }), 34],
    ['Recurring on no day', recurring({ ...WINDOW, activeWeekDays: [] }), 34],
    ['Recurring on an unknown day', recurring({ ...WINDOW, activeWeekDays: ['Mon'] }), 34],
    ['Recurring with a bad second window', recurring(WINDOW, { ...WINDOW, endTime: 'late' }), 34],
    ['Recurring with three windows', recurring(WINDOW, WINDOW, WINDOW), 35],
    ['data that is no object', 'code', 20],
  ])('%s: 400', (_what, data, errorCode) => {
    const { refusal, kinds } = home({ settings });
    expect(statusAndCode(refusal('AddAccessCode', data))).toEqual([400, errorCode]);
    expect(kinds()).toEqual([]);
  });

  test.each([
    ['a name of 24 characters', { ...GOOD, name: 'x'.repeat(24) }],
    ['all of printable ASCII at its edges', { ...GOOD, name: ' ~' }],
    ['two windows', recurring(WINDOW, { ...WINDOW, activeWeekDays: ['Sunday'] })],
    ['Temporary', temporary(TEMPORARY)],
    ['Temporary on a leap day', temporary({ ...TEMPORARY, endDateTime: '20280229T00:00-05:00' })],
    ['unknown members', { ...GOOD, colour: 'green' }],
  ])('%s: accepted', (_what, data) => {
    const { outcome } = home({ settings });
    expect(errorOf(outcome('AddAccessCode', data))).toBe(null);
  });

  test.each([
    ['3 digits', '482', 30],
    ['9 digits', '482100000', 30],
    ['4 digits', '4821', null],
    ['8 digits', '48210000', null],
  ])('with vlac, %s', (_what, code, errorCode) => {
    const { submit } = home({ settings: { vlac: true } });
    const answer = submit('AddAccessCode', { ...GOOD, code });
    expect(answer.ok ? null : answer.refusal.errorCode).toBe(errorCode);
  });

  test('without vlac the device’s own length counts, whatever it is', () => {
    const { refusal, outcome } = home({ settings: { vlac: false, accessCodeLength: 6 } });
    expect(refusal('AddAccessCode', GOOD).errorCode).toBe(30);
    expect(outcome('AddAccessCode', { ...GOOD, code: '482100' }).state).toBe('Successful');
  });

  test.each(['UpdateAccessCode', 'DeleteAccessCode'])('%s: the id', (name) => {
    const { refusal } = home();
    for (const data of [{}, { accessCodeId: null }, { accessCodeId: '' }]) {
      expect(statusAndCode(refusal(name, data))).toEqual([400, 16]);
    }
    for (const accessCodeId of ['none', 7]) {
      expect(statusAndCode(refusal(name, { accessCodeId }))).toEqual([404, 31]);
    }
  });

  test.each([
    [{ name: '' }, 18],
    [{ code: '' }, 17],
    [{ code: '123' }, 30],
    [{ scheduleType: 'Temporary' }, 34],
    [{ scheduleType: 'Recurring', scheduleDetails: { schedules: [1, 2, 3] } }, 35],
  ])('a change to %o is checked as a new code is', (changes, errorCode) => {
    const { refusal } = home({ accessCodes: [DOG_WALKER] });
    expect(refusal('UpdateAccessCode', { accessCodeId: 'c1', ...changes }).errorCode).toBe(errorCode);
  });

  test('wire contract 11: the id first, then the table’s order, then 403', () => {
    const { refusal } = home({ accessCodes: [FIXED] });
    const codeOf = (members: object) => {
      const bad = { name: '', code: 'x', scheduleType: 'Never', accessCodeId: 'fixed' };
      return refusal('UpdateAccessCode', { ...bad, ...members }).errorCode;
    };
    expect(codeOf({ accessCodeId: 'none' })).toBe(31);
    expect(codeOf({})).toBe(18);
    expect(codeOf({ name: 'A' })).toBe(3);
    expect(codeOf({ name: 'A', code: '1111' })).toBe(34);
    expect(statusAndCode(refusal('UpdateAccessCode', { accessCodeId: 'fixed' }))).toEqual([403, 1]);
    expect(statusAndCode(refusal('DeleteAccessCode', { accessCodeId: 'fixed' }))).toEqual([403, 1]);
    expect(refusal('AddAccessCode', { code: 'x' }).errorCode).toBe(18);
    expect(refusal('AddAccessCode', { name: 'A', code: 'x' }).errorCode).toBe(3);
  });
});

describe('wire contract 4, clashes with the cloud’s list', () => {
  const settings = { vlac: true };
  const accessCodes = [{ accessCodeId: 'c1', name: 'Resident', code: '12345' }];

  test.each([
    ['the same code', { code: '12345' }, 2],
    ['the same name in another case', { name: 'RESIDENT' }, 4],
    ['an existing code is a prefix of the new one', { code: '123456' }, 37],
    ['the new one is a prefix of an existing code', { code: '1234' }, 38],
  ])('%s, in a new code and in a change: 409', (_what, changes, errorCode) => {
    const other = { accessCodeId: 'c2', name: 'Other', code: '7777' };
    const { refusal } = home({ settings, accessCodes: [...accessCodes, other] });
    const draft = { name: 'New', code: '8888', scheduleType: 'Always', ...changes };
    expect(statusAndCode(refusal('AddAccessCode', draft))).toEqual([409, errorCode]);
    const change = { accessCodeId: 'c2', ...changes };
    expect(statusAndCode(refusal('UpdateAccessCode', change))).toEqual([409, errorCode]);
  });

  test('wire contract 11: 2, 4, 37, 38, 5 in this order', () => {
    const many = Array.from({ length: 95 }, (_, number) => ({
      name: `N${number}`,
      code: `9${100 + number}`,
    }));
    const { refusal } = home({
      settings,
      accessCodes: [
        ...many,
        { name: 'Same code', code: '12345' },
        { name: 'Same name', code: '4444' },
        { name: 'Shorter', code: '1234' },
        { name: 'Longer', code: '123456' },
        { name: 'Much longer', code: '12347777' },
      ],
    });
    const add = (name: string, code: string) =>
      refusal('AddAccessCode', { name, code, scheduleType: 'Always' }).errorCode;
    expect(add('same name', '12345')).toBe(2);
    expect(add('same name', '12347')).toBe(4);
    expect(add('Free', '12347')).toBe(37);
    expect(add('Free', '44440')).toBe(37);
    expect(add('Free', '5555')).toBe(5);
  });

  test('without vlac there are no prefixes to clash', () => {
    const { outcome } = home({ settings: { vlac: false, accessCodeLength: 6 }, accessCodes });
    expect(outcome('AddAccessCode', { ...GOOD, code: '123456' }).state).toBe('Successful');
  });

  test('the hundredth code is taken, the next is 409 with 5', () => {
    const accessCodes99 = Array.from({ length: 99 }, (_, number) => ({
      name: `N${number}`,
      code: String(1000 + number),
    }));
    const { outcome, refusal, codes } = home({ accessCodes: accessCodes99 });
    expect(outcome('AddAccessCode', GOOD).state).toBe('Successful');
    expect(codes()).toHaveLength(100);
    expect(statusAndCode(refusal('AddAccessCode', { ...GOOD, name: 'One more', code: '5555' }))).toEqual([
      409, 5,
    ]);
  });
});

describe('codes put in place without a command', () => {
  test('the cloud’s list tells, the lock’s own store does not', () => {
    const { world, kinds } = home();
    const id = world.putAccessCode(DOOR, { name: 'A', code: '1111' }, 'lock');
    expect(kinds()).toEqual([]);
    world.putAccessCode(DOOR, { accessCodeId: id, name: 'A', code: '1111' }, 'cloud');
    world.putAccessCode(DOOR, { accessCodeId: id, name: 'B', code: '2222' }, 'both');
    expect(world.inspect(DOOR).codesOnLock).toMatchObject([{ accessCodeId: id, code: '2222' }]);
    world.dropAccessCode(DOOR, id, 'lock');
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
    world.dropAccessCode(DOOR, id, 'both');
    expect(kinds()).toEqual(['access-code-added', 'access-code-updated', 'access-code-deleted']);
  });

  test('dropping or doubling a code that is not there names it', () => {
    const { world } = home();
    expect(() => {
      world.dropAccessCode(DOOR, 'none', 'both');
    }).toThrow('No access code with the id "none"');
    expect(() => {
      world.duplicateCodeOnLock(DOOR, 'none');
    }).toThrow('No access code on the lock with the id "none"');
  });

  test('a schedule that makes no sense is refused, and the code not put', () => {
    const { world, codes } = home();
    const bad = { name: 'A', code: '1111', scheduleType: 'Temporary' } as const;
    expect(() => world.putAccessCode(DOOR, bad, 'both')).toThrow(
      /^scheduleDetails: not a Temporary schedule/,
    );
    expect(codes()).toEqual([]);
  });
});

describe('what only the lock finds out, as a failed command', () => {
  const taken = { accessCodeId: 'c1', name: 'Taken', code: '4821' };

  test.each([
    ['2: the code', { name: 'New', code: '4821' }, '4821', 2],
    ['4: the name', { name: 'TAKEN', code: '1111' }, '4821', 4],
    ['37: something shorter', { name: 'New', code: '48211' }, '4821', 37],
    ['38: something longer', { name: 'New', code: '4821' }, '482100', 38],
  ])('%s is there already, though the cloud does not list it', (_what, draft, code, errorCode) => {
    const { world, outcome, codes } = home({ settings: { vlac: true } });
    world.putAccessCode(DOOR, { ...taken, code }, 'lock');
    expect(errorOf(outcome('AddAccessCode', { ...draft, scheduleType: 'Always' }))).toBe(errorCode);
    expect([codes().length, world.inspect(DOOR).codesOnLock.length]).toEqual([0, 1]);
  });

  test('2: a changed code meets one that only the lock has', () => {
    const { world, outcome } = home({ accessCodes: [{ accessCodeId: 'c2', name: 'Mine', code: '1111' }] });
    world.putAccessCode(DOOR, taken, 'lock');
    expect(errorOf(outcome('UpdateAccessCode', { accessCodeId: 'c2', code: '4821' }))).toBe(2);
  });

  test('5 with 500: the lock is full though the cloud’s list is not', () => {
    const { world, outcome } = home();
    for (let number = 0; number < 100; number += 1) {
      world.putAccessCode(DOOR, { name: `Code ${number}`, code: String(1000 + number) }, 'lock');
    }
    expect(outcome('AddAccessCode', GOOD).data.error).toMatchObject({ statusCode: 500, errorCode: 5 });
  });

  test('26 with 404: a code that only the cloud has cannot be changed', () => {
    const { world, outcome, codes } = home();
    world.putAccessCode(DOOR, taken, 'cloud');
    const { data } = outcome('UpdateAccessCode', { accessCodeId: 'c1', name: 'Other' });
    expect(data.error).toMatchObject({ statusCode: 404, errorCode: 26 });
    expect(codes()).toMatchObject([{ name: 'Taken' }]);
  });

  test.each(['UpdateAccessCode', 'DeleteAccessCode'])('27: the lock holds the id twice, %s', (name) => {
    const { world, outcome } = home({ accessCodes: [taken] });
    world.duplicateCodeOnLock(DOOR, 'c1');
    expect(errorOf(outcome(name, { accessCodeId: 'c1' }))).toBe(27);
    expect(outcome('DeleteAllAccessCodes', {}).state).toBe('Successful');
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
  });
});
