// Access codes as the wire has them, lenient where the specification shows two forms.
import { describe, expect, it } from 'vitest';
import {
  decodeAccessCode,
  decodeAccessCodes,
  decodeTime,
  encodeChanges,
  encodeTime,
} from '../../../src/wire/access-code-codec.ts';

const RECURRING = {
  accessCodeId: 'a71e',
  name: 'Dog walker',
  code: '0417',
  accessCodeLength: 4,
  readOnly: false,
  scheduleType: 'Recurring',
  scheduleDetails: {
    startDateTime: null,
    endDateTime: null,
    schedules: [{ startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] }],
  },
};

const STAY = {
  kind: 'temporary',
  from: Date.UTC(2026, 3, 15, 19),
  until: Date.UTC(2026, 3, 18, 15),
} as const;

const weekly = (startTime: unknown, endTime: string, activeWeekDays: readonly unknown[]) => ({
  schedules: [{ startTime, endTime, activeWeekDays }],
});

describe('a record', () => {
  it('of a recurring code is read completely', () => {
    const windows = [{ days: ['Monday', 'Wednesday'], from: '09:00', until: '17:30' }];
    const schedule = { kind: 'recurring', windows };
    const code = { id: 'a71e', name: 'Dog walker', pin: '0417', readOnly: false, schedule };
    expect(decodeAccessCode(RECURRING, 'UTC')).toEqual(code);
  });

  it.each([
    [417, 4, '0417'],
    [417, '6', '000417'],
    [0, 4, '0000'],
    [417, 8, '00000417'],
    [417, 9, '417'],
    [417, null, '417'],
    [-4, 4, ''],
    [4.5, 4, ''],
    [null, 4, ''],
    ['0417', 6, '0417'],
  ])('with the code %j of length %j has the digits %j', (code, accessCodeLength, pin) => {
    expect(decodeAccessCode({ ...RECURRING, code, accessCodeLength }, 'UTC')?.pin).toBe(pin);
  });

  it.each([
    [{}, false],
    [{ readOnly: true }, true],
    [{ readOnly: 'true' }, true],
    [{ readOnly: 'True' }, true],
    [{ readOnly: undefined }, false],
    [{ readOnly: 'false' }, false],
  ])('%j is read-only: %s', (over, readOnly) => {
    expect(decodeAccessCode({ ...RECURRING, ...over }, 'UTC')?.readOnly).toBe(readOnly);
  });

  it.each<readonly [string, unknown]>([
    ['Weekly', RECURRING.scheduleDetails],
    ['Temporary', {}],
    ['Temporary', { startDateTime: '20260415T15:00-04:00', endDateTime: 'soon' }],
    ['Recurring', { schedules: [] }],
    ['Temporary', { startDateTime: 'soon', endDateTime: '20260415T15:00-04:00' }],
    ['Recurring', weekly('09:00', '17:30', ['Monday', 'Someday'])],
    ['Recurring', weekly('09:00', '17:30', [])],
    ['Recurring', weekly('09:00', '17:30', [7])],
    ['Recurring', weekly('09:00', 'dusk', ['Monday'])],
    ['Recurring', null],
    ...['dawn', '24:00', '09:00 or so', '9', '09:60', '09h00', '', null, {}].map(
      (start) => ['Recurring', weekly(start, '17:30', ['Monday'])] as const,
    ),
  ])('with the schedule %s %j is kept without a meaning', (scheduleType, scheduleDetails) => {
    const record = { ...RECURRING, scheduleType, scheduleDetails };
    expect(decodeAccessCode(record, 'UTC')?.schedule).toEqual({ kind: 'unrecognised' });
  });

  it.each([
    ['09:00:00', '17:30:59', ['monday', 'WEDNESDAY']],
    ['9:00', '17:30', ['Mon', 'wed']],
    ['0900', '1730', ['Monday', 'Wednesday']],
    ['900', '1730', ['Wednesday', 'Monday']],
  ])('from %s to %s on %j is the same schedule', (startTime, endTime, activeWeekDays) => {
    const scheduleDetails = weekly(startTime, endTime, activeWeekDays);
    const record = { ...RECURRING, scheduleType: 'recurring', scheduleDetails };
    expect(decodeAccessCode(record, 'UTC')).toEqual(decodeAccessCode(RECURRING, 'UTC'));
  });

  it('of a stay is read with its two times', () => {
    const scheduleDetails = { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00' };
    const record = { ...RECURRING, scheduleType: 'Temporary', scheduleDetails };
    expect(decodeAccessCode(record, 'America/New_York')?.schedule).toEqual(STAY);
  });

  it('is always open where its schedule says so', () => {
    const record = { ...RECURRING, scheduleType: 'Always' };
    expect(decodeAccessCode(record, 'UTC')?.schedule).toEqual({ kind: 'always' });
  });

  it('without an id is null by itself, and in a list one that cannot be changed: it may open the door', () => {
    const odd = { ...RECURRING, accessCodeId: null };
    expect(decodeAccessCode(odd, 'UTC')).toBeNull();
    const [, code] = decodeAccessCodes({ accessCodes: [RECURRING, odd] }, 'UTC') ?? [];
    expect(code).toMatchObject({ name: 'Dog walker', pin: '0417', readOnly: true });
  });
});

it('a list that has one id twice shows a repeated code once, and hides no other code behind its id (faults#183)', () => {
  expect(decodeAccessCodes([RECURRING, { ...RECURRING }], 'UTC')).toHaveLength(1);
  const other = { ...RECURRING, name: 'Painter', code: '9911' };
  const [code, twin] = decodeAccessCodes([RECURRING, other, { ...RECURRING }], 'UTC') ?? [];
  expect(code).toMatchObject({ id: RECURRING.accessCodeId, pin: '0417', readOnly: false });
  expect(twin).toMatchObject({ name: 'Painter', pin: '9911', readOnly: true });
  expect(twin?.id).not.toBe(RECURRING.accessCodeId);
});

it('a list is read bare or as a member, and anything else is null', () => {
  expect(decodeAccessCodes({ accessCodes: [RECURRING] }, 'UTC')).toHaveLength(1);
  expect(decodeAccessCodes([RECURRING, null], 'UTC')).toBeNull();
  expect(decodeAccessCodes([RECURRING], 'UTC')).toHaveLength(1);
  expect(decodeAccessCodes({ accessCodes: [] }, 'UTC')).toEqual([]);
  expect(decodeAccessCodes({ codes: [] }, 'UTC')).toBeNull();
  expect(decodeAccessCodes(null, 'UTC')).toBeNull();
  expect(decodeAccessCodes([{ id: 'a71e', name: 'Dog walker' }], 'UTC')).toBeNull();
});

describe('a time', () => {
  it.each([
    ['20260415T15:00-04:00', Date.UTC(2026, 3, 15, 19)],
    ['20260415T15:00+0530', Date.UTC(2026, 3, 15, 9, 30)],
    ['20260415T15:00Z', Date.UTC(2026, 3, 15, 15)],
    ['20260415T15:00', Date.UTC(2026, 3, 15, 13)],
    ['20260230T15:00Z', null],
    ['20260415T24:00Z', null],
    ['2026-04-15T15:00Z', Date.UTC(2026, 3, 15, 15)],
    ['2026-04-15T15:00:59.123-04:00', Date.UTC(2026, 3, 15, 19)],
    ['2026-04-15T15:00:00', Date.UTC(2026, 3, 15, 13)],
    ['2026-04-15 15:00Z', null],
    ['on 20260415T15:00Z', null],
    ['20260415T15:00Z or so', null],
    ['2026-04-15', null],
    [20_260_415, null],
    [null, null],
  ])('%j is %j in Paris', (time, at) => {
    expect(decodeTime(time, 'Europe/Paris')).toBe(at);
  });

  it('carries the offset that holds at its own date', () => {
    expect(encodeTime(Date.UTC(2026, 0, 15, 12), 'America/New_York')).toBe('20260115T07:00-05:00');
    expect(encodeTime(Date.UTC(2026, 6, 15, 12), 'America/New_York')).toBe('20260715T08:00-04:00');
    expect(encodeTime(Date.UTC(2026, 0, 5, 9, 5), 'UTC')).toBe('20260105T09:05+00:00');
    expect(encodeTime(Date.UTC(2026, 6, 15, 12), 'Asia/Kathmandu')).toBe('20260715T17:45+05:45');
  });
});

describe('a draft', () => {
  const draft = { name: 'Guest 12', pin: '480917' };
  const sent = { name: 'Guest 12', code: '480917' };

  it('is written as the service takes it', () => {
    const always = encodeChanges({ ...draft, schedule: { kind: 'always' } }, 'UTC');
    expect(always).toEqual({ ...sent, scheduleType: 'Always' });
    expect(encodeChanges({ ...draft, schedule: STAY }, 'America/New_York')).toEqual({
      ...sent,
      scheduleType: 'Temporary',
      scheduleDetails: { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00-04:00' },
    });
    const windows = [{ days: ['Wednesday', 'Monday'], from: '09:00', until: '12:00' }] as const;
    expect(encodeChanges({ ...draft, schedule: { kind: 'recurring', windows } }, 'UTC')).toEqual({
      ...sent,
      scheduleType: 'Recurring',
      scheduleDetails: weekly('09:00', '12:00', ['Monday', 'Wednesday']),
    });
  });

  it('names only the members that change', () => {
    expect(Object.keys(encodeChanges({}, 'UTC'))).toEqual([]);
    expect(Object.keys(encodeChanges({ pin: '1234' }, 'UTC'))).toEqual(['code']);
    expect(Object.keys(encodeChanges({ name: 'A' }, 'UTC'))).toEqual(['name']);
    expect(Object.keys(encodeChanges({ schedule: { kind: 'always' } }, 'UTC'))).toEqual(['scheduleType']);
  });

  it('with a schedule that was not understood leaves the schedule unchanged', () => {
    expect(encodeChanges({ ...draft, schedule: { kind: 'unrecognised' } }, 'UTC')).toEqual(sent);
  });
});
