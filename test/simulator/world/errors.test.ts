// Specification, Device command error codes: each of the 39 numbers, made to happen.
import { describe, expect, test } from 'vitest';
import {
  commandError,
  ERROR_CODES,
  ERRORS,
  errorBody,
  isErrorCode,
  REFUSALS,
} from '../../../src/simulator/contract/errors.ts';
import { DOOR, errorOf, home, MINUTE, SECOND, statusAndCode } from './home.ts';

const UNLOCK = { lockState: 'Unlocked' };
const CODE = { name: 'Cleaner', code: '4821', scheduleType: 'Always' };

/** Wire contract 3, `error.statusCode`, written out again so that the table is checked and not copied. */
const STATUS_CODES: ReadonlyMap<number, readonly number[]> = new Map([
  [400, [3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 34, 35]],
  [404, [26, 31]],
  [409, [2, 4, 27, 32, 36, 37, 38]],
  [502, [7, 9, 10, 12]],
  [504, [8, 11, 13]],
  [500, [0, 1, 5, 6, 14, 15, 33]],
]);

describe('wire contract 3, the table of errors', () => {
  test('has the 39 numbers from 0 to 38', () => {
    expect(ERROR_CODES).toEqual(Array.from({ length: 39 }, (_, code) => code));
    expect(isErrorCode(38)).toBe(true);
    expect(isErrorCode(39)).toBe(false);
    expect(isErrorCode(-1)).toBe(false);
    expect(isErrorCode(1.5)).toBe(false);
  });

  test.each([...STATUS_CODES])('statusCode %i belongs to %j', (statusCode, codes) => {
    const found = ERROR_CODES.filter((code) => ERRORS[code].statusCode === statusCode);
    expect(found).toEqual(codes);
  });

  test('a body spells Description with a capital', () => {
    expect(errorBody(REFUSALS.notJson)).toEqual({
      errorCode: 15,
      Description: 'JSON parser error occurred',
    });
  });
});

describe('each of the 39 errors as a failed command', () => {
  test.each(ERROR_CODES)('%i on a lock change', (code) => {
    const { world, outcome, reported } = home();
    world.failNextCommands(DOOR, { errorCode: code });
    const failed = outcome('ChangeLockState', UNLOCK);
    expect(failed).toMatchObject({
      state: 'Failed',
      data: { lockState: 'Unknown', error: commandError(code) },
    });
    expect(reported().at(-1)).toEqual({ kind: 'command-ended', command: failed });
  });

  test.each(ERROR_CODES)('%i on a new access code, which is then nowhere', (code) => {
    const { world, outcome, codes } = home();
    world.failNextCommands(DOOR, { errorCode: code });
    expect(outcome('AddAccessCode', CODE)).toMatchObject({
      state: 'Failed',
      data: { accessCodeId: null, error: commandError(code) },
    });
    expect(codes()).toEqual([]);
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
  });
});

describe('errors that the world brings about by itself', () => {
  const taken = { accessCodeId: 'c1', name: 'Taken', code: '4821' };

  test('2, 4, 37, 38: the lock has a code that the cloud does not list', () => {
    const ends = [
      { name: 'New', code: '4821' },
      { name: 'TAKEN', code: '1111' },
      { name: 'New', code: '48211' },
      { name: 'New', code: '4821' },
    ].map((draft, index) => {
      const { world, outcome } = home({ settings: { vlac: true } });
      world.putAccessCode(DOOR, index === 3 ? { ...taken, code: '482100' } : taken, 'lock');
      return errorOf(outcome('AddAccessCode', { ...draft, scheduleType: 'Always' }));
    });
    expect(ends).toEqual([2, 4, 37, 38]);
  });

  test('2: a changed code meets one that only the lock has', () => {
    const { world, outcome } = home({ accessCodes: [{ accessCodeId: 'c2', name: 'Mine', code: '1111' }] });
    world.putAccessCode(DOOR, taken, 'lock');
    expect(errorOf(outcome('UpdateAccessCode', { accessCodeId: 'c2', code: '4821' }))).toBe(2);
  });

  test('5: the lock is full though the cloud’s list is not', () => {
    const { world, outcome } = home();
    for (let number = 0; number < 100; number += 1) {
      world.putAccessCode(DOOR, { name: `Code ${number}`, code: String(1000 + number) }, 'lock');
    }
    expect(outcome('AddAccessCode', CODE)).toMatchObject({
      data: { error: { statusCode: 500, errorCode: 5 } },
    });
  });

  test('13: no answer in 60 seconds', () => {
    const { world, outcome } = home();
    world.cutWifi(DOOR, 20 * MINUTE);
    expect(errorOf(outcome('ChangeLockState', UNLOCK))).toBe(13);
  });

  test('26: a code that only the cloud has cannot be changed', () => {
    const { world, outcome, codes } = home();
    world.putAccessCode(DOOR, taken, 'cloud');
    expect(outcome('UpdateAccessCode', { accessCodeId: 'c1', name: 'Other' })).toMatchObject({
      data: { error: { statusCode: 404, errorCode: 26 } },
    });
    expect(codes()).toMatchObject([{ name: 'Taken' }]);
  });

  test.each(['UpdateAccessCode', 'DeleteAccessCode'])('27: the lock holds the id twice, %s', (name) => {
    const { world, outcome } = home({ accessCodes: [taken] });
    world.duplicateCodeOnLock(DOOR, 'c1');
    expect(errorOf(outcome(name, { accessCodeId: 'c1' }))).toBe(27);
    expect(outcome('DeleteAllAccessCodes', {}).state).toBe('Successful');
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
  });

  test('32: the bolt is jammed', () => {
    const { world, outcome } = home();
    world.jam(DOOR);
    expect(errorOf(outcome('ChangeLockState', UNLOCK))).toBe(32);
  });

  test('36: a command is pending', () => {
    const { command, refusal } = home();
    command('ChangeLockState', UNLOCK);
    expect(statusAndCode(refusal('ChangeLockState', UNLOCK))).toEqual([409, 36]);
  });

  test('a lock that is merely busy for a second more is none of these', () => {
    const { world, outcome } = home({ settings: { travelMs: 59 * SECOND } });
    expect(errorOf(outcome('ChangeLockState', UNLOCK))).toBe(null);
    expect(world.inspect(DOOR).pendingCommandId).toBe(null);
  });
});
