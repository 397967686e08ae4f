// The control API: hands at the doors, time, reset, the stream, the log, and who may use it.
import { request } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LOCK_ACTIONS } from '../../src/scenario/lock-actions.ts';
import { SERVICE_ACTIONS } from '../../src/scenario/service-actions.ts';
import { call, Fixture } from './partner.ts';

const errorSchema = z.object({
  error: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
const stateSchema = z.looseObject({
  now: z.string(),
  locks: z.array(z.looseObject({ deviceId: z.string(), name: z.string(), bolt: z.string() })),
  users: z.array(z.looseObject({ userId: z.string() })),
});

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.start();
  return async () => fixture.close();
});

const post = async (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(`${fixture.simulator.controlUrl}/${path}`, { method: 'POST', body, headers });
const state = async () => stateSchema.parse((await call(`${fixture.simulator.controlUrl}/state`)).json);
const boltOf = async (name: string) => (await state()).locks.find((lock) => lock.name === name)?.bolt;

describe('a control call', () => {
  test("turns a bolt by hand, and the state shows it while the cloud's picture is old", async () => {
    await fixture.control('locks/Front door/cut-wifi', { noticeAfterMs: 60_000 });
    await fixture.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
    const lock = (await state()).locks.find(({ name }) => name === 'Front door');
    expect(lock).toMatchObject({
      bolt: 'Unlocked',
      wifi: false,
      device: { lockState: 'Locked', connected: true },
    });
  });

  test('a lock is named by its id or its name', async () => {
    await fixture.control(`locks/${fixture.lockId('Garage')}/turn-thumbturn`);
    expect(await boltOf('Garage')).toBe('Unlocked');
  });

  test("returns the keypad's reaction to a code", async () => {
    const code = { name: 'Neighbour', code: '7391' };
    await fixture.control('locks/Back door/put-access-code', { accessCode: code, side: 'both' });
    expect(await fixture.control('locks/Back door/type-code', { code: '7391' })).toEqual({
      keypad: 'accepted',
    });
    expect(await fixture.control('locks/Back door/type-code', { code: '0000' })).toEqual({
      keypad: 'refused',
    });
  });

  test.each([
    ...Array.from(LOCK_ACTIONS.keys(), (name) => ['lock', name, `locks/Garage/${name}`] as const),
    ...Array.from(SERVICE_ACTIONS.keys(), (name) => ['house', name, `house/${name}`] as const),
  ])('the %s action %s explains itself and checks its details', async (where, name, path) => {
    const actions = z
      .record(z.string(), z.record(z.string(), z.object({ summary: z.string(), details: z.looseObject({}) })))
      .parse((await call(`${fixture.simulator.controlUrl}/actions`)).json);
    expect(actions[where]?.[name]?.summary).toMatch(/^[A-Z].{10,}$/u);
    const answer = await post(path, { surprise: true });
    expect([answer.status, errorSchema.parse(answer.json).issues]).toEqual([400, expect.any(Array)]);
    expect(answer.text.includes('surprise') || /"path":"(kind|often)"/u.test(answer.text)).toBe(true);
  });

  test('a mistake is named with its path, and nothing is done', async () => {
    const answer = await post('locks/Garage/set-battery', { percent: 200 });
    expect(answer.status).toBe(400);
    expect(errorSchema.parse(answer.json).issues?.map(({ path }) => path)).toEqual(['percent']);
    const lock = (await state()).locks.find(({ name }) => name === 'Garage');
    expect(lock).toMatchObject({ batteryPercent: 100 });
  });

  test.each([
    ['locks/Nowhere/jam', undefined, 'There is no such lock.'],
    ['locks/Garage/sing', undefined, 'There is no such action.'],
    ['house/sing', undefined, 'There is no such action.'],
    ['sing', undefined, 'There is no such control call.'],
    ['locks/Garage/use-virtual-key', { userId: 'nobody', to: 'Locked' }, 'No user with the id "nobody"'],
  ])('%s with %o is a 404', async (path, details, error) => {
    const answer = await post(path, details);
    expect([answer.status, errorSchema.parse(answer.json).error]).toEqual([
      404,
      expect.stringContaining(error) as unknown,
    ]);
  });

  test('with an id that is taken is a 400 that says so', async () => {
    const lock = { deviceId: fixture.lockId('Garage'), name: 'Second', type: 'WifiLever', roles: {} };
    const user = { userId: 'lodger', friendlyName: 'Lodger', email: 'lodger@home.example' };
    expect(await fixture.control('house/add-user', user)).toEqual(user);
    expect((await state()).users).toHaveLength(3);
    for (const [action, again] of [
      ['add-lock', lock],
      ['add-user', user],
    ] as const) {
      const answer = await post(`house/${action}`, again);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('already') as unknown]);
    }
  });

  test('with a body that is no JSON is a 400', async () => {
    const answer = await post('locks/Garage/jam', '{', { 'content-type': 'application/json' });
    expect(answer.status).toBe(400);
  });
});

