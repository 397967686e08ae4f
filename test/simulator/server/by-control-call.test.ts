// Every row of the specification's tables made to happen by one control call (or one command), and seen over HTTP.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ERROR_CODES, ERRORS } from '../../../src/simulator/contract/errors.ts';
import { ACCESS_TYPES, EVENT_CODES } from '../../../src/simulator/contract/names.ts';
import { call, Fixture, type Partner } from './partner.ts';

const historySchema = z.array(
  z.object({ eventCode: z.string(), accessor: z.looseObject({ accessType: z.string() }) }),
);
const errorSchema = z.object({ errorCode: z.number() });

let fixture: Fixture;
let partner: Partner;
let door: string;

beforeEach(async () => {
  fixture = await Fixture.start();
  partner = await fixture.link();
  door = fixture.lockId();
});

afterEach(async () => {
  await fixture.close();
});

const act = async (action: string, details: unknown = {}) =>
  fixture.control(`locks/Front door/${action}`, details);
const device = async () => (await partner.call(`/devices/${door}`)).json;
const newestEntry = async () =>
  historySchema.parse((await partner.call(`/devices/${door}/history?limit=1`)).json)[0];

describe('specification, Device command error codes', () => {
  test.each(ERROR_CODES)('%i comes back in the error object of a failed command', async (errorCode) => {
    await act('fail-next-commands', { errorCode });
    const answer = await partner.command(door, 'ChangeLockState', { lockState: 'Unlocked' });
    await fixture.control('time/advance', { ms: 61_000 });
    const ended = await call(answer.headers['location'] ?? '', { headers: partner.headers });
    const { statusCode, words } = ERRORS[errorCode];
    expect(ended.json).toMatchObject({
      state: 'Failed',
      data: { lockState: 'Unknown', error: { statusCode, errorCode, errorMessage: words } },
    });
  });

  test('13 comes after 60 s from a lock that does not answer', async () => {
    await act('configure', { travelMs: 90_000 });
    const answer = await partner.command(door, 'ChangeLockState', { lockState: 'Unlocked' });
    const state = async () =>
      (await call(answer.headers['location'] ?? '', { headers: partner.headers })).json;
    await fixture.control('time/advance', { ms: 59_999 });
    expect(await state()).toMatchObject({ state: 'Pending', data: { error: null } });
    await fixture.control('time/advance', { ms: 1 });
    expect(await state()).toMatchObject({
      state: 'Failed',
      data: { error: { statusCode: 504, errorCode: 13 } },
    });
  });
});

describe('wire contract 4, checks made at once', () => {
  const good = { name: 'Cleaner', code: '918273', scheduleType: 'Always' };
  const window = { startTime: '09:00', endTime: '17:00', activeWeekDays: ['Monday'] };
  const add = async (body: unknown) => partner.call(`/devices/${door}/accesscodes`, { method: 'POST', body });
  const known = { name: 'Family', code: '445566' };

  test.each<readonly [number, number, Record<string, unknown>]>([
    [400, 18, { name: undefined }],
    [400, 28, { name: 'A name of twenty-five charac' }],
    [400, 24, { name: 'Schlüssel' }],
    [400, 17, { code: undefined }],
    [400, 3, { code: '12a4' }],
    [400, 30, { code: '123456789' }],
    [400, 19, { scheduleType: undefined }],
    [400, 34, { scheduleType: 'Temporary', scheduleDetails: {} }],
    [400, 35, { scheduleType: 'Recurring', scheduleDetails: { schedules: [window, window, window] } }],
    [409, 2, { code: '445566' }],
    [409, 4, { name: 'FAMILY' }],
    [409, 37, { code: '4455667' }],
    [409, 38, { code: '44556' }],
  ])('%i with %i for %o', async (status, errorCode, changes) => {
    await act('put-access-code', { accessCode: known, side: 'both' });
    const answer = await add({ ...good, ...changes });
    expect([answer.status, errorSchema.parse(answer.json).errorCode]).toEqual([status, errorCode]);
  });

  test('400 with 30 where the length is fixed', async () => {
    await act('configure', { vlac: false, accessCodeLength: 4 });
    expect((await add(good)).json).toMatchObject({ errorCode: 30 });
  });

  test('409 with 5 when a hundred codes are there', async () => {
    await act('configure', { vlac: false, accessCodeLength: 6 });
    for (let index = 0; index < 100; index += 1) {
      const accessCode = { name: `Code ${String(index)}`, code: String(300_000 + index) };
      await act('put-access-code', { accessCode, side: 'cloud' });
    }
    const answer = await add(good);
    expect([answer.status, errorSchema.parse(answer.json).errorCode]).toEqual([409, 5]);
  });

  test('400 with 16 without an id, 404 with 31 for an unknown one, 403 for a read-only code', async () => {
    const deletion = async (data: unknown) => partner.command(door, 'DeleteAccessCode', data);
    expect([(await deletion({})).status, (await deletion({})).json]).toMatchObject([400, { errorCode: 16 }]);
    const unknown = await deletion({ accessCodeId: 'unknown' });
    expect([unknown.status, unknown.json]).toMatchObject([404, { errorCode: 31 }]);
    const { accessCodeId } = z
      .object({ accessCodeId: z.string() })
      .parse(await act('put-access-code', { accessCode: { ...known, readOnly: true }, side: 'both' }));
    const readOnly = await deletion({ accessCodeId });
    expect([readOnly.status, readOnly.json]).toMatchObject([403, { errorCode: 1 }]);
  });
});

