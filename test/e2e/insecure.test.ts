// Homebridge started with `-I`, as its own UI's service starts it: any local program may then knock without pairing.
import { Characteristic } from 'hap-nodejs';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TestLock } from '../harness/test-lock.ts';
import { type OpenedStage, openStage } from './stage.ts';

const INSUFFICIENT_PRIVILEGES = -70401;
const INVALID_VALUE = -70410;
/** HTTP: nothing to add; HAP: connection authorization required. */
const DONE = 204;
const NOT_AUTHORIZED = 470;
const { UNSECURED } = Characteristic.LockTargetState;

describe('insecure mode (faults#77)', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      start: { insecure: true },
      lockOptions: { 'Front door': { adminOnly: true } },
    });
  });

  afterAll(async () => {
    await stage.leave();
  });

  /** A local program that knows the bridge's pairing code (or not) asks to unlock over plain HTTP. */
  async function knock(lock: TestLock, headers: Record<string, string>): Promise<Response> {
    const [aid, iid] = stage.home.addressOf(lock.target).split('.').map(Number);
    return fetch(`http://127.0.0.1:${stage.installation.bridge.port}/characteristics`, {
      method: 'PUT',
      headers: { 'content-type': 'application/hap+json', ...headers },
      body: JSON.stringify({ characteristics: [{ aid, iid, value: UNSECURED }] }),
    });
  }

  it('never unlocks an admin-only lock for a stranger, not even for one who knows the pairing code', async () => {
    const lock = stage.lock('Front door');
    const { pin } = stage.installation.bridge;
    const answers = await Promise.all([knock(lock, {}), knock(lock, { authorization: pin })]);
    expect(answers[0]?.status).toBe(NOT_AUTHORIZED);
    expect(await answers[1]?.text()).toContain(`"status":${INSUFFICIENT_PRIVILEGES}`);
    expect(await stage.commands()).toEqual([]);
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('is open for the others to whoever knows the pairing code, which is why the option is there', async () => {
    const answer = await knock(stage.lock('Back door'), { authorization: stage.installation.bridge.pin });
    expect(answer.status).toBe(DONE);
    expect(await stage.commands()).toHaveLength(1);
  });

  it('carries out a timed write once, and none that was not prepared on this connection', async () => {
    const { port, pin } = stage.installation.bridge;
    const [aid, iid] = stage.home.addressOf(stage.lock('Garage').target).split('.').map(Number);
    const connection = new Client(`http://127.0.0.1:${port}`);
    const put = async (path: string, body: object): Promise<string> => {
      const headers = { 'content-type': 'application/hap+json', authorization: pin };
      const answer = await connection.request({ method: 'PUT', path, headers, body: JSON.stringify(body) });
      return `${answer.statusCode} ${await answer.body.text()}`;
    };
    const write = { pid: 11, characteristics: [{ aid, iid, value: UNSECURED }] };
    const before = (await stage.commands()).length;
    expect(await put('/characteristics', write)).toContain(`"status":${INVALID_VALUE}`);
    await put('/prepare', { pid: 11, ttl: 5_000 });
    expect(await put('/characteristics', write)).toBe(`${DONE} `);
    expect(await put('/characteristics', write)).toContain(`"status":${INVALID_VALUE}`);
    expect((await stage.commands()).length - before).toBe(1);
    await connection.close();
  });

  it("still lets the home's own administrator in", async () => {
    const lock = stage.lock('Front door');
    expect(await lock.tap('unlocked')).toBe(0);
    await lock.showed('unlocked', 10_000);
    expect(stage.boltOf(lock)).toBe('Unlocked');
  });
});
