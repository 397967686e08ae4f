// The parts together on one server: webhooks, credentialing and faults as a partner meets them, and the page's files.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { doorsPage } from '../../src/control/doors-page.ts';
import { replay } from '../../src/replay.ts';
import { readRecording } from '../../src/scenario/recording.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { call, Fixture, type Partner } from './partner.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.start({ webhooks: { allowHttpToLoopback: true } });
  return async () => fixture.close();
});

describe('webhooks (wire contract 6 and 7)', () => {
  let receiver: Receiver;
  let partner: Partner;

  beforeEach(async () => {
    receiver = await Receiver.start();
    partner = await fixture.link();
    await partner.call('/events/subscriptions', { method: 'POST', body: { url: receiver.url() } });
  });

  afterEach(async () => {
    await receiver.stop();
  });

  const received = async (): Promise<readonly unknown[]> => {
    await fixture.simulator.deliveriesIdle();
    return receiver.events;
  };

  test('a hand at the door reaches its subscribers, and no other receiver', async () => {
    await fixture.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
    expect(await received()).toMatchObject([
      { trigger: 'DeviceLockStateChanged', data: { lockState: 'Unlocked' } },
    ]);
    const deliveries = await call(`${fixture.simulator.controlUrl}/deliveries`);
    expect(deliveries.json).toMatchObject([{ trigger: 'DeviceLockStateChanged', attempt: 1, outcome: 204 }]);
  });

  test.each([
    ['sign-out-everywhere', [{ trigger: 'UserSignedOutEverywhere' }]],
    ['revoke', []],
  ])('%s reports %o before it ends the link, and ends the subscription', async (action, reported) => {
    await fixture.control(`house/${action}`, { userId: 'resident' });
    await fixture.control('locks/Front door/turn-thumbturn');
    expect(await received()).toMatchObject(reported);
    expect(await received()).toHaveLength(reported.length);
    expect((await partner.call('/events/subscriptions')).status).toBe(401);
    expect((await (await fixture.link()).call('/events/subscriptions')).json).toEqual([]);
  });

  test('the published key is the one the simulator names, also after a rotation', async () => {
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

describe('faults on request', () => {
  const fault = async (details: Record<string, unknown>) => fixture.control('house/inject-fault', details);
  const failureOf = async (promise: Promise<unknown>) => promise.then(() => 'answered').catch(() => 'cut');

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

  test('every interface of partners meets a fault, the control API none', async () => {
    const { authUrl, baseUrl, credentialsBaseUrl, controlUrl } = fixture.simulator;
    const armed = await fault({ kind: 'status', status: 500, often: 'always' });
    for (const [url, status] of [
      [`${authUrl}/OAuth2/authorize`, 500],
      [`${baseUrl}/locks/devices`, 500],
      [`${credentialsBaseUrl}/SMC/credentials/mobile`, 500],
      [`${controlUrl}/state`, 200],
    ] as const) {
      expect([url, (await call(url)).status]).toEqual([url, status]);
    }
    await fault({ kind: 'status', status: 503, often: 'always' });
    expect(await fixture.control('house/clear-faults', armed)).toEqual({ found: true });
    expect((await call(`${credentialsBaseUrl}/SMC/credentials/mobile`)).status).toBe(503);
    await fixture.control('house/clear-faults');
    expect((await call(`${credentialsBaseUrl}/SMC/credentials/mobile`)).json).toEqual({
      statusCode: 401,
      message: 'Access denied: subscription key is missing.',
    });
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
    onTestFinished(() => faulty.close());
    expect((await faulty.authorize()).status).toBe(500);
    expect((await faulty.authorize()).status).toBe(302);
  });
});

describe('the doors page', () => {
  test('every file of the build is served with its type, and nothing beside them', async () => {
    const folder = temporaryFolder();
    const app = Fastify();
    onTestFinished(() => app.close());
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
  });
});
