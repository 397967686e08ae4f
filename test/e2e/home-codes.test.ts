// Access codes made in the Home app, through a real Homebridge in insecure mode, for admins, guests and strangers.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Characteristic, decodeWithLists, encode, Service } from 'hap-nodejs';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { Home, Point } from '../harness/home.ts';
import { type OpenedStage, openStage } from './stage.ts';

const INSUFFICIENT_PRIVILEGES = -70401;
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

describe('access codes in the Home app', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      start: { insecure: true },
      options: { appleHomeCodes: true },
    });
  });

  afterAll(async () => {
    await stage.leave();
  });

  const ask = async (home: Home, value: string): Promise<string | number> => home.ask(controlPoint, value);

  it('open the lock once it has them, and stay known after a restart', async () => {
    const lock = stage.lock('Front door');
    expect(stage.boltOf(lock)).toBe('Locked');
    expect(identifiersIn(await ask(stage.home, listing))).toEqual([]);
    expect(identifiersIn(await ask(stage.home, adding))).toEqual([1]);
    await vi.waitFor(
      () => {
        expect(stage.lines.map(({ text }) => text).join('\n')).toContain('Home 1');
      },
      { timeout: 40_000, interval: 200 },
    );
    await lock.at('type-code', { code: PIN });
    await vi.waitFor(
      () => {
        expect(stage.boltOf(lock)).toBe('Unlocked');
      },
      { timeout: 10_000, interval: 200 },
    );
    const { value: configuration } = await stage.home.read(state);
    await stage.restartHomebridge();
    await vi.waitFor(
      async () => {
        expect(identifiersIn(await ask(stage.home, listing))).toEqual([1]);
      },
      { timeout: 15_000, interval: 500 },
    );
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
