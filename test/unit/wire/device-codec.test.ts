// Reading a listing: servers differ, but only the exact word "Locked" is a locked door.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { LockReading } from '../../../src/domain/ports.ts';
import { type DecodedListing, decodeBolt, deviceListDecoder } from '../../../src/wire/device-codec.ts';

/** Wire contract 2, the example. */
const FRONT_DOOR = {
  role: 'owner',
  id: '6c1d3a52-0d0e-4a58-9a55-0c9f2e7a1b10',
  name: 'Front door',
  type: 'WifiDeadbolt',
  lockState: 'Locked',
  batteryState: 'Normal',
  modelName: 'Model-D1',
  serialNumber: '0000A1B2C3',
  percentageBatteryLevel: 87,
  connected: true,
  lastConnectedToCloud: '2026-04-14T12:00:01.000Z',
  lastUpdated: '2026-04-14T12:00:03.120Z',
  created: '2025-01-02T09:30:00.000Z',
  timezoneOffset: '-04:00',
  firmwareVersion: '10.21.0',
  wifiRssi: -58,
  features: { vlac: true, activityAlarm: false },
};

/** The first listing of a client. */
function decodeDeviceList(body: unknown): DecodedListing | null {
  return deviceListDecoder()(body);
}

function read(changes: object): LockReading {
  const [reading] = decodeDeviceList([{ ...FRONT_DOOR, ...changes }])?.locks ?? [];
  if (reading === undefined) {
    throw new Error('The device was not read');
  }
  return reading;
}

describe('a listing', () => {
  it('is read member by member', () => {
    const reading: LockReading = {
      id: lockId('6c1d3a52-0d0e-4a58-9a55-0c9f2e7a1b10'),
      description: {
        name: 'Front door',
        model: 'Model-D1',
        serial: '0000A1B2C3',
        firmware: '10.21.0',
        role: 'owner',
      },
      bolt: 'secured',
      connected: true,
      lastConnectedAt: null,
      updatedAt: Date.UTC(2026, 3, 14, 12, 0, 3, 120),
      battery: { grade: 'normal', percent: 87 },
      device: {
        type: 'WifiDeadbolt',
        createdAt: Date.UTC(2025, 0, 2, 9, 30),
        variableLengthCodes: true,
        offsetMinutes: -240,
      },
      wifiDbm: -58,
    };
    expect(decodeDeviceList([FRONT_DOOR])).toEqual({ unread: 0, strangeWords: [], locks: [reading] });
  });

  it('bounds every text of a lock, in whole characters (faults#95)', () => {
    const huge = `${'a'.repeat(255)}${'🔒'.repeat(50_000)}`;
    const { role: _role, ...texts } = read({
      name: huge,
      modelName: huge,
      serialNumber: huge,
      firmwareVersion: huge,
    }).description;
    expect(new Set(Object.values(texts))).toEqual(new Set([`${'a'.repeat(255)}\uFFFD`]));
    expect(read({ name: 'a'.repeat(256) }).description.name).toBe('a'.repeat(256));
  });

  it('gives each half of a character its place, because other programs refuse text with one', () => {
    const { role: _role, ...texts } = read({
      name: 'Front \ud83d',
      modelName: '\ud83d',
      serialNumber: 'a\udd12',
      firmwareVersion: '🔒',
    }).description;
    expect(texts).toEqual({ name: 'Front \ufffd', model: '\ufffd', serial: 'a\ufffd', firmware: '🔒' });
  });

  it('without locks is complete', () => {
    expect(decodeDeviceList([])).toEqual({ unread: 0, strangeWords: [], locks: [] });
  });

  it('that is none, or has no lock among its items, is refused', () => {
    const bodies = [{ devices: [] }, null, '[]', undefined, 1, [null], [{ Id: 'a', LockState: 'Locked' }]];
    expect(bodies.map(decodeDeviceList).filter((listing) => listing !== null)).toEqual([]);
  });

  it.each([undefined, null, '', '.', '..', {}, 'a\nb', '\ud800', 'x'.repeat(257)])(
    'with an item whose id is %j is incomplete, and the other items count (faults#34)',
    (id) => {
      const listing = decodeDeviceList([{ ...FRONT_DOOR, id }, FRONT_DOOR]);
      expect(listing?.locks.map((lock) => lock.id)).toEqual([FRONT_DOOR.id]);
      expect(listing).toMatchObject({ unread: 1, strangeWords: ['a lock without a usable id'] });
    },
  );

  it.each([[null], ['Front door'], [[]], [7]])('with %j in it is incomplete (faults#34)', (item) => {
    expect(decodeDeviceList([item, FRONT_DOOR])).toMatchObject({ unread: 1, locks: [{}] });
  });

  it('that names a lock twice is incomplete, and its first item of that lock counts', () => {
    const twice = decodeDeviceList([FRONT_DOOR, { ...FRONT_DOOR, role: 'guest', name: 'Hall' }]);
    expect(twice).toEqual({ ...decodeDeviceList([FRONT_DOOR]), unread: 1 });
  });

  it.each([
    ['Locked', 'Unlocked'],
    ['Unlocked', 'Locked'],
    ['Locked', undefined],
  ])('with both %j and %j for one lock leaves its bolt unknown', (...states) => {
    const twice = decodeDeviceList(states.map((lockState) => Object.assign({}, FRONT_DOOR, { lockState })));
    expect(twice).toMatchObject({ unread: 1, locks: [{ bolt: 'unknown' }] });
  });

  it.each([false, null])(
    'with two items of one lock, one with connected %j, leaves its bolt unknown',
    (connected) => {
      const twice = decodeDeviceList([FRONT_DOOR, { ...FRONT_DOOR, connected }]);
      expect(twice).toMatchObject({ unread: 1, locks: [{ bolt: 'unknown' }] });
    },
  );

  it('of minimal devices is read, with unknown for every missing member', () => {
    const reading: LockReading = {
      id: lockId('a'),
      description: { name: '', model: '', serial: '', firmware: '', role: 'owner' },
      bolt: 'unknown',
      connected: null,
      lastConnectedAt: null,
      updatedAt: null,
      battery: { grade: 'unknown', percent: null },
      device: { type: '', createdAt: null, variableLengthCodes: null, offsetMinutes: null },
      wifiDbm: null,
    };
    expect(decodeDeviceList([{ id: 'a' }])).toEqual({ unread: 0, strangeWords: [], locks: [reading] });
  });

  it('is read with anything in any member: the lock is listed, and never as secured without the word (faults#24)', () => {
    const anyMember = fc.record(
      Object.fromEntries(
        Object.keys(FRONT_DOOR)
          .filter((name) => name !== 'id')
          .map((name) => [name, fc.anything()]),
      ),
    );
    fc.assert(
      fc.property(anyMember, (members) => {
        const listing = decodeDeviceList([{ ...members, id: 'a' }]);
        expect(listing).toMatchObject({ unread: 0, locks: [{ id: 'a' }] });
        expect(listing?.locks[0]?.bolt === 'secured').toBe(members['lockState'] === 'Locked');
      }),
    );
  });
});

