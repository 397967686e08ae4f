// The demo, for real: one option in config.json, and the packed plugin brings three simulated locks to Home without an account.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Characteristic, Service } from 'hap-nodejs';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { Home } from '../harness/home.ts';
import { HomebridgeProcess, type Installation, installHomebridge } from '../harness/homebridge.ts';
import { isAlive, processTree } from '../harness/listeners.ts';
import { TestLock } from '../harness/test-lock.ts';
import { untilShown } from './stage.ts';

const LOCKS = ['Demo back door', 'Demo front door', 'Demo garage'];
/** A process starts, is linked and listed; two cores are shared with others. */
const THERE_MS = 60_000;

describe('the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  let installation: Installation;
  let homebridge: HomebridgeProcess;
  let home: Home;
  let url: string;

  const stored = (): string => join(installation.storeFolder, 'latchkey-demo');
  const lock = (name: string): TestLock => new TestLock(name, () => home, `${url}/_control`);

  async function start(): Promise<void> {
    homebridge = await HomebridgeProcess.start(installation);
    const { text } = await homebridge.line(/DEMO: the locks are simulated/u, THERE_MS);
    url = /http:\/\/127\.0\.0\.1:\d+/u.exec(text)?.[0] ?? '';
  }

  async function untilLocksAre(names: readonly string[]): Promise<void> {
    await vi.waitFor(
      async () => {
        await home.refresh();
        expect(home.accessories.sort()).toEqual(names);
      },
      { timeout: THERE_MS, interval: 200 },
    );
  }

  const addresses = (): readonly string[] => LOCKS.map((name) => home.addressOf(lock(name).current));

  /** The processes that Homebridge has started. */
  const children = (): readonly number[] => processTree(homebridge.pid ?? 0).slice(1);

  beforeAll(async () => {
    installation = await installHomebridge({
      storeFolder: join(folder, 'homebridge'),
      pluginsFolder: inject('packed').pluginsFolder,
      platform: { platform: 'Latchkey', name: 'Latchkey', demo: true },
    });
    await start();
    home = await Home.pair(installation.bridge);
  });

  afterAll(async () => {
    await home.close();
    await homebridge.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('brings three locks to Home that say that they are of a demo', async () => {
    await untilLocksAre(LOCKS);
    for (const name of LOCKS) {
      const about = [Characteristic.Model, Characteristic.SerialNumber].map((characteristic) =>
        lock(name).point(Service.AccessoryInformation, characteristic),
      );
      const texts = (await home.readAll(about)).map(({ value }) => String(value).toLowerCase());
      expect(texts).toEqual([expect.stringContaining('demo'), expect.stringContaining('demo')]);
    }
    expect(homebridge.complaints()).toEqual([]);
  });

  it('shows a lock that was turned by hand', async () => {
    const back = lock('Demo back door');
    await untilShown(back, 'locked', THERE_MS);
    await back.at('turn-thumbturn', { to: 'Unlocked' });
    await untilShown(back, 'unlocked', THERE_MS);
    expect(await back.requested()).toBe('unlocked');
  });

  it('leaves no process and no file behind when Homebridge stops, and keeps its accessories across the restart', async () => {
    const before = addresses();
    const services = children();
    expect(services).toHaveLength(1);
    expect(existsSync(stored())).toBe(true);
    await homebridge.stop();
    expect(existsSync(stored())).toBe(false);
    expect(services.filter(isAlive)).toEqual([]);
    await start();
    await home.reconnect();
    await untilShown(lock('Demo back door'), 'locked', THERE_MS);
    expect(home.accessories.sort()).toEqual(LOCKS);
    expect(addresses()).toEqual(before);
    expect(homebridge.complaints()).toEqual([]);
  });

  it('ends its service when Homebridge is killed, and begins anew after it', async () => {
    const before = addresses();
    const services = children();
    expect(services).toHaveLength(1);
    await homebridge.kill();
    await expect.poll(() => services.filter(isAlive), { interval: 100 }).toEqual([]);
    await start();
    await home.reconnect();
    await untilShown(lock('Demo front door'), 'locked', THERE_MS);
    expect(addresses()).toEqual(before);
  });

  it('comes back by itself, linked, when its service was killed', async () => {
    const [service] = z.tuple([z.int().positive()]).parse(children());
    process.kill(service, 'SIGKILL');
    await homebridge.line(/The simulated service of the demo has ended; starting it again/u, THERE_MS);
    await expect.poll(() => children().filter((pid) => pid !== service), { interval: 100 }).toHaveLength(1);
    const front = lock('Demo front door');
    // Refused until the link is there again.
    await expect.poll(async () => front.tap('unlocked'), { interval: 200 }).toBe(0);
    await untilShown(front, 'unlocked', THERE_MS);
    expect(homebridge.log()).not.toMatch(/could not be linked/u);
  });

  it('takes its accessories and its folder along when it is switched off, even after a power cut', async () => {
    await homebridge.kill();
    expect(existsSync(stored())).toBe(true);
    const file = join(installation.storeFolder, 'config.json');
    const config = JSON.parse(readFileSync(file, 'utf8')) as object;
    const platforms = [{ platform: 'Latchkey', name: 'Latchkey' }];
    writeFileSync(file, JSON.stringify({ ...config, platforms }));
    homebridge = await HomebridgeProcess.start(installation);
    await homebridge.line(/The demo is off; its locks were removed from Home/u, THERE_MS);
    await home.reconnect();
    await untilLocksAre([]);
    expect(existsSync(stored())).toBe(false);
    expect(children()).toEqual([]);
  });
});
