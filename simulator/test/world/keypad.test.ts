// The keypad: codes by schedule in the door's own zone, wrong entries, and the lockout after too many.
import { describe, expect, test } from 'vitest';
import type { WeekDay } from '../../src/world/records.ts';
import type { AccessCodeSetup } from '../../src/world/setup.ts';
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

const recurring = (
  ...windows: readonly (readonly [startTime: string, endTime: string, ...activeWeekDays: WeekDay[]])[]
): Partial<AccessCodeSetup> => ({
  scheduleType: 'Recurring',
  scheduleDetails: {
    schedules: windows.map(([startTime, endTime, ...activeWeekDays]) => ({
      startTime,
      endTime,
      activeWeekDays,
    })),
  },
});
const TEMPORARY: Partial<AccessCodeSetup> = {
  scheduleType: 'Temporary',
  scheduleDetails: { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00-04:00' },
};
const WORKDAYS = recurring(['09:00', '17:30', 'Monday', 'Wednesday']);
const SUNDAY = recurring(['22:00', '23:59', 'Sunday']);
const TWICE = recurring(['08:00', '09:00', 'Tuesday'], ['18:00', '19:00', 'Tuesday']);
const NEW_YORK = 'America/New_York';

describe('wire contract 4, schedules at the keypad', () => {
  test.each([
    [
      'Temporary opens from its first minute up to its last, which is outside',
      TEMPORARY,
      NEW_YORK,
      ['2026-04-15T15:00:00.000-04:00', '2026-04-18T10:59:59.999-04:00'],
      ['2026-04-15T14:59:59.999-04:00', '2026-04-18T11:00:00.000-04:00'],
    ],
    [
      'Recurring opens on its days and hours, by the clock on the wall',
      WORKDAYS,
      NEW_YORK,
      ['2026-04-13T09:00:00-04:00', '2026-04-13T17:29:59-04:00', '2026-04-15T12:00:00-04:00'],
      ['2026-04-13T08:59:59-04:00', '2026-04-13T17:30:00-04:00', '2026-04-14T12:00:00-04:00'],
    ],
    [
      'Recurring keeps its hours through daylight saving',
      WORKDAYS,
      NEW_YORK,
      ['2026-10-28T13:00:00Z', '2026-11-02T14:00:00Z'],
      ['2026-10-28T12:59:59Z', '2026-11-02T13:59:59Z'],
    ],
    [
      'Recurring takes the day of the week from the door’s zone, not from UTC',
      SUNDAY,
      'Asia/Tokyo',
      ['2026-04-12T22:30:00+09:00'],
      ['2026-04-13T02:30:00Z'],
    ],
    ['Recurring has another Sunday in New York', SUNDAY, NEW_YORK, ['2026-04-13T02:30:00Z'], []],
    [
      'of two windows either opens',
      TWICE,
      NEW_YORK,
      ['2026-04-14T08:30:00-04:00', '2026-04-14T18:30:00-04:00'],
      ['2026-04-14T12:00:00-04:00'],
    ],
  ])('%s', (_what, schedule, timeZone, open, closed) => {
    for (const time of [...open, ...closed]) {
      const { world } = home(
        { accessCodes: [{ ...CODE, ...schedule }], settings: { timeZone } },
        { startAt: Date.parse(time) },
      );
      expect([time, world.typeCode(DOOR, '0417')]).toEqual([
        time,
        open.includes(time) ? 'accepted' : 'refused',
      ]);
    }
  });
});
