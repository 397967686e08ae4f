// Calendars of config.json and of pages on the disk, and that their addresses stay among the secrets.

import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../../src/config/read-config.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { KeptCalendars } from '../../../../../src/features/stays/account/kept-calendars.ts';
import { calendarRow } from '../../../../../src/features/stays/account/options.ts';
import { toCalendars } from '../../../../../src/features/stays/account/written-calendars.ts';
import { t } from '../../../../../src/words/translate.ts';
import { MemoryValues } from '../../../../stand-ins/database/values.ts';

const SECRET = 'https://portal.example/ical/1.ics?s=secret';

const EMPTY_ROW = calendarRow().parse({});

const LISTED = new Map([
  ['house', 'House door'],
  ['flat1', 'Flat 1'],
]);
const knownLocks = {
  find: (id: string) =>
    LISTED.has(id)
      ? ({
          id: lockId(id),
          description: { name: LISTED.get(id) ?? '', model: '', serial: '', firmware: '', role: 'owner' },
          misses: 0,
          missingSince: null,
        } as const)
      : null,
};

function someCalendars(stays: Parameters<typeof toCalendars>[0] = []) {
  const [settings, secrets] = [new MemoryValues(), new MemoryValues()];
  const calendarPermissions = { insecureLoopback: false, privateHosts: false };
  const config = { stays: toCalendars(stays), calendarPermissions };
  return { settings, secrets, calendars: new KeptCalendars({ config, settings, secrets, knownLocks }) };
}

describe('a calendar of config.json without a name', () => {
  const row = (...locks: readonly string[]) => ({
    ...EMPTY_ROW,
    locks: [...locks],
  });

  it('is called after the lock that no other calendar has, and keeps its id', () => {
    const { calendars } = someCalendars([row('house', 'flat1'), row('house', 'flat2')]);
    expect(calendars.calendars().map(({ id, name }) => [id, name])).toEqual([
      ['config:of house flat1', 'Flat 1'],
      ['config:of house flat2', 'flat2'],
    ]);
  });

  it('is nothing without a lock', () => {
    expect(someCalendars([row()]).calendars.calendars()).toEqual([]);
  });
});

describe('a calendar that a page added', () => {
  it('is kept without its address, which is a secret', () => {
    const { calendars, settings, secrets } = someCalendars();
    expect(calendars.add({ name: 'Flat', locks: [lockId('a')], address: SECRET })).toEqual([]);
    const [calendar] = calendars.calendars();
    expect(calendar).toMatchObject({ id: 'page:1', name: 'Flat', checkIn: '15:00', daysAhead: 7 });
    expect(JSON.stringify([...settings.all()])).not.toContain('secret');
    expect(JSON.stringify([...secrets.all()])).toContain(SECRET);
    expect(calendars.addressOf('page:1')?.mark).not.toContain('portal');
    calendars.remove('page:1');
    expect([settings.size, secrets.size]).toEqual([1, 0]);
    // Its id is no other's: a guest of it may still be there.
    expect(JSON.stringify([...settings.all()])).not.toContain('Flat');
    calendars.add({ name: 'House', locks: [lockId('b')] });
    expect(calendars.calendars().map(({ id }) => id)).toEqual(['page:2']);
  });

  it.each([
    ['http://portal.example/1.ics?s=secret', 'address'],
    ['https://secret:word@portal.example/1.ics', 'address'],
    ['https://192.168.1.4/secret.ics', 'address'],
    ['secret', 'address'],
  ])('with the address %s is refused without repeating it', (address, field) => {
    const { calendars } = someCalendars();
    const faults = calendars.add({ name: 'Flat', locks: [lockId('a')], address });
    expect(faults.map((fault) => fault.field)).toEqual([field]);
    expect(JSON.stringify(faults)).not.toContain('secret');
  });

  it('is changed in part, and needs a name of its own, locks, and hours that leave a gap', () => {
    const { calendars } = someCalendars();
    calendars.add({ name: 'Flat', locks: [lockId('a')], address: SECRET });
    calendars.add({ name: 'House', locks: [lockId('b')] });
    expect(calendars.change('page:1', { checkIn: '16:00' })).toEqual([]);
    expect(calendars.addressFrom('page:1')).toBe('page');
    const fieldsOf = (change: Parameters<typeof calendars.change>[1]) =>
      calendars.change('page:1', change).map(({ field }) => field);
    expect(fieldsOf({ name: 'house' })).toEqual(['name']);
    expect(fieldsOf({ locks: [] })).toEqual(['locks']);
    expect(fieldsOf({ checkIn: '10:00' })).toEqual(['checkIn']);
    expect(fieldsOf({ checkIn: '25:00' })).toEqual(['checkIn']);
    expect(calendars.calendars()[0]).toMatchObject({ name: 'Flat', checkIn: '16:00' });
  });
});

