// Locks in the real Home Assistant, over MQTT, HomeKit and Matter at once.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HomeAssistant as RestatedHomeAssistant } from '../support/home-assistant.ts';
import { openWholeHome, type WholeHome } from './whole-home.ts';

const WAYS = ['mqtt', 'homekit_controller', 'matter'] as const;

describe('locks in Home Assistant', () => {
  let whole: WholeHome;

  beforeAll(async () => {
    whole = await openWholeHome(WAYS);
  });

  afterAll(async () => {
    await whole.close();
  });

  it.each(WAYS)('are unlocked and locked over %s, and shown so over each way', async (way) => {
    const { home, stage } = whole;
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

  describe('by the rules of Home Assistant as our other tests restate them', () => {
    let restated: RestatedHomeAssistant;

    beforeAll(async () => {
      restated = await RestatedHomeAssistant.connect(whole.broker.url);
      await vi.waitUntil(() => restated.devices().size > 3, 20_000);
    });

    afterAll(() => {
      restated.close();
    });

    /** Each announced entity, with its name for a person. */
    function announced() {
      return [...restated.devices().values()].flatMap(({ device, components }) =>
        Object.entries(components).flatMap(([key, component]) =>
          'unique_id' in component ? [{ device: String(device.name), key, component }] : [],
        ),
      );
    }

    it('each announced entity is there', async () => {
      const real = new Set((await whole.home.entities('mqtt')).map(({ unique_id }) => unique_id));
      expect(announced().length).toBeGreaterThan(30);
      expect(announced().filter(({ component }) => !real.has(component.unique_id))).toEqual([]);
    });

    it('each state is the same', async () => {
      const real = new Map((await whole.home.entities('mqtt')).map((one) => [one.unique_id, one]));
      const states = new Map((await whole.home.states()).map(({ entity_id, state }) => [entity_id, state]));
      const compared = announced().flatMap(({ device, key, component }) => {
        const entity = real.get(component.unique_id);
        // The state of an event is the instant of its arrival; what is turned off has none.
        const isCompared = component.platform !== 'event' && entity?.disabled_by === null;
        const shown = isCompared ? states.get(entity.entity_id) : undefined;
        return shown === undefined
          ? []
          : [{ of: `${device}, ${key}`, real: shown, restated: restated.shows(device, key) }];
      });
      expect(compared.length).toBeGreaterThan(10);
      expect(compared.filter((each) => each.real !== each.restated)).toEqual([]);
    });

    it('a tap sends the same message, but for its time', async () => {
      const sent = () =>
        restated.seen
          .filter(({ topic }) => topic.endsWith('/set') && !topic.includes('self-test'))
          .map(({ topic, text, retained }) => ({ topic, text: text.replace(/\d{13}/, 'now'), retained }));
      const before = sent().length;
      expect(await whole.home.call('lock.lock', await whole.home.lock('mqtt', 'Front door'))).toBeNull();
      await expect.poll(() => sent().length).toBe(before + 1);
      await restated.tap('Front door', 'lock');
      await expect.poll(() => sent().length).toBe(before + 2);
      const [real, ours] = sent().slice(before);
      expect(ours).toEqual(real);
    });
  });

  it('give it nothing to complain about over HomeKit and Matter', () => {
    const about = /homekit_controller|aiohomekit|matter/;
    expect(whole.home.complaints().filter((line) => about.test(line))).toEqual([]);
  });
});