it('a listing after others reads as it would alone, whatever came before', () => {
  // Few ids and words, so that items come again, come twice, and come with one member changed.
  const item = fc.record(
    {
      ...Object.fromEntries(Object.entries(FRONT_DOOR).map(([name, value]) => [name, fc.constant(value)])),
      id: fc.constantFrom('a', 'b', 'c', '', 7),
      lockState: fc.constantFrom('Locked', 'Unlocked', 'locked', null, 1),
      batteryState: fc.constantFrom('Normal', 'Weak'),
      connected: fc.constantFrom(true, 'False', null),
      lastConnectedToCloud: fc.constantFrom('2026-04-14T12:00:01Z', '2026-04-14T12:00:02Z', 'never'),
      wifiRssi: fc.constantFrom(-58, '-58', 0),
    },
    { requiredKeys: ['id'] },
  );
  const body = fc.oneof(
    { weight: 9, arbitrary: fc.array(item, { maxLength: 5 }) },
    fc.constant({ locks: [] }),
  );
  fc.assert(
    fc.property(fc.array(body, { minLength: 2, maxLength: 6 }), (bodies) => {
      const decode = deviceListDecoder();
      for (const each of bodies) {
        expect(decode(each)).toEqual(decodeDeviceList(each));
      }
    }),
    { numRuns: 300 },
  );
});

describe('the position of a bolt', () => {
  it('is known by two exact words alone: an integer of an earlier form is unknown, too (faults#24, faults#37)', () => {
    const near = fc.mixedCase(fc.constantFrom('Locked', 'Unlocked', ' Locked', 'Locked '));
    const words = fc.constantFrom(
      'Locked',
      'Unlocked',
      'Unknown',
      'Jammed',
      ['Locked'],
      null,
      undefined,
      0,
      1,
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), words, near), (value) => {
        const known = value === 'Locked' ? 'secured' : 'unsecured';
        expect(decodeBolt(value)).toBe(value === 'Locked' || value === 'Unlocked' ? known : 'unknown');
      }),
      { numRuns: 2_000 },
    );
  });

  it('in unknown words is named once per listing (faults#24)', () => {
    const listing = decodeDeviceList([
      { ...FRONT_DOOR, id: 'a', lockState: 1 },
      { ...FRONT_DOOR, id: 'b', lockState: 1, batteryState: 'Weak' },
      { ...FRONT_DOOR, id: 'c', lockState: null, batteryState: undefined },
      { ...FRONT_DOOR, id: 'd', batteryState: 'low' },
    ]);
    expect(listing?.strangeWords).toEqual(['lockState 1', 'batteryState "Weak"']);
  });

  it('that the service itself calls unknown is no strange word', () => {
    const unknown = { ...FRONT_DOOR, lockState: 'Unknown', batteryState: 'Unknown' };
    const listing = decodeDeviceList([unknown]);
    expect(listing?.strangeWords).toEqual([]);
    expect(listing?.locks[0]).toMatchObject({ bolt: 'unknown', battery: { grade: 'unknown' } });
  });
});

