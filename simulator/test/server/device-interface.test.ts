// The device interface over HTTP: checks in their order, exact bodies, devices, commands, aliases, history
// (wire contract 0, 2-5, 10 and 11).
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Answer, call, Fixture, type Partner } from './partner.ts';

const KEY_MISSING = '{"statusCode":401,"message":"Access denied: subscription key is missing."}';
const KEY_WRONG = '{"statusCode":401,"message":"Access denied: subscription key is not valid."}';
const TOKEN_BAD = '{"statusCode":401,"message":"Access token is missing or not valid."}';
const ROUTE_UNKNOWN = '{"statusCode":404,"message":"Resource not found"}';
const DEVICE_UNKNOWN = '{"errorCode":1,"Description":"Device not found"}';
const NOT_PERMITTED = '{"errorCode":1,"Description":"Not permitted for this role"}';
const NOT_JSON = '{"errorCode":15,"Description":"JSON parser error occurred"}';

const commandSchema = z.object({
  commandId: z.string(),
  state: z.string(),
  data: z.record(z.string(), z.unknown()),
});
const codesSchema = z.object({
  accessCodes: z.array(z.looseObject({ accessCodeId: z.string(), name: z.string() })),
});
const historySchema = z.array(z.object({ timestamp: z.string(), eventCode: z.string() }));
const errorSchema = z.object({ errorCode: z.number(), Description: z.string() });

let fixture: Fixture;
let partner: Partner;
let frontDoor: string;

beforeEach(async () => {
  fixture = await Fixture.start();
  partner = await fixture.link();
  frontDoor = fixture.lockId('Front door');
  return async () => fixture.close();
});

const shown = (answer: Answer): readonly [number, string] => [answer.status, answer.text];

