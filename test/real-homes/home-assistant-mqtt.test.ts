// Locks over MQTT in the real Home Assistant: a remote PIN, one event for each move, what it counts, and what it writes to its log.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { BrokerClient } from '../harness/broker-client.ts';
import { freePort } from '../harness/free-port.ts';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { HomeAssistant } from './home-assistant.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const PIN = '2468';
const LOCK = 'lock.front_door';
const ACTIVITY = 'event.front_door_activity';
const SERVICE = 'binary_sensor.latchkey_lock_service';
const AWAY = [
  ['asks for a pause (503)', { kind: 'status', status: 503 }],
  ['hangs', { kind: 'latency', delayMs: 600_000 }],
  ['is cut', { kind: 'cut', when: 'before-work' }],
] as const;

async function passed(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

describe('locks over MQTT in Home Assistant', () => {
  let stage: HomeStage;
  let broker: Mosquitto;
  let home: HomeAssistant;

  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));

  beforeAll(async () => {
    broker = await startMosquitto({ folder: join(folder, 'broker') });
    const port = await freePort();
    stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      scenario: { settings: { webhooks: { allowHttpToLoopback: true } } },
      options: {
        remotePin: PIN,
        mqtt: { url: broker.url.href, homeAssistant: true, accessCodes: true },
        webhooks: { enabled: true, port, publicUrl: `http://127.0.0.1:${String(port)}` },
      },
    });
    await stage.homebridge.line(/Webhooks arrive/, 30_000);
    home = await HomeAssistant.start(join(folder, 'home-assistant'));
    await home.addMqtt(broker.port);
    await home.shows(LOCK, 'locked');
  });

  afterAll(async () => {
    await home.close();
    await broker.stop();
    await stage.leave();
    rmSync(folder, { recursive: true, force: true });
  });

  const front = () => stage.lock('Front door');

  /** What the event entity has told from now on, in order. */
  function activity(): () => readonly string[] {
    const from = home.events.length;
    return () =>
      home.events.slice(from).flatMap(({ event_type: type, data }) => {
        const { entity_id: id, new_state: state } = data as {
          readonly entity_id?: string;
          readonly new_state?: { readonly attributes: Readonly<Record<string, unknown>> };
        };
        const { event_type: what, how } = state?.attributes ?? {};
        return type === 'state_changed' && id === ACTIVITY && typeof what === 'string'
          ? [typeof how === 'string' ? `${what} ${how}` : what]
          : [];
      });
  }

  describe('with a remote PIN (faults#169)', () => {
    it('lock without it, also as a step of an automation, whose next step runs', async () => {
      await home.call('lock.unlock', LOCK, { code: PIN });
      await home.shows(LOCK, 'unlocked');
      await home.automate('night', {
        alias: 'Night',
        triggers: [],
        actions: [{ action: 'lock.lock', target: { entity_id: LOCK } }, { event: 'locked_for_the_night' }],
      });
      await home.shows('automation.night', 'on');
      expect(await home.call('automation.trigger', 'automation.night')).toBeNull();
      await home.shows(LOCK, 'locked');
      expect(home.events.some(({ event_type: type }) => type === 'locked_for_the_night')).toBe(true);
    });

    it('are not unlocked without it, and what lacks a PIN is no wrong one', async () => {
      const told = activity();
      for (let attempt = 0; attempt < 6; attempt += 1) {
        await home.call('lock.unlock', LOCK);
      }
      await vi.waitFor(
        () => expect(told().filter((what) => what.startsWith('refused'))).toHaveLength(6),
        20_000,
      );
      expect(stage.boltOf(front())).toBe('Locked');
      await home.call('lock.unlock', LOCK, { code: PIN });
      await home.shows(LOCK, 'unlocked');
      await home.call('lock.lock', LOCK);
      await home.shows(LOCK, 'locked');
    });
  });

  it('are one event for each command, with one author, and another for a quick hand (faults#170)', async () => {
    // The event of an earlier command follows the state.
    await passed(3_000);
    const told = activity();
    for (const [service, data, wanted] of [
      ['lock.unlock', { code: PIN }, 'unlocked'],
      ['lock.lock', {}, 'locked'],
      ['lock.unlock', { code: PIN }, 'unlocked'],
    ] as const) {
      await home.call(service, LOCK, data);
      await home.shows(LOCK, wanted);
    }
    await front().at('turn-thumbturn');
    await home.shows(LOCK, 'locked');
    // Longer than the reading behind a command takes.
    await passed(8_000);
    expect(told()).toEqual([
      'unlocked own-command',
      'locked own-command',
      'unlocked own-command',
      'locked thumbturn',
    ]);
    const { attributes } = (await home.state(LOCK)) ?? expect.fail('The lock is gone');
    expect(attributes['moved_how']).toBe('thumbturn');
    await home.shows('sensor.front_door_last_moved_by', 'Hand');
  });

  it('have one battery each, and the installed version (faults#171, faults#173)', async () => {
    const states = await home.states();
    const batteries = states.filter(({ attributes }) => attributes['device_class'] === 'battery');
    expect(batteries.map(({ entity_id: id }) => id).toSorted()).toEqual([
      'sensor.back_door_battery',
      'sensor.front_door_battery',
      'sensor.garage_battery',
    ]);
    const update = states.find(({ entity_id: id }) => id.startsWith('update.'));
    expect(update?.attributes['installed_version']).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('count a jammed open door as open (faults#173)', async () => {
    await front().at('turn-thumbturn');
    await home.shows(LOCK, 'unlocked');
    await front().at('jam');
    await home.call('lock.lock', LOCK);
    await home.shows(LOCK, 'jammed');
    await home.shows('sensor.latchkey_unlocked', '1');
    expect((await home.state('sensor.latchkey_locks'))?.state).toBe('3');
    await front().at('clear-jam');
    await home.call('lock.lock', LOCK);
    await home.shows(LOCK, 'locked');
    await front().at('turn-thumbturn');
    await home.shows(LOCK, 'unlocked');
  });

  describe('of a flat with a booking calendar (faults#157)', () => {
    const STAY = 'sensor.flat_stay';
    const MISSING = 'binary_sensor.flat_code_missing';

    beforeAll(async () => {
      const pages = await stage.pages();
      const { world } = stage.simulator;
      const locks = world.deviceIds().filter((id) => world.inspect(id).name === 'Front door');
      await pages.call('stays.add-calendar', { name: 'Flat', address: stage.calendar().url, locks });
      await pages.call('stays.read', {});
      await pages.close();
    });

    it('say who is there, until when, and that the code is ready, and never its digits', async () => {
      await home.shows(MISSING, 'off');
      await vi.waitFor(
        async () => expect((await home.state(STAY))?.attributes['code_ready']).toBe(true),
        40_000,
      );
      const shown = (await home.state(STAY)) ?? expect.fail('There is no stay');
      expect(shown.state).toMatch(/^Stay /);
      expect(shown.attributes).toMatchObject({ phase: 'there', locks: ['Front door'] });
      for (const at of ['from', 'until']) {
        expect(shown.attributes[at]).toMatch(/^\d{4}-\d\d-\d\dT/);
      }
      const { world } = stage.simulator;
      const digits = world
        .deviceIds()
        .flatMap((id) => world.inspect(id).codesOnLock)
        .map(({ code }) => code);
      const told = JSON.stringify(await home.states());
      expect(digits.filter((code) => told.includes(`"${code}"`))).toEqual([]);
    });

    it('run the blueprint "a code is missing" when the code of a stay is', async () => {
      const tell = [{ event: 'missing', event_data: { message: '{{ message }}' } }];
      await home.importBlueprint('automation', 'tell_when_a_code_failed');
      await home.automate('missing', {
        alias: 'Missing',
        use_blueprint: {
          path: 'latchkey/tell_when_a_code_failed.yaml',
          input: { flats: [MISSING], tell },
        },
      });
      await home.shows('automation.missing', 'on');
      // What the plugin says once the code of a stay has been missing for five minutes.
      const client = await BrokerClient.connect(broker.url, 'latchkey/+/+/state');
      const { topic, text } = await client.until(({ topic: from }) => from.includes('/flat-'), 'its state');
      const payload = JSON.stringify({ ...(JSON.parse(text) as object), code_missing: true });
      await client.publish(topic, payload);
      client.close();
      await home.shows(MISSING, 'on');
      const missing = () => home.events.filter(({ event_type: type }) => type === 'missing');
      await vi.waitFor(() => expect(missing()).toHaveLength(1), 10_000);
      expect(missing()[0]?.data['message']).toBe(
        'Flat: the code of a stay that begins soon is not on every lock',
      );
    });
  });

  // The limits are 20 s and 30 s; the rest is what a busy machine takes.
  it.each(AWAY)(
    'are not locked for long when a command meets a service that %s (faults#172)',
    async (_, fault) => {
      await home.call('lock.lock', LOCK);
      await home.shows(LOCK, 'locked');
      // The reading behind the command is done.
      await passed(8_000);
      try {
        await stage.fault({ ...fault, often: 'always' });
        const begun = performance.now();
        await home.call('lock.unlock', LOCK, { code: PIN });
        await home.shows(SERVICE, 'on', 25_000);
        await vi.waitFor(
          async () => expect((await home.state(LOCK))?.state).not.toMatch(/^(?:locked|unlocking)$/),
          35_000 - (performance.now() - begun),
        );
        expect((await home.state('binary_sensor.latchkey_connection'))?.state).toBe('off');
      } finally {
        await stage.heal();
      }
      await home.shows(SERVICE, 'off', 70_000);
      await home.shows(LOCK, stage.boltOf(front()).toLowerCase());
    },
  );

  it('come with one line in the log of the plugin on two tiles', async () => {
    const { text } = await stage.homebridge.line(/each lock has two tiles there/, 1_000);
    expect(text).toMatch(/over MQTT/);
  });

  it('give it nothing to complain about (faults#171)', () => {
    expect(home.complaints().filter((entry) => entry.includes('mqtt'))).toEqual([]);
  });

  // Last: Home Assistant warns of its own clearing, once for each entity.
  describe('that were deleted in Home Assistant', () => {
    const BACK = 'lock.back_door';

    async function deleteDevice(): Promise<void> {
      const found = (await home.entities('mqtt')).find(({ entity_id: id }) => id === BACK);
      const device = found?.device_id ?? expect.fail('Home Assistant has no back door');
      const entries = (await home.result({ type: 'config_entries/get', domain: 'mqtt' })) as readonly {
        readonly entry_id: string;
      }[];
      await home.result({
        type: 'config/device_registry/remove_config_entry',
        config_entry_id: entries[0]?.entry_id,
        device_id: device,
      });
    }

    async function isThere(): Promise<boolean> {
      return (await home.state(BACK)) !== undefined;
    }

    it('stay deleted over a restart of Home Assistant and of the plugin', async () => {
      await deleteDevice();
      await stage.homebridge.line(/Back door was deleted in Home Assistant/, 20_000);
      await expect.poll(isThere).toBe(false);
      await home.restart();
      await home.shows(LOCK, 'locked');
      await stage.restartHomebridge();
      await home.shows(LOCK, 'locked');
      // Each announces its devices at once.
      await passed(5_000);
      expect(await isThere()).toBe(false);
    });

    it('are there again once they have changed', async () => {
      await stage.configure('Back door', { name: 'Garden door' });
      await expect
        .poll(async () => (await home.states()).map(({ attributes }) => attributes['friendly_name']))
        .toContain('Garden door');
    });
  });
});
