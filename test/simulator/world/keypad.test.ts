// The keypad: codes by schedule in the door's own zone, wrong entries, and the lockout after too many.
import { describe, expect, test } from 'vitest';
import type { AccessCodeSetup } from '../../../src/simulator/world/setup.ts';
import { DOOR, HOUR, home, MINUTE } from './home.ts';

const CODE: AccessCodeSetup = { accessCodeId: 'c1', name: 'Dog walker', code: '0417' };

describe('wrong codes (specification, DeviceIncorrectAccessCodeEntered)', () => {
  test('a code that the lock does not have is refused and reported as it was typed', () => {
    const { world, reported, device } = home({ accessCodes: [CODE] });
    expect(world.typeCode(DOOR, '9999')).toBe('refused');
    expect(reported()).toEqual([{ kind: 'incorrect-code-entered', enteredAccessCode: '9999' }]);
    expect(device().lockState).toBe('Locked');
  });

  test('the lock goes by its own codes, not by the cloud’s list', () => {
    const { world } = home({ accessCodes: [CODE] });
    world.dropAccessCode(DOOR, 'c1', 'lock');
    world.putAccessCode(DOOR, { name: 'Forgotten', code: '1111' }, 'lock');
    expect(world.typeCode(DOOR, '0417')).toBe('refused');
    expect(world.typeCode(DOOR, '1111')).toBe('accepted');
  });

  test('too many in a row disable the keypad for its time, good codes included', () => {
    const { world, kinds, history, pass } = home({
      accessCodes: [CODE],
      settings: { wrongCodesToLockout: 3, keypadLockoutMs: MINUTE },
    });
    const type = (code: string) => world.typeCode(DOOR, code);
    expect([type('1111'), type('2222'), type('3333')]).toEqual(['refused', 'refused', 'refused']);
    expect(kinds()).toEqual([
      'incorrect-code-entered',
      'incorrect-code-entered',
      'incorrect-code-entered',
      'keypad-locked-out',
    ]);
    expect(history()).toMatchObject([{ eventCode: 'KeypadDisabledInvalidCode' }]);
    expect(world.inspect(DOOR).keypadLockedOutUntil).toBe(world.now() + MINUTE);
    pass(MINUTE - 1);
    expect([type('0417'), type('4444')]).toEqual(['locked-out', 'locked-out']);
    pass(1);
    expect(world.inspect(DOOR).keypadLockedOutUntil).toBe(null);
    expect(type('0417')).toBe('accepted');
    expect(kinds()).toHaveLength(4);
  });

  test('a good code in between starts the count anew, and so does a lockout', () => {
    const { world, kinds, pass } = home({ accessCodes: [CODE], settings: { wrongCodesToLockout: 2 } });
    world.typeCode(DOOR, '1111');
    world.typeCode(DOOR, '0417');
    world.typeCode(DOOR, '1111');
    expect(kinds()).not.toContain('keypad-locked-out');
    world.typeCode(DOOR, '1111');
    pass(MINUTE);
    world.typeCode(DOOR, '1111');
    expect(kinds().filter((kind) => kind === 'keypad-locked-out')).toHaveLength(1);
  });

  test('an offline lock keeps the lockout for the history and never reports an entry', () => {
    const { world, kinds, history } = home({ settings: { wrongCodesToLockout: 1 } });
    world.cutWifi(DOOR, HOUR);
    world.typeCode(DOOR, '1111');
    expect(kinds()).toEqual([]);
    expect(history()).toEqual([]);
    world.restoreWifi(DOOR);
    expect(kinds()).toEqual([]);
    expect(history()).toMatchObject([{ eventCode: 'KeypadDisabledInvalidCode' }]);
  });

  test('without power nothing happens at all', () => {
    const { world, activities } = home({ accessCodes: [CODE] });
    world.setBattery(DOOR, 0);
    const before = activities.length;
    expect(world.typeCode(DOOR, '0417')).toBe('no-power');
    expect(activities).toHaveLength(before);
  });
});

describe('wire contract 4, schedules at the keypad', () => {
  /** Types the code at each instant and says at which it opened. */
  const opensAt = (
    setup: Partial<AccessCodeSetup>,
    times: readonly string[],
    timeZone = 'America/New_York',
  ) => {
    const { world } = home(
      { accessCodes: [{ ...CODE, ...setup }], settings: { timeZone, wrongCodesToLockout: 1000 } },
      { startAt: Date.UTC(2026, 0, 1) },
    );
    return times.map((time) => {
      world.advance(Date.parse(time));
      return world.typeCode(DOOR, '0417') === 'accepted';
    });
  };

  test('Temporary opens from its first minute up to its last, which is outside', () => {
    const schedule = {
      scheduleType: 'Temporary',
      scheduleDetails: { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00-04:00' },
    } as const;
    expect(
      opensAt(schedule, [
        '2026-04-15T14:59:59.999-04:00',
        '2026-04-15T15:00:00.000-04:00',
        '2026-04-18T10:59:59.999-04:00',
        '2026-04-18T11:00:00.000-04:00',
      ]),
    ).toEqual([false, true, true, false]);
  });

  const workdays = {
    scheduleType: 'Recurring',
    scheduleDetails: {
      schedules: [{ startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] }],
    },
  } as const;

  test('Recurring opens on its days and hours, by the clock on the wall', () => {
    expect(
      opensAt(workdays, [
        '2026-04-13T08:59:59-04:00',
        '2026-04-13T09:00:00-04:00',
        '2026-04-13T17:29:59-04:00',
        '2026-04-13T17:30:00-04:00',
        '2026-04-14T12:00:00-04:00',
        '2026-04-15T12:00:00-04:00',
      ]),
    ).toEqual([false, true, true, false, false, true]);
  });

  test('Recurring keeps its hours through daylight saving', () => {
    expect(
      opensAt(workdays, [
        '2026-10-28T12:59:59Z',
        '2026-10-28T13:00:00Z',
        '2026-11-02T13:59:59Z',
        '2026-11-02T14:00:00Z',
      ]),
    ).toEqual([false, true, false, true]);
  });

  test('Recurring takes the day of the week from the door’s zone, not from UTC', () => {
    const sunday = {
      scheduleType: 'Recurring',
      scheduleDetails: {
        schedules: [{ startTime: '22:00', endTime: '23:59', activeWeekDays: ['Sunday'] }],
      },
    } as const;
    expect(opensAt(sunday, ['2026-04-12T22:30:00+09:00', '2026-04-13T02:30:00Z'], 'Asia/Tokyo')).toEqual([
      true,
      false,
    ]);
    expect(opensAt(sunday, ['2026-04-13T02:30:00Z'])).toEqual([true]);
  });

  test('of two windows either opens', () => {
    const two = {
      scheduleType: 'Recurring',
      scheduleDetails: {
        schedules: [
          { startTime: '08:00', endTime: '09:00', activeWeekDays: ['Tuesday'] },
          { startTime: '18:00', endTime: '19:00', activeWeekDays: ['Tuesday'] },
        ],
      },
    } as const;
    expect(
      opensAt(two, ['2026-04-14T08:30:00-04:00', '2026-04-14T12:00:00-04:00', '2026-04-14T18:30:00-04:00']),
    ).toEqual([true, false, true]);
  });
});
