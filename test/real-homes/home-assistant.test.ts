// Locks in the real Home Assistant, over MQTT, HomeKit and Matter at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('give it nothing to complain about over HomeKit and Matter', () => {
    const about = /homekit_controller|aiohomekit|matter/;
    expect(whole.home.complaints().filter((line) => about.test(line))).toEqual([]);
  });
});