describe('wire contract 0, order of checks', () => {
  const devicesUrl = () => `${fixture.simulator.baseUrl}/${fixture.simulator.productSegment}/devices`;

  test('a missing or wrong key comes first, before a bad token and an unknown route', async () => {
    expect(shown(await call(devicesUrl()))).toEqual([401, KEY_MISSING]);
    expect(shown(await call(`${fixture.simulator.baseUrl}/nowhere`))).toEqual([401, KEY_MISSING]);
    const { authorization = '' } = partner.headers;
    expect(shown(await call(devicesUrl(), { headers: { authorization } }))).toEqual([401, KEY_MISSING]);
    const headers = { 'vendor-subscription-key': 'wrong' };
    expect(shown(await call(devicesUrl(), { headers }))).toEqual([401, KEY_WRONG]);
  });

  test.each([
    ['no token', ''],
    ['another scheme', 'Basic abc'],
    ['an unknown token', 'Bearer abc'],
    ['a token with spaces', 'Bearer a b'],
  ])('%s is a 401 with the challenge', async (_what, authorization) => {
    const answer = await partner.call('/devices', { headers: { authorization } });
    expect(shown(answer)).toEqual([401, TOKEN_BAD]);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  test('a token works with both keys of its client and no other, and Bearer may be spelled in any case', async () => {
    const authorization = `bEARER ${partner.accessToken}`;
    for (const key of fixture.client().subscriptionKeys) {
      const headers = { authorization, 'vendor-subscription-key': key };
      expect((await partner.call('/devices', { headers })).status).toBe(200);
    }
    const headers = { 'vendor-subscription-key': fixture.client(1).subscriptionKeys[0] };
    expect(shown(await partner.call('/devices', { headers }))).toEqual([401, TOKEN_BAD]);
  });

  test('a bad token comes before an unknown route, an unknown route before a bad body', async () => {
    const bad = { headers: { authorization: 'Bearer bad' }, method: 'POST', body: '{' };
    expect(shown(await partner.call('/nowhere', bad))).toEqual([401, TOKEN_BAD]);
    expect(shown(await partner.call('/nowhere', { method: 'POST', body: '{' }))).toEqual([
      404,
      ROUTE_UNKNOWN,
    ]);
  });

  test.each([
    ['another method', 'PATCH', '/devices'],
    ['another segment', 'GET', '/../doors/devices'],
    ['a segment too many', 'GET', '/devices/any/where'],
    ['a HEAD request', 'HEAD', '/devices'],
    ['a path that cannot be decoded', 'GET', '/devices/%E0%A4%A'],
  ])('%s is an unknown route', async (_what, method, path) => {
    const answer = await partner.call(path, { method });
    expect(shown(answer)).toEqual([404, method === 'HEAD' ? '' : ROUTE_UNKNOWN]);
  });

  test.each([
    ['GET', ''],
    ['GET', '/commands/any'],
    ['GET', '/accesscodes'],
    ['GET', '/history?limit=bad'],
    ['POST', '/commands'],
    ['POST', '/lock'],
    ['POST', '/accesscodes'],
    ['PUT', '/accesscodes/any'],
    ['DELETE', '/accesscodes/any'],
    ['DELETE', '/accesscodes'],
  ])(
    "%s %s of a device that is not the user's does not exist, before the body is read",
    async (method, path) => {
      const guest = await fixture.link('guest-of-house');
      const body = method === 'POST' || method === 'PUT' ? { body: '{' } : {};
      for (const deviceId of [fixture.lockId('Garage'), 'unknown']) {
        expect(shown(await guest.call(`/devices/${deviceId}${path}`, { method, ...body }))).toEqual([
          404,
          DEVICE_UNKNOWN,
        ]);
      }
    },
  );

  test.each([['{'], [''], ['name=ChangeLockState']])(
    'a body of "%s" is no JSON: 400 with 15',
    async (body) => {
      for (const [method, path] of [
        ['POST', 'commands'],
        ['POST', 'accesscodes'],
        ['PUT', 'accesscodes/any'],
      ] as const) {
        const answer = await partner.call(`/devices/${frontDoor}/${path}`, { method, body });
        expect(shown(answer)).toEqual([400, NOT_JSON]);
      }
    },
  );

  test('unknown members and parameters are ignored', async () => {
    const answer = await partner.call(`/devices/${frontDoor}/commands?trace=1`, {
      method: 'POST',
      body: { name: 'ChangeLockState', data: { lockState: 'Unlocked', mood: 'good' }, extra: [] },
    });
    expect(answer.status).toBe(202);
  });

  test("the Date header follows the simulator's clock", async () => {
    const before = (await partner.call('/devices')).headers['date'];
    await fixture.control('time/advance', { ms: 3_600_000 });
    const after = (await partner.call('/devices')).headers['date'];
    expect([before, after]).toEqual(['Tue, 14 Apr 2026 12:00:00 GMT', 'Tue, 14 Apr 2026 13:00:00 GMT']);
  });
});

describe('wire contract 2, devices', () => {
  const deviceSchema = z.looseObject({ id: z.string(), name: z.string() });

  test('one device has the members of the list but no role', async () => {
    const [listed] = z.array(deviceSchema).parse((await partner.call('/devices')).json);
    const device = deviceSchema.parse((await partner.call(`/devices/${frontDoor}`)).json);
    expect({ role: 'owner', ...device }).toEqual(listed);
  });
});

describe('wire contract 3, commands', () => {
  test('the Location names the host by which the caller came', async () => {
    const { port } = new URL(fixture.simulator.url);
    const answer = await call(`http://localhost:${port}/api/locks/devices/${frontDoor}/lock`, {
      method: 'POST',
      headers: partner.headers,
    });
    expect(answer.headers['location']).toMatch(
      new RegExp(`^http://localhost:${port}/api/locks/devices/`, 'u'),
    );
  });

  test('a refusal has the status, number and words of its cause', async () => {
    const guest = await fixture.link('guest-of-house');
    expect(shown(await guest.command(frontDoor, 'DeleteAllAccessCodes', {}))).toEqual([403, NOT_PERMITTED]);
    for (const [path, errorCode] of [
      ['commands', 25],
      ['accesscodes', 20],
    ] as const) {
      const answer = await partner.call(`/devices/${frontDoor}/${path}`, { method: 'POST', body: '"text"' });
      expect([answer.status, errorSchema.parse(answer.json).errorCode]).toEqual([400, errorCode]);
    }
  });

  test.each([
    ['lock', 'Locked'],
    ['unlock', 'Unlocked'],
  ])('POST /%s is ChangeLockState to %s, with no body needed', async (path, lockState) => {
    const answer = await partner.call(`/devices/${frontDoor}/${path}`, { method: 'POST' });
    expect(answer.status).toBe(202);
    await fixture.clock.advance(10_000);
    const { pathname } = new URL(answer.headers['location'] ?? '');
    const readBack = await call(`${fixture.simulator.url}${pathname}`, { headers: partner.headers });
    expect(readBack.json).toMatchObject({
      name: 'ChangeLockState',
      state: 'Successful',
      data: { lockState },
    });
  });
});

describe('wire contract 4, access codes and their aliases', () => {
  const listCodes = async () =>
    codesSchema.parse((await partner.call(`/devices/${frontDoor}/accesscodes`)).json).accessCodes;
  const newCode = { name: 'Cleaner', code: '918273', scheduleType: 'Always' };

  test('a code is added, read, changed and deleted through the REST paths, each with a command', async () => {
    const added = await partner.call(`/devices/${frontDoor}/accesscodes`, { method: 'POST', body: newCode });
    expect([added.status, commandSchema.parse(added.json).state]).toEqual([202, 'Pending']);
    await fixture.clock.advance(10_000);
    const cleaner = (await listCodes()).find(({ name }) => name === 'Cleaner');
    const path = `/devices/${frontDoor}/accesscodes/${cleaner?.accessCodeId ?? ''}`;
    expect((await partner.call(path)).json).toEqual({
      accessCodeId: cleaner?.accessCodeId,
      name: 'Cleaner',
      code: '918273',
      accessCodeLength: 6,
      readOnly: false,
      scheduleType: 'Always',
      scheduleDetails: { startDateTime: null, endDateTime: null, schedules: [] },
    });
    const body = { name: 'Gardener', accessCodeId: 'the-path-wins' };
    expect((await partner.call(path, { method: 'PUT', body })).status).toBe(202);
    await fixture.clock.advance(10_000);
    expect((await partner.call(path)).json).toMatchObject({ name: 'Gardener', code: '918273' });
    expect((await partner.call(path, { method: 'DELETE' })).status).toBe(202);
    await fixture.clock.advance(10_000);
    const gone = await partner.call(path);
    expect([gone.status, errorSchema.parse(gone.json).errorCode]).toEqual([404, 31]);
  });

  test('DELETE of the collection is DeleteAllAccessCodes', async () => {
    const answer = await partner.call(`/devices/${frontDoor}/accesscodes`, { method: 'DELETE' });
    expect(answer.json).toMatchObject({
      name: 'DeleteAllAccessCodes',
      data: { deviceId: frontDoor, error: null },
    });
    await fixture.clock.advance(10_000);
    expect(await listCodes()).toEqual([]);
  });

  test('a busy lock answers an alias with 36, too: 409 and no command, or by a switch a Failed one', async () => {
    const add = async () =>
      partner.call(`/devices/${frontDoor}/accesscodes`, { method: 'POST', body: newCode });
    await partner.command(frontDoor, 'ChangeLockState', { lockState: 'Unlocked' });
    const refused = await add();
    expect([refused.status, errorSchema.parse(refused.json).errorCode]).toEqual([409, 36]);
    expect(refused.headers['location']).toBeUndefined();
    await fixture.control('house/set-busy-mode', { mode: 'failed-command' });
    const failed = await add();
    expect([failed.status, commandSchema.parse(failed.json).state]).toEqual([202, 'Failed']);
  });
});

describe('wire contract 5, history', () => {
  const history = async (query = '') => partner.call(`/devices/${frontDoor}/history${query}`);

  test.each(['', '?deviceLocalTime=true', '?deviceLocalTime=TRUE&limit=100'])(
    '"%s" asks for entries, newest first, in UTC or with the offset of the device',
    async (query) => {
      for (const to of ['Unlocked', 'Locked']) {
        await fixture.control('locks/Front door/turn-thumbturn', { to });
        await fixture.clock.advance(60_000);
      }
      const hour = (minute: number) =>
        query === '' ? `12:0${String(minute)}:00.000Z` : `08:0${String(minute)}:00.000-04:00`;
      expect(historySchema.parse((await history(query)).json)).toEqual([
        { timestamp: `2026-04-14T${hour(1)}`, eventCode: 'LockedByThumbturn' },
        { timestamp: `2026-04-14T${hour(0)}`, eventCode: 'UnlockedByThumbturn' },
      ]);
      expect(historySchema.parse((await history('?limit=1')).json)).toHaveLength(1);
    },
  );

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=1.5',
    '?limit=ten',
    '?limit=',
    '?limit=1&limit=2',
    '?deviceLocalTime=yes',
  ])('%s is a 400 with 20', async (query) => {
    const answer = await history(query);
    expect([answer.status, errorSchema.parse(answer.json).errorCode]).toEqual([400, 20]);
  });
});