describe('whether the service reaches a lock', () => {
  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['True', true],
    ['False', false],
  ])('connected %j is %s (faults#23)', (connected, expected) => {
    expect(read({ connected }).connected).toBe(expected);
  });

  it.each([undefined, null, 0, 1, 'no', '', {}])('is unknown with connected %j (faults#23)', (connected) => {
    expect(read({ connected }).connected).toBeNull();
  });

  it.each([0, 'no', ''])('says nothing of a bolt with connected %j, which the log names', (connected) => {
    expect(read({ connected }).bolt).toBe('unknown');
    const words = decodeDeviceList([{ ...FRONT_DOOR, connected }])?.strangeWords;
    expect(words).toEqual([`connected ${JSON.stringify(connected)}`]);
  });

  it.each([undefined, null])('believes a bolt with connected %j, which no log names', (connected) => {
    expect(read({ connected }).bolt).toBe('secured');
    expect(decodeDeviceList([{ ...FRONT_DOOR, connected }])?.strangeWords).toEqual([]);
  });

  it('of an offline lock dates its report from when the lock was last heard', () => {
    const at = Date.UTC(2026, 3, 14, 12, 0, 1);
    expect(read({ connected: false }).lastConnectedAt).toBe(at);
    const lastConnectedToCloud = '2026-04-14T08:00:01-04:00';
    expect(read({ connected: 'false', lastConnectedToCloud }).lastConnectedAt).toBe(at);
    expect(read({ connected: false, lastConnectedToCloud: 'yesterday' }).lastConnectedAt).toBeNull();
  });
});

describe('the battery', () => {
  it.each([
    ['Normal', 'normal'],
    ['Low', 'low'],
    ['CriticallyLow', 'critical'],
    ['Critical', 'critical'],
    ['LOW', 'low'],
    ['normal', 'normal'],
    ['Unknown', 'unknown'],
    ['Weak', 'unknown'],
    [undefined, 'unknown'],
  ])('"%s" is %s', (batteryState, grade) => {
    expect(read({ batteryState }).battery.grade).toBe(grade);
  });

  it.each([
    [0, 0],
    [100, 100],
    ['87', 87],
    [0.4, 0],
    [101, null],
    [-1, null],
    ['full', null],
    [undefined, null],
  ])('%j percent is %j: missing is never zero', (percentageBatteryLevel, percent) => {
    expect(read({ percentageBatteryLevel }).battery.percent).toBe(percent);
  });
});

it.each([
  ['owner', 'owner'],
  ['Owner', 'owner'],
  ['guest', 'guest'],
  ['manager', 'reader'],
  ['', 'reader'],
  [undefined, 'owner'],
  [null, 'owner'],
])('the role %j is %s: an unknown one reads only, a missing one is left to the service', (role, expected) => {
  expect(read({ role }).description.role).toBe(expected);
});

it.each([
  [-58, -58],
  [-120, -120],
  [-121, null],
  [0, null],
  [12, null],
  ['-58', -58],
  ['strong', null],
  [undefined, null],
])('the strength of the Wi-Fi signal given as %o reads as %o', (wifiRssi, wifiDbm) => {
  expect(read({ wifiRssi }).wifiDbm).toBe(wifiDbm);
});

it.each([
  ['-04:00', -240],
  ['+05:45', 345],
  ['-00:00', 0],
  ['-0400', -240],
  ['+05', 300],
  ['-04:', null],
  ['+14:00', 840],
  ['+14:01', null],
  ['UTC+02:00', null],
  ['+02:00 h', null],
  ['Z', null],
  [null, null],
])('the UTC offset of a lock given as %o reads as %o minutes', (timezoneOffset, minutes) => {
  expect(read({ timezoneOffset }).device?.offsetMinutes).toBe(minutes);
});

it('an odd word is not read as a lock that takes codes of any length', () => {
  expect(read({ features: { vlac: 'true' } }).device?.variableLengthCodes).toBeNull();
  expect(read({ features: null }).device?.variableLengthCodes).toBeNull();
});
