// Homebridge started with `-I`, as its own UI's service starts it: any local program may then knock without pairing, and the
// Home app's access codes are for administrators alone.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Characteristic, decodeWithLists, encode, Service } from 'hap-nodejs';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Home, Point } from '../harness/home.ts';
import type { TestLock } from '../harness/test-lock.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const INSUFFICIENT_PRIVILEGES = -70401;
const INVALID_VALUE = -70410;
/** HTTP: nothing to add; HAP: connection authorization required. */
const DONE = 204;
const NOT_AUTHORIZED = 470;
const { UNSECURED } = Characteristic.LockTargetState;
const PIN = '4711';
const [LIST, ADD] = [1, 3];

const controlPoint: Point = {
  accessory: 'Front door',
  service: Service.AccessCode,
  characteristic: Characteristic.AccessCodeControlPoint,
};
const state: Point = { ...controlPoint, characteristic: Characteristic.ConfigurationState };

const adding = Buffer.concat([encode(1, ADD), encode(2, encode(2, PIN))]).toString('base64');
const listing = encode(1, LIST).toString('base64');

function identifiersIn(response: string | number): (number | undefined)[] {
  const { 3: raw = [] } = decodeWithLists(Buffer.from(String(response), 'base64'));
  return [raw].flat().map((item) => {
    const { 1: identifier } = decodeWithLists(item);
    return Buffer.isBuffer(identifier) ? identifier[0] : undefined;
  });
}

/** Every file below a folder, as text, without the plugin's own database: it holds unfinished operations as it holds tokens. */
function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.includes('latchkey.db'))
    .map((path) => readFileSync(path, 'latin1'));
}

let stage: OpenedStage;

beforeAll(async () => {
  stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    start: { insecure: true },
    options: { appleHomeCodes: true },
    lockOptions: { 'Front door': { adminOnly: true } },
  });
});

afterAll(async () => {
  await stage.leave();
});

describe('insecure mode (faults#77)', () => {
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
    await lock.showed('unlocked', 60_000);
    expect(stage.boltOf(lock)).toBe('Unlocked');
  });
});

describe('access codes in the Home app', () => {
  const ask = async (home: Home, value: string): Promise<string | number> => home.ask(controlPoint, value);

  it('open the lock once it has them, and stay known after a restart', async () => {
    const lock = stage.lock('Front door');
    await lock.at('turn-thumbturn', { to: 'Locked' });
    await untilShown(lock, 'locked');
    expect(identifiersIn(await ask(stage.home, listing))).toEqual([]);
    expect(identifiersIn(await ask(stage.home, adding))).toEqual([1]);
    await expect
      .poll(() => stage.lines.map(({ text }) => text).join('\n'), { interval: 200 })
      .toContain('Home 1');
    await lock.at('type-code', { code: PIN });
    await expect.poll(() => stage.boltOf(lock), { interval: 200 }).toBe('Unlocked');
    const { value: configuration } = await stage.home.read(state);
    await stage.restartHomebridge();
    await expect
      .poll(async () => identifiersIn(await ask(stage.home, listing)), { interval: 500 })
      .toEqual([1]);
    expect((await stage.home.read(state)).value).toBe(configuration);
  });

  it('are closed to guests of the home and to strangers who know the pairing code (faults#77)', async () => {
    const guest = await stage.home.invite();
    expect(await ask(guest, listing)).toBe(INSUFFICIENT_PRIVILEGES);
    await guest.close();
    const { port, pin } = stage.installation.bridge;
    const [aid, iid] = stage.home.addressOf(controlPoint).split('.').map(Number);
    const answer = await fetch(`http://127.0.0.1:${port}/characteristics`, {
      method: 'PUT',
      headers: { 'content-type': 'application/hap+json', authorization: pin },
      body: JSON.stringify({ characteristics: [{ aid, iid, value: listing, r: true }] }),
    });
    expect(await answer.text()).toContain(`"status":${INSUFFICIENT_PRIVILEGES}`);
  });

  it('leave their digits in no cache and no other file of Homebridge, and in no line of the log (faults#68)', () => {
    const encoded = [PIN, adding];
    const found = [
      ...textsBelow(stage.installation.storeFolder),
      ...stage.lines.map(({ text }) => text),
    ].filter((text) => encoded.some((secret) => text.includes(secret)));
    expect(found).toEqual([]);
  });
});