describe('specification, Accessor types', () => {
  const movements: Readonly<Record<(typeof ACCESS_TYPES)[number], () => Promise<unknown>>> = {
    VirtualKey: async () => act('use-virtual-key', { userId: 'resident', to: 'Unlocked' }),
    '1TouchLocking': async () => {
      await act('turn-thumbturn', { to: 'Unlocked' });
      await act('press-one-touch');
    },
    AccessCode: async () => {
      await act('put-access-code', { accessCode: { name: 'Family', code: '445566' }, side: 'both' });
      await act('type-code', { code: '445566' });
    },
    AutoRelock: async () => {
      await act('configure', { autoRelockMs: 5000 });
      await act('turn-thumbturn', { to: 'Unlocked' });
    },
    Thumbturn: async () => act('turn-thumbturn'),
    UnlockButton: async () => act('press-inside-button', { button: 'UnlockButton' }),
    LockButton: async () => {
      await act('turn-thumbturn', { to: 'Unlocked' });
      await act('press-inside-button', { button: 'LockButton' });
    },
    ScheduledLock: async () => {
      await act('turn-thumbturn', { to: 'Unlocked' });
      await act('run-scheduled-lock');
    },
    PlatformHome: async () => act('use-platform-home', { to: 'Unlocked' }),
    PlatformHomeNFC: async () => act('use-platform-home', { to: 'Unlocked', nfc: true }),
    AccessTypeUnavailable: async () => {
      await act('cut-wifi', { noticeAfterMs: 1000 });
      await fixture.control('time/advance', { ms: 2000 });
      await act('turn-thumbturn', { to: 'Unlocked' });
      await act('restore-wifi');
    },
  };

  test.each(ACCESS_TYPES)('%s', async (accessType) => {
    const seen: string[] = [];
    fixture.simulator.world.onEvent((worldEvent) => {
      if (worldEvent.kind === 'lock-state-changed') {
        seen.push(worldEvent.accessor.accessType);
      }
    });
    await movements[accessType]();
    await fixture.control('time/advance', { ms: 30_000 });
    expect(seen.at(-1)).toBe(accessType);
  });
});

describe('specification, Device', () => {
  test.each([
    ['Normal', 90],
    ['Low', 15],
    ['CriticallyLow', 3],
    ['Unknown', null],
  ])('batteryState %s', async (batteryState, percent) => {
    await act('set-battery', { percent });
    expect(await device()).toMatchObject({ batteryState });
  });

  test('lockState Unknown', async () => {
    await act('forget-position');
    expect(await device()).toMatchObject({ lockState: 'Unknown' });
  });

  test('connected, once the cloud has noticed', async () => {
    await act('cut-wifi', { noticeAfterMs: 60_000 });
    expect(await device()).toMatchObject({ connected: true });
    await fixture.control('time/advance', { ms: 60_000 });
    expect(await device()).toMatchObject({ connected: false });
    await act('restore-wifi');
    await fixture.control('time/advance', { ms: 60_000 });
    expect(await device()).toMatchObject({ connected: true });
  });

  test('wifiRssi, firmware, model and features', async () => {
    const changes = { wifiRssi: -80, firmwareVersion: '11.0.0', modelName: 'Model-X', activityAlarm: true };
    await act('configure', changes);
    expect(await device()).toMatchObject({
      wifiRssi: -80,
      firmwareVersion: '11.0.0',
      modelName: 'Model-X',
      features: { activityAlarm: true },
    });
  });
});

describe('wire contract 5, event codes', () => {
  test.each(EVENT_CODES)('%s', async (eventCode) => {
    await act('write-history', { eventCode });
    expect((await newestEntry())?.eventCode).toBe(eventCode);
  });
});