describe('time', () => {
  test('a step lives through everything that falls due in it', async () => {
    await fixture.control('locks/Front door/configure', { autoRelockMs: 30_000 });
    await fixture.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
    expect(await fixture.control('time/advance', { ms: 86_400_000 })).toEqual({
      now: '2026-04-15T12:00:00.000Z',
    });
    expect(await boltOf('Front door')).toBe('Locked');
    const partner = await fixture.link();
    expect((await partner.call(`/devices/${fixture.lockId()}/history?limit=1`)).json).toMatchObject([
      {
        timestamp: expect.stringMatching(/^2026-04-14T12:00:3/u) as unknown,
        accessor: { accessType: 'AutoRelock' },
      },
    ]);
  });

  test('the world goes on by itself between requests', async () => {
    const partner = await fixture.link();
    await partner.call(`/devices/${fixture.lockId()}/unlock`, { method: 'POST' });
    const seen: string[] = [];
    fixture.simulator.world.onEvent(({ kind }) => seen.push(kind));
    await fixture.clock.advance(5000);
    expect(seen).toContain('command-ended');
  });

  test.each([[-1], [1.5], ['1']])('a step of %s is refused', async (ms) => {
    expect((await post('time/advance', { ms })).status).toBe(400);
  });
});

describe('reset', () => {
  test('everything begins again: doors, links, log', async () => {
    const partner = await fixture.link();
    await fixture.control('locks/Garage/turn-thumbturn');
    await fixture.control('reset');
    expect(await boltOf('Garage')).toBe('Locked');
    expect((await partner.call('/devices')).status).toBe(401);
    expect(fixture.simulator.recording().split('\n')).toHaveLength(3);
  });

  test('with another scenario it is another house, at the same address', async () => {
    const locks = [{ name: 'Cellar', type: 'WifiDeadbolt', roles: { resident: 'owner' } }];
    await fixture.control('reset', { seed: 'other', scenario: { locks } });
    expect((await state()).locks.map(({ name }) => name)).toEqual(['Cellar']);
  });

  test('a scenario with a mistake changes nothing and names the place', async () => {
    const answer = await post('reset', {
      scenario: { locks: [{ name: 'Cellar', type: 'Gate', roles: {} }] },
    });
    expect(answer.status).toBe(400);
    expect(errorSchema.parse(answer.json).error).toContain('locks[0].type');
    expect(await boltOf('Garage')).toBe('Locked');
  });
});

