// The blueprints of the project in the real Home Assistant: imported, fired as at home, and seen at the locks.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { HomeAssistant } from './home-assistant.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const PIN = '24683579';
const CODE = '97531864';
const FRONT = 'lock.front_door';
const GARAGE = 'lock.garage';
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** As the documents advise, so that Home Assistant does not write down what was typed. */
const RECORDER = ['recorder:', '  exclude:', '    event_types:', '      - call_service'];

describe('blueprints in Home Assistant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));
  const homeFolder = join(folder, 'home-assistant');
  let broker: Mosquitto;
  let stage: HomeStage;
  let home: HomeAssistant;

  beforeAll(async () => {
    broker = await startMosquitto({ folder: join(folder, 'broker') });
    stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      options: {
        remotePin: PIN,
        mqtt: { url: broker.url.href, homeAssistant: true, accessCodes: true },
      },
    });
    home = await HomeAssistant.start(homeFolder, RECORDER);
    await home.addMqtt(broker.port);
    await home.shows(FRONT, 'locked');
  });

  afterAll(async () => {
    await home.close();
    await stage.leave();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What automations told by firing an event of that type. */
  function told(type: string): readonly unknown[] {
    return home.events.filter(({ event_type: of }) => of === type).map(({ data: { message } }) => message);
  }

  async function automated(id: string, blueprint: string, input: object): Promise<void> {
    await home.importBlueprint('automation', blueprint);
    await home.automate(id, { alias: id, use_blueprint: { path: `latchkey/${blueprint}.yaml`, input } });
    await home.shows(`automation.${id}`, 'on');
  }

  it('"lock at night" locks at its time, and names what did not lock', async () => {
    await stage.lock('Front door').at('turn-thumbturn', { to: 'Unlocked' });
    await stage.lock('Garage').at('turn-thumbturn', { to: 'Unlocked' });
    await home.shows(FRONT, 'unlocked');
    await home.shows(GARAGE, 'unlocked');
    await stage.lock('Garage').at('jam');
    const at = new Date(Date.now() + 15 * SECOND_MS).toISOString().slice(11, 19);
    const tell = [{ event: 'open', event_data: { message: '{{ open }}' } }];
    await automated('night', 'lock_at_night', { locks: [FRONT, GARAGE], at, tell });
    await home.shows(FRONT, 'locked');
    expect(stage.boltOf(stage.lock('Front door'))).toBe('Locked');
    // A minute and a half later.
    await expect.poll(() => told('open'), { timeout: 150 * SECOND_MS }).toEqual(['Garage']);
    await stage.lock('Garage').at('clear-jam');
  });

  it('"tell me who came" names the person and the way, once for each unlock', async () => {
    const tell = [{ event: 'came', event_data: { message: '{{ message }}' } }];
    await automated('who', 'tell_who_came', { activity: 'event.front_door_activity', tell });
    const front = stage.lock('Front door');
    await front.at('turn-thumbturn', { to: 'Unlocked' });
    await home.shows(FRONT, 'unlocked');
    await expect.poll(() => told('came')).toEqual(['Front door was unlocked by thumbturn']);
    await home.call('lock.lock', FRONT);
    await home.shows(FRONT, 'locked');
    await home.call('lock.unlock', FRONT, { code: PIN });
    await home.shows(FRONT, 'unlocked');
    await expect.poll(() => told('came')).toHaveLength(2);
    expect(told('came')[1]).toBe('Front door was unlocked by own-command');
  });

  describe('"a code for a guest"', () => {
    const onLock = () => {
      const { world } = stage.simulator;
      const ids = world.deviceIds().filter((id) => world.inspect(id).name === 'Front door');
      return ids.flatMap((id) => world.inspect(id).codesOnLock);
    };
    /** A day and a time as its form has them, in the zone of Home Assistant. */
    const written = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    const from = Math.floor(Date.now() / 60_000) * 60_000;
    const asked = { code: CODE, from: written(from), until: written(from + 3 * DAY_MS) };

    beforeAll(async () => {
      await home.importBlueprint('script', 'guest_code');
      const use_blueprint = { path: 'latchkey/guest_code.yaml', input: { lock: FRONT } };
      await home.script('guest', { alias: 'A code for a guest', use_blueprint });
      await home.shows('script.guest', 'off');
      const tell = [{ event: 'failed', event_data: { message: '{{ message }}' } }];
      await automated('late', 'tell_when_a_code_failed', {
        codes: ['event.front_door_access_codes'],
        tell,
      });
    });

    it('puts nothing on the lock without the remote PIN, and "a code is missing" says why', async () => {
      await home.result({
        type: 'call_service',
        domain: 'script',
        service: 'guest',
        service_data: { ...asked, name: 'Without' },
      });
      await expect.poll(() => told('failed')).toHaveLength(1);
      expect(told('failed')[0]).toMatch(/^Front door: a code, .*PIN/);
      expect(onLock().filter(({ code }) => code === CODE)).toEqual([]);
    });

    it('puts the code on the lock for its time, and the digits stay in no file of Home Assistant', async () => {
      await home.result({
        type: 'call_service',
        domain: 'script',
        service: 'guest',
        service_data: { ...asked, name: 'Anna', pin: PIN },
      });
      await expect.poll(() => onLock().filter(({ code }) => code === CODE)).toHaveLength(1);
      const anna = onLock().find(({ code }) => code === CODE);
      expect(anna).toMatchObject({ name: 'Anna', scheduleType: 'Temporary' });
      expect(told('failed')).toHaveLength(1);
      expect(JSON.stringify(await home.states())).not.toContain(CODE);
      // Traces of scripts are written when it ends.
      await home.restart();
      const files = readdirSync(homeFolder, { recursive: true, withFileTypes: true });
      const holding = files
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((file) => [CODE, PIN].some((digits) => readFileSync(file).includes(digits)));
      expect(holding).toEqual([]);
    });
  });

  it('give Home Assistant nothing to complain about', () => {
    expect(home.complaints().filter((entry) => /mqtt|blueprint|script|automation/.test(entry))).toEqual([]);
  });
});
