// Locks over Matter in the real Home Assistant: what it shows, what it asks for, and who it names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openWholeHome, type WholeHome } from './whole-home.ts';

const PIN = '24681357';
const WRONG_PIN = '97531864';

const device = z.looseObject({ id: z.string(), name: z.string().nullable(), model: z.string().nullable() });

describe('locks over Matter in Home Assistant', () => {
  let whole: WholeHome;
  let front: string;

  beforeAll(async () => {
    whole = await openWholeHome(['matter'], { remotePin: PIN });
    front = await whole.home.lock('matter', 'Front door');
    await whole.home.shows(front, 'locked');
  });

  afterAll(async () => {
    await whole.close();
  });

  /** The name of the source of the latest move, as the card and triggers have it. */
  async function changedBy(): Promise<unknown> {
    return (await whole.home.state(front))?.attributes['changed_by'];
  }

  it('are a device with the product as its model (faults#174)', async () => {
    const devices = z.array(device).parse(await whole.home.result({ type: 'config/device_registry/list' }));
    const models = devices.filter(({ name }) => name === 'Front door').map(({ model }) => model);
    expect(models).toEqual(['Model-D1']);
  });

  it('offer no mode that they would not follow (faults#130)', async () => {
    const entities = await whole.home.entities('matter');
    const modes = entities.filter(({ entity_id }) => /^select\..*mode$/.test(entity_id));
    const states = await whole.home.states();
    const options = modes.map(
      ({ entity_id }) => states.find((state) => state.entity_id === entity_id)?.attributes['options'],
    );
    expect(options.filter((each) => each !== undefined)).toEqual(options.map(() => ['normal']));
  });

  it('are unlocked with the PIN alone, by a service and an automation, and locked without', async () => {
    const { home, stage } = whole;
    expect(await home.call('lock.lock', front)).toBeNull();
    await home.shows(front, 'locked');
    expect(await home.call('lock.unlock', front)).not.toBeNull();
    expect(await home.call('lock.unlock', front, { code: WRONG_PIN })).not.toBeNull();
    expect(stage.boltOf(stage.lock('Front door'))).toBe('Locked');
    expect(await home.call('lock.unlock', front, { code: PIN })).toBeNull();
    await home.shows(front, 'unlocked');
    expect(await home.call('lock.lock', front)).toBeNull();
    await home.shows(front, 'locked');
    expect(await home.call('lock.unlock', front, { code: PIN })).toBeNull();
    await home.shows(front, 'unlocked');
    await home.automate('night', {
      alias: 'Lock at night',
      triggers: [{ trigger: 'event', event_type: 'night' }],
      actions: [{ action: 'lock.lock', target: { entity_id: front } }, { event: 'night_is_done' }],
    });
    // An automation that is not loaded yet hears nothing.
    await home.shows('automation.lock_at_night', 'on');
    await home.result({ type: 'fire_event', event_type: 'night' });
    await home.shows(front, 'locked');
    // What follows in the automation runs, too.
    await expect.poll(() => home.events.some(({ event_type }) => event_type === 'night_is_done')).toBe(true);
  });

  it('name the source of each move (faults#174)', async () => {
    const { home, stage } = whole;
    expect(await home.call('lock.lock', front)).toBeNull();
    await home.shows(front, 'locked');
    await stage.lock('Front door').at('turn-thumbturn', { to: 'Unlocked' });
    await stage.refresh();
    await home.shows(front, 'unlocked');
    await expect.poll(changedBy).toBe('Manual');
    expect(await home.call('lock.lock', front)).toBeNull();
    await home.shows(front, 'locked');
    await expect.poll(changedBy).toBe('Remote');
  });

  it('have the same entities after a restart of Homebridge (faults#131)', async () => {
    const { home, stage } = whole;
    const before = (await home.entities('matter')).map(({ entity_id, unique_id }) => [entity_id, unique_id]);
    await stage.restartHomebridge('kill');
    await stage.lock('Front door').at('turn-thumbturn', { to: 'Unlocked' });
    await home.shows(front, 'unlocked', 100_000);
    const after = (await home.entities('matter')).map(({ entity_id, unique_id }) => [entity_id, unique_id]);
    expect(after).toEqual(before);
  });

  it('give it nothing to complain about', () => {
    const about = /matter/;
    const complaints = whole.home.complaints().filter((line) => about.test(line) && !/code|PIN/i.test(line));
    expect(complaints).toEqual([]);
  });
});
