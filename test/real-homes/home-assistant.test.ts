// Locks in the real Home Assistant, over MQTT, HomeKit and Matter at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('have the states over MQTT that our own reader of its rules finds, entity by entity', async () => {
    const { home, broker } = whole;
    const restated = await RestatedHomeAssistant.connect(broker.url);
    try {
      await expect.poll(() => restated.devices().size).toBeGreaterThan(3);
      const real = new Map((await home.entities('mqtt')).map((one) => [one.unique_id, one]));
      const states = new Map((await home.states()).map(({ entity_id, state }) => [entity_id, state]));
      const compared = [...restated.devices().values()].flatMap(({ device, components }) =>
        Object.entries(components).flatMap(([key, component]) => {
          const entity = 'unique_id' in component ? real.get(component.unique_id) : undefined;
          // The state of an event is the instant of its arrival; what is turned off has none.
          const isCompared = component.platform !== 'event' && entity?.disabled_by === null;
          const shown = isCompared ? states.get(entity.entity_id) : undefined;
          return shown === undefined
            ? []
            : [
                {
                  of: `${String(device.name)}, ${key}`,
                  real: shown,
                  restated: restated.shows(String(device.name), key),
                },
              ];
        }),
      );
      expect(compared.length).toBeGreaterThan(10);
      expect(compared.filter((each) => each.real !== each.restated)).toEqual([]);
    } finally {
      restated.close();
    }
  });

  it('give it nothing to complain about over HomeKit and Matter', () => {
    const about = /homekit_controller|aiohomekit|matter/;
    expect(whole.home.complaints().filter((line) => about.test(line))).toEqual([]);
  });
});