describe('a calendar of config.json', () => {
  const row = {
    name: 'Flat',
    locks: ['a'],
    checkIn: '15:00',
    checkOut: '11:00',
    minutesBefore: 0,
    minutesAfter: 0,
    code: 'phone',
    names: 'dates',
    daysAhead: 7,
    endEarly: false,
    endWhenLeft: false,
    message: '',
    lockHours: new Array<never>(),
    bookingHours: false,
    reserve: false,
  } as const;

  it('takes only a missing address from a page', () => {
    const { calendars } = someCalendars([{ ...row, locks: ['a'] }]);
    expect(calendars.addressOf('config:flat')).toBeNull();
    expect(calendars.change('config:flat', { address: SECRET })).toEqual([]);
    expect(calendars.addressFrom('config:flat')).toBe('page');
    expect(() => calendars.change('config:flat', { checkIn: '16:00' })).toThrow('config.json');
    expect(() => {
      calendars.remove('config:flat');
    }).toThrow('config.json');
  });

  it('is listed without its address, which is a secret (faults#66)', () => {
    const { calendars } = someCalendars([{ ...row, locks: ['a'], address: SECRET }]);
    expect(calendars.addressOf('config:flat')?.address).toBe(SECRET);
    const listed = [...calendars.calendars(), calendars.found('config:flat')];
    expect(listed.map(({ name }) => name)).toEqual(['Flat', 'Flat']);
    expect(JSON.stringify(listed)).not.toContain('secret');
  });

  it('is judged by name, address and hours, in messages that do not repeat the address', () => {
    const stays = [
      { ...row, address: 'http://portal.example/secret.ics' },
      { ...row, checkOut: '16:00' },
    ];
    const partner = {
      authUrl: 'https://a.example',
      baseUrl: 'https://b.example',
      redirectUri: 'https://c.example/x',
    };
    const reading = readConfig({ partner, stays });
    const problems = reading.ok ? [] : reading.problems.map((line) => t(line));
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'stays[0].address',
      'stays[1].name',
      'stays[1].checkIn',
    ]);
    expect(problems.join('\n')).not.toContain('secret');
  });

  it('may have empty rows, within rows, too, as the form of the Homebridge UI saves them with their defaults', () => {
    const read = (...stays: readonly object[]): unknown => {
      const reading = readConfig({ stays });
      return reading.ok
        ? {
            ...reading,
            config: { stays: reading.config.stays },
            warnings: reading.warnings.map((line) => t(line)),
          }
        : reading;
    };
    const nothing = { ok: true, config: { stays: [] }, warnings: [] };
    expect(read({ lockHours: [{}] })).toEqual(nothing);
    expect(read({ code: 'phone', lockHours: [{ minutesBefore: 0, minutesAfter: 0 }] })).toEqual(nothing);
    expect(read({ name: 'Flat', locks: ['a'], lockHours: [{ minutesBefore: 30 }] })).toMatchObject({
      config: { stays: [{ name: 'Flat', lockHours: [] }] },
      warnings: ['stays[0].lockHours[0]: has no id and is ignored; enter the id of its lock'],
    });
  });
});

describe('a calendar of config.json on a lock that was replaced', () => {
  const row = {
    ...EMPTY_ROW,
    name: 'Flat',
    locks: ['m'],
    lockHours: [{ lock: 'm', minutesBefore: 30, minutesAfter: 0 }],
  };
  const replaced = (...steps: readonly (readonly [old: string, by: string])[]) => {
    const { calendars } = someCalendars([row, { ...EMPTY_ROW, name: 'Shed', locks: ['z'] }]);
    const counts = steps.map(([old, by]) => calendars.replaceLock(lockId(old), lockId(by)));
    return [
      counts,
      calendars.calendars().map(({ locks }) => locks),
      calendars.calendars()[0]?.lockHours[0]?.lock,
    ];
  };

  it.each([
    [
      'twice',
      [
        ['m', 'n'],
        ['n', 'o'],
      ],
      [1, 1],
      'o',
    ],
    [
      'twice, by one whose id comes before',
      [
        ['m', 'b'],
        ['b', 'a'],
      ],
      [1, 1],
      'a',
    ],
    [
      'three times',
      [
        ['m', 'c'],
        ['c', 'a'],
        ['a', 'b'],
      ],
      [1, 1, 1],
      'b',
    ],
    [
      'and is the one again',
      [
        ['m', 'b'],
        ['b', 'm'],
      ],
      [1, 1],
      'm',
    ],
    [
      'by one that was replaced elsewhere before',
      [
        ['k', 'z'],
        ['m', 'k'],
      ],
      [0, 1],
      'k',
    ],
  ] as const)('%s opens the present one', (_, steps, counts, present) => {
    expect(replaced(...steps)).toEqual([counts, [[present], ['z']], present]);
  });
});
