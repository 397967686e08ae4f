// Shows that the harness tells the truth, with the smallest lock plugin: before it judges ours.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Characteristic, Service } from 'hap-nodejs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, type Point } from '../harness/home.ts';
import { HomebridgeProcess, installHomebridge } from '../harness/homebridge.ts';

const pluginsFolder = join(import.meta.dirname, '..', 'harness', 'fixture-plugin');

const ofTheDoor = (characteristic: Point['characteristic']): Point => ({
  accessory: 'Fixture door',
  service: Service.LockMechanism,
  characteristic,
});
const target = ofTheDoor(Characteristic.LockTargetState);
const current = ofTheDoor(Characteristic.LockCurrentState);

describe('the harness', () => {
  let folder: string;
  let running: HomebridgeProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  });

  afterEach(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const install = (platform: object) =>
    installHomebridge({
      storeFolder: join(folder, 'store'),
      pluginsFolder,
      platform: { platform: 'FixtureLock', name: 'Fixture', ...platform },
    });

  it('pairs, reads, writes, receives an event and survives a restart', async () => {
    const installation = await install({});
    running = await HomebridgeProcess.start(installation, { insecure: true });
    const home = await Home.pair(installation.bridge);
    expect(home.accessories).toEqual(['Fixture door']);
    expect(await home.read(current)).toEqual({ status: 0, value: Characteristic.LockCurrentState.UNSECURED });

    await home.subscribe([current]);
    expect(await home.write(target, Characteristic.LockTargetState.SECURED)).toBe(0);
    await home.received(current, Characteristic.LockCurrentState.SECURED, 30_000);

    await running.stop();
    expect(running.complaints()).toEqual([]);
    running = await HomebridgeProcess.start(installation, { insecure: true });
    await home.reconnect();
    expect(await home.read(target)).toEqual({ status: 0, value: Characteristic.LockTargetState.SECURED });
    await home.close();
  });

  it('notices when Homebridge warns about a plugin', async () => {
    const installation = await install({ misbehave: true });
    running = await HomebridgeProcess.start(installation);
    const home = await Home.pair(installation.bridge);
    await home.write(target, Characteristic.LockTargetState.SECURED);
    await home.close();
    expect(running.complaints()).toEqual([
      expect.stringMatching(/homebridge-fixture-lock.*generated a warning/),
    ]);
  });

  it('says what Homebridge wrote when it does not start', async () => {
    const installation = await install({});
    writeFileSync(join(installation.storeFolder, 'config.json'), 'not JSON');
    await expect(HomebridgeProcess.start(installation)).rejects.toThrow(/Homebridge ended without the line/);
  });
});