describe('access to the control API', () => {
  test.each([['evil.example'], ['evil.example:80'], ['127.0.0.1.evil.example'], ['']])(
    'the host "%s" is misdirected',
    async (host) => {
      for (const path of ['/_control/state', '/']) {
        expect((await call(`${fixture.simulator.url}${path}`, { headers: { host } })).status).toBe(421);
      }
    },
  );

  test('localhost and the address are served, and a request from its own page', async () => {
    const { port } = new URL(fixture.simulator.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await call(`${fixture.simulator.controlUrl}/state`, { headers: { host } })).status).toBe(200);
    }
    expect((await post('locks/Garage/jam', {}, { origin: fixture.simulator.url })).status).toBe(200);
  });

  test.each([['https://evil.example'], ['null'], ['http://localhost:1']])(
    'a request from a page of %s is refused',
    async (origin) => {
      expect((await post('locks/Garage/jam', {}, { origin })).status).toBe(403);
    },
  );

  test('pages come with a policy that lets nothing in from elsewhere', async () => {
    const page = await call(fixture.simulator.url);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/u);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('the stream', () => {
  interface StreamEvent {
    readonly event: string;
    readonly data: unknown;
  }

  /** Reads events until `enough` says so. */
  async function listen(
    provoke: () => Promise<unknown>,
    enough: (events: readonly StreamEvent[]) => boolean,
  ): Promise<readonly StreamEvent[]> {
    const { body, headers } = await request(`${fixture.simulator.controlUrl}/stream`);
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const events: StreamEvent[] = [];
    let isProvoked = false;
    let text = '';
    for await (const chunk of body) {
      text += String(chunk);
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const [, event = '', data = ''] = /event: (\w+)\ndata: (.*)$/u.exec(frame) ?? [];
        events.push({ event, data: JSON.parse(data) as unknown });
      }
      if (!isProvoked) {
        isProvoked = true;
        // Awaited here, so that its error is the test's and never an unhandled one.
        await provoke();
      }
      if (enough(events)) {
        break;
      }
    }
    return events;
  }

  test('opens with the state and sends events and requests', async () => {
    const events = await listen(
      async () => {
        await fixture.control('locks/Garage/turn-thumbturn');
        await fixture.clock.advance(50);
      },
      (seen) => seen.filter(({ event }) => event === 'state').length === 2,
    );
    expect(events[0]?.event).toBe('state');
    const kinds = events.map(({ event }) => event);
    expect(kinds).toContain('activity');
    expect(kinds).toContain('request');
    expect(events.find(({ event }) => event === 'request')?.data).toMatchObject({
      method: 'POST',
      path: '/_control/locks/Garage/turn-thumbturn',
      status: 200,
      tookMs: 0,
    });
    const last = stateSchema.omit({ now: true }).parse(events.at(-1)?.data);
    expect(last.locks.find(({ name }) => name === 'Garage')?.bolt).toBe('Unlocked');
  });

  test('sends requests without their secrets', async () => {
    const partner = await fixture.link();
    await partner.call('/devices?token=in-the-query');
    const reported = await listen(
      async () => partner.call('/devices'),
      (seen) => seen.filter(({ event }) => event === 'request').length === 5,
    );
    const text = JSON.stringify(reported.filter(({ event }) => event === 'request'));
    expect(text).toContain('/api/locks/devices');
    for (const secret of [
      partner.accessToken,
      partner.refreshToken,
      'in-the-query',
      fixture.client().clientSecret,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('gives a late reader the last event of each kind, the newest last', async () => {
    for (let turn = 0; turn < 120; turn += 1) {
      await fixture.control('locks/Garage/turn-thumbturn');
    }
    const events = await listen(
      async () => undefined,
      (seen) => seen.at(-1)?.event === 'state',
    );
    const requests = z
      .array(z.looseObject({ sequence: z.int() }))
      .parse(events.filter(({ event }) => event === 'request').map(({ data }) => data));
    expect(requests.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 100 }, (_, index) => 21 + index),
    );
    expect(events.filter(({ event }) => event === 'activity')).toHaveLength(100);
    expect(events).toHaveLength(201);
  });

  test('sends how far the time is ahead', async () => {
    const events = await listen(
      async () => {
        await fixture.control('time/advance', { ms: 3_600_000 });
        await fixture.clock.advance(50);
      },
      (seen) => seen.filter(({ event }) => event === 'state').length === 2,
    );
    const ahead = z.looseObject({ aheadMs: z.number() });
    const states = events
      .filter(({ event }) => event === 'state')
      .map(({ data }) => ahead.parse(data).aheadMs);
    expect(states).toEqual([0, 3_600_000]);
  });

  test('ends when the simulator closes', async () => {
    const { body } = await request(`${fixture.simulator.controlUrl}/stream`);
    const reading = body.text();
    await fixture.close();
    expect(await reading).toContain('event: state');
    fixture = await Fixture.start();
  });
});
