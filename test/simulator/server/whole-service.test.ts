// The parts together on one server: webhooks, credentialing and faults as a partner meets them, and the page's files.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { doorsPage } from '../../../src/simulator/control/doors-page.ts';
import { replay } from '../../../src/simulator/replay.ts';
import { readRecording } from '../../../src/simulator/scenario/recording.ts';
import { call, Fixture } from './partner.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.start({ webhooks: { allowHttpToLoopback: true } });
});

afterEach(async () => {
  await fixture.close();
});

describe('webhooks (wire contract 6 and 7)', () => {
  const eventSchema = z.looseObject({ trigger: z.string(), data: z.looseObject({}) });
  let receiver: Server;
  let url: string;
  let received: z.output<typeof eventSchema>[];

  beforeEach(async () => {
    received = [];
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          if (request.method === 'POST') {
            received.push(eventSchema.parse(JSON.parse(Buffer.concat(chunks).toString())));
          }
          response.writeHead(204).end();
        });
    });
    const listening = Promise.withResolvers<undefined>();
    receiver.listen(0, '127.0.0.1', () => {
      listening.resolve(undefined);
    });
    await listening.promise;
    const address = receiver.address();
    url = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}/hooks`;
  });

  afterEach(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  test('a hand at the door reaches its subscribers, and no other receiver', async () => {
    const partner = await fixture.link();
    const subscribed = await partner.call('/events/subscriptions', { method: 'POST', body: { url } });
    expect(subscribed.status).toBe(201);
    await fixture.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
    await fixture.simulator.deliveriesIdle();
    expect(received.map(({ trigger, data }) => [trigger, data['lockState']])).toEqual([
      ['DeviceLockStateChanged', 'Unlocked'],
    ]);
    const deliveries = await call(`${fixture.simulator.controlUrl}/deliveries`);
    expect(deliveries.json).toMatchObject([{ trigger: 'DeviceLockStateChanged', attempt: 1, outcome: 204 }]);
  });

  test('signing out everywhere is reported before the link ends, and ends the subscription', async () => {
    const partner = await fixture.link();
    await partner.call('/events/subscriptions', { method: 'POST', body: { url } });
    await fixture.control('house/sign-out-everywhere', { userId: 'resident' });
    await fixture.control('locks/Front door/turn-thumbturn');
    await fixture.simulator.deliveriesIdle();
    expect(received.map(({ trigger }) => trigger)).toEqual(['UserSignedOutEverywhere']);
    expect((await partner.call('/events/subscriptions')).status).toBe(401);
    expect((await (await fixture.link()).call('/events/subscriptions')).json).toEqual([]);
  });

  test('plain revocation sends nothing and ends the subscription (wire contract 11)', async () => {
    const partner = await fixture.link();
    await partner.call('/events/subscriptions', { method: 'POST', body: { url } });
    await fixture.control('house/revoke', { userId: 'resident' });
    await fixture.simulator.deliveriesIdle();
    expect(received).toEqual([]);
    expect((await (await fixture.link()).call('/events/subscriptions')).json).toEqual([]);
  });

  test('the published key is the one the simulator names, also after a rotation', async () => {
    const partner = await fixture.link();
    const publicKey = async () => (await partner.call('/events/publickey')).json;
    const first = fixture.simulator.publicKeyPem;
    expect(await publicKey()).toEqual({ algorithm: 'RSASSA_PSS_SHA_256', publicKey: first });
    await fixture.control('house/rotate-signing-key');
    expect(fixture.simulator.publicKeyPem).not.toBe(first);
    expect(await publicKey()).toEqual({
      algorithm: 'RSASSA_PSS_SHA_256',
      publicKey: fixture.simulator.publicKeyPem,
    });
    expect(fixture.simulator.recording()).not.toContain('BEGIN PUBLIC KEY');
  });
});

describe('credentialing (wire contract 8 and 9)', () => {
  test('a login gives a token that lists credentials, with the rate headers', async () => {
    const [user] = fixture.simulator.credentialingUsers;
    const headers = { 'vendor-subscription-key': fixture.client().subscriptionKeys[0] };
    const base = `${fixture.simulator.credentialsBaseUrl}/SMC`;
    const login = await call(`${base}/authentication/token`, {
      method: 'POST',
      headers,
      body: { username: user?.username, password: user?.password },
    });
    const { token } = z.object({ token: z.string() }).parse(login.json);
    const list = await call(`${base}/credentials/mobile`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    expect([list.status, list.text]).toEqual([200, '[]']);
    expect(list.headers['x-rate-limit-remaining']).toBe('99');
  });

  test('the gateway asks for the key first', async () => {
    const answer = await call(`${fixture.simulator.credentialsBaseUrl}/SMC/credentials/mobile`);
    expect(answer.json).toEqual({ statusCode: 401, message: 'Access denied: subscription key is missing.' });
  });
});

describe('faults on request', () => {
  const fault = async (details: Record<string, unknown>) => fixture.control('house/inject-fault', details);
  const failureOf = async (promise: Promise<unknown>) => promise.then(() => 'answered').catch(() => 'cut');

  test('a fault strikes matching calls the requested number of times, and is then gone', async () => {
    const partner = await fixture.link();
    await fault({ kind: 'status', status: 503, often: { times: 2 }, path: '**/devices' });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      statuses.push((await partner.call('/devices')).status);
    }
    expect(statuses).toEqual([503, 503, 200]);
    expect((await call(`${fixture.simulator.controlUrl}/state`)).json).toMatchObject({ faults: [] });
  });

  test('a 503 was not processed; a lost reply was', async () => {
    const partner = await fixture.link();
    const door = fixture.lockId();
    await fault({ kind: 'status', status: 503, often: 'once', path: '**/commands' });
    expect((await partner.command(door, 'ChangeLockState', { lockState: 'Unlocked' })).status).toBe(503);
    expect(fixture.simulator.world.inspect(door).pendingCommandId).toBeNull();
    await fault({ kind: 'cut', when: 'after-work', often: 'once', path: '**/commands' });
    expect(await failureOf(partner.command(door, 'ChangeLockState', { lockState: 'Unlocked' }))).toBe('cut');
    expect(fixture.simulator.world.inspect(door).pendingCommandId).not.toBeNull();
  });

  test('a delayed call meets the world as it is when the call goes on', async () => {
    const partner = await fixture.link();
    await fault({ kind: 'latency', delayMs: 60_000, often: 'once' });
    const held = partner.call(`/devices/${fixture.lockId()}`);
    await fixture.clock.advance(1000);
    await fixture.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
    await fixture.clock.advance(59_000);
    expect((await held).json).toMatchObject({ lockState: 'Unlocked' });
  });

  test('the control API meets no fault', async () => {
    await fault({ kind: 'status', status: 500, often: 'always' });
    expect((await call(`${fixture.simulator.controlUrl}/state`)).status).toBe(200);
    await fixture.control('house/clear-faults');
    expect((await (await fixture.link()).call('/devices')).status).toBe(200);
  });

  test('the log has what was sent in the end, and its replay meets the same faults', async () => {
    const partner = await fixture.link();
    const door = fixture.lockId();
    await fault({ kind: 'truncated-json', often: 'once', path: '**/devices' });
    await partner.call('/devices');
    await fault({ kind: 'cut', when: 'after-work', often: 'once' });
    await failureOf(partner.command(door, 'ChangeLockState', { lockState: 'Unlocked' }));
    await fault({ kind: 'cut', when: 'before-work', often: 'once' });
    await failureOf(partner.call('/devices'));
    await fault({ kind: 'latency', delayMs: 30_000, often: 'once' });
    const held = partner.call(`/devices/${door}/history`);
    await fixture.clock.advance(10_000);
    await partner.call(`/devices/${door}`);
    await fixture.clock.advance(20_000);
    await held;
    const recording = readRecording(fixture.simulator.recording(), 'log');
    const statuses = recording.requests
      .filter(({ url }) => url.startsWith('/api/'))
      .map(({ status }) => status);
    expect(statuses).toEqual([200, null, null, 200, 200]);
    expect((await replay(recording)).differences).toEqual([]);
  });

  test('a scenario may begin with a fault', async () => {
    const faulty = await Fixture.start({
      scenario: { faults: [{ kind: 'status', status: 500, often: 'once', when: 'before-work' }] },
    });
    try {
      expect((await faulty.authorize()).status).toBe(500);
      expect((await faulty.authorize()).status).toBe(302);
    } finally {
      await faulty.close();
    }
  });
});

describe('the doors page', () => {
  test('every file of the build is served with its type, and nothing beside them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'doors-'));
    const app = Fastify();
    try {
      await mkdir(join(folder, 'assets'));
      await writeFile(join(folder, 'index.html'), '<!doctype html><title>Doors</title>');
      await writeFile(join(folder, 'assets', 'app.js'), 'export {};');
      await app.register(async (scope) => {
        doorsPage(scope, { directory: folder });
      });
      const get = async (url: string) => app.inject({ url, headers: { host: '127.0.0.1:1' } });
      const [page, script] = [await get('/'), await get('/assets/app.js')];
      expect([page.headers['content-type'], page.body]).toEqual([
        'text/html; charset=utf-8',
        '<!doctype html><title>Doors</title>',
      ]);
      expect([script.headers['content-type'], script.body]).toEqual([
        'text/javascript; charset=utf-8',
        'export {};',
      ]);
      for (const path of ['/assets', '/assets/', '/../package.json', '/%2e%2e/package.json']) {
        expect((await get(path)).statusCode).toBe(404);
      }
    } finally {
      await app.close();
      await rm(folder, { recursive: true });
    }
  });
});
