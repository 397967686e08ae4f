// Locks in the real Home Assistant, over MQTT, HomeKit and Matter.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { matterBridgeOf } from '../harness/matter-home.ts';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { HomeAssistant } from './home-assistant.ts';
import { MatterServer } from './matter-server.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const WAYS = ['mqtt', 'homekit_controller', 'matter'] as const;

describe('locks in Home Assistant', () => {
  let stage: HomeStage;
  let broker: Mosquitto;
  let matter: MatterServer;
  let home: HomeAssistant;

  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));

  beforeAll(async () => {
    broker = await startMosquitto({ folder: join(folder, 'broker') });
    stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      onChildBridge: true,
      matter: true,
      options: { matter: 'both', mqtt: { url: broker.url.href, homeAssistant: true } },
    });
    matter = await MatterServer.start(join(folder, 'matter'));
    home = await HomeAssistant.start(join(folder, 'home-assistant'));
    await stage.homebridge.line(/Matter server is now running/, 60_000);
    await matter.commission(matterBridgeOf(stage.installation));
    await home.addMqtt(broker.port);
    await home.addMatter(matter.url);
    await home.addHomeKit(stage.installation.bridge);
  });

  afterAll(async () => {
    await home.close();
    await matter.close();
    await broker.stop();
    await stage.leave();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(WAYS)('are unlocked and locked over %s, and shown so over each way', async (way) => {
    const all = await Promise.all(WAYS.map(async (each) => home.lock(each, 'Front door')));
    for (const [service, wanted] of [
      ['lock.unlock', 'unlocked'],
      ['lock.lock', 'locked'],
    ] as const) {
      expect(await home.call(service, await home.lock(way, 'Front door'))).toBeNull();
      for (const entity of all) {
        await home.shows(entity, wanted);
      }
      expect(stage.boltOf(stage.lock('Front door')).toLowerCase()).toBe(wanted);
    }
  });

  it('give it nothing to complain about over HomeKit and Matter', () => {
    expect(home.complaints().filter((line) => /homekit_controller|aiohomekit|matter/.test(line))).toEqual([]);
  });
});
