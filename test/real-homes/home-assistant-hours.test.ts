// What takes minutes and hours, in the real Home Assistant: Homebridge and the service run on a machine that hurries.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { SleepyMachine } from '../harness/sleepy-machine.ts';
import { HomeAssistant } from './home-assistant.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const MINUTE_MS = 60_000;
/** Slow enough that no deadline of a call passes on a busy machine. */
const PACE = 6;
const FAST_PACE = 20;
const WAYS = ['mqtt', 'homekit_controller'] as const;

describe('locks in Home Assistant, minutes and hours later', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));
  const machine = new SleepyMachine(folder);
  let broker: Mosquitto;
  let stage: HomeStage;
  let home: HomeAssistant;

  beforeAll(async () => {
    broker = await startMosquitto({ folder: join(folder, 'broker') });
    stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      simulatorClock: machine.clock,
      start: { environment: machine.environment },
      options: { mqtt: { url: broker.url.href, homeAssistant: true } },
    });
    home = await HomeAssistant.start(join(folder, 'home-assistant'));
    await home.addMqtt(broker.port);
    await home.addHomeKit(stage.installation.bridge);
  });

  afterAll(async () => {
    await home.close();
    await stage.leave();
    await broker.stop();
    machine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    machine.hurry(1);
    await stage.heal();
  });

  /** When so many minutes have passed for Homebridge and the service. */
  async function passed(minutes: number, since = machine.clock.monotonic()): Promise<void> {
    await vi.waitUntil(() => machine.clock.monotonic() - since >= minutes * MINUTE_MS, {
      timeout: 240_000,
      interval: 20,
    });
  }

  it('are not locked for more than five minutes when the service is away and nobody taps (faults#172)', async () => {
    const all = await Promise.all(WAYS.map(async (way) => home.lock(way, 'Front door')));
    const shown = async (): Promise<readonly unknown[]> =>
      Promise.all(all.map(async (id) => (await home.state(id))?.state));
    for (const id of all) {
      await home.shows(id, 'locked');
    }
    machine.hurry(PACE);
    await stage.fault({ kind: 'status', status: 503, often: 'always' });
    const since = machine.clock.monotonic();
    await stage.lock('Front door').at('turn-thumbturn', { to: 'Unlocked' });
    await passed(4.3, since);
    expect(await shown()).toEqual(['locked', 'locked']);
    // The limit counts from the first question without an answer, and a poll comes every five seconds.
    await vi.waitFor(async () => expect(await shown()).not.toContain('locked'), {
      timeout: 240_000,
      interval: 20,
    });
    expect((machine.clock.monotonic() - since) / MINUTE_MS).toBeLessThan(5.5);
    await stage.heal();
    for (const id of all) {
      await home.shows(id, 'unlocked');
    }
  });

  it('leave with their device within an hour once the account lists only the others', async () => {
    const id = await home.lock('mqtt', 'Back door');
    const device = async (): Promise<unknown> =>
      (await home.entities('mqtt')).find(({ entity_id }) => entity_id === id)?.device_id;
    expect(await device()).toEqual(expect.any(String));
    machine.hurry(FAST_PACE);
    const since = machine.clock.monotonic();
    await stage.lock('Back door').at('remove');
    await home.shows(id, 'unavailable');
    await passed(29, since);
    expect(await device()).toEqual(expect.any(String));
    await vi.waitFor(async () => expect(await device()).toBeUndefined(), { timeout: 100_000, interval: 50 });
    expect((machine.clock.monotonic() - since) / MINUTE_MS).toBeLessThan(60);
    expect(await home.state(id)).toBeUndefined();
    machine.hurry(1);
    // The others stay, and so does the accessory in HomeKit, for a day.
    await home.shows(await home.lock('mqtt', 'Front door'), 'unlocked');
    const inHomeKit = await home.entities('homekit_controller');
    expect(inHomeKit.filter(({ entity_id }) => entity_id.startsWith('lock.back_door'))).toHaveLength(1);
  });
});
