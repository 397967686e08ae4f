// A lock that a page configures, for real: Home follows at once, without a restart, and still does after one.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Home } from '../harness/home.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const NOT_ALLOWED = -70401;
const UNSECURED = 0;

describe('a lock that a page configures', () => {
  let stage: OpenedStage;
  let guest: Home;

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder });
    guest = await stage.home.invite();
  });

  afterAll(async () => {
    await guest.close();
    await stage.leave();
  });

  async function accessories(): Promise<readonly string[]> {
    await stage.home.refresh();
    return stage.home.accessories.sort();
  }

  it('can be moved by everybody in the home until it is left to its administrators, and by everybody again', async () => {
    const lock = stage.lock('Back door');
    await untilShown(lock, 'locked');
    await stage.configure(lock.name, { adminOnly: true });
    expect(await guest.write(lock.target, UNSECURED)).toBe(NOT_ALLOWED);
    expect(await stage.commands()).toEqual([]);
    expect(await lock.shown()).toBe('locked');
    await stage.configure(lock.name, { adminOnly: false });
    expect(await guest.write(lock.target, UNSECURED)).toBe(0);
    await untilShown(lock, 'unlocked');
  });

  it('gives Homebridge nothing to complain about', () => {
    expect(stage.complaints()).toEqual([]);
  });

  it('is not unlocked from afar once that is forbidden, and what was said holds after a restart (faults#80)', async () => {
    await stage.configure('Garage', { hide: true });
    await stage.configure('Front door', { remoteUnlock: false });
    const lock = stage.lock('Front door');
    const before = await stage.commands();
    expect(await lock.tap('unlocked')).toBe(NOT_ALLOWED);
    await stage.restartHomebridge();
    expect(await accessories()).toEqual(['Back door', 'Front door']);
    await untilShown(lock, 'locked');
    expect(await lock.tap('unlocked')).toBe(NOT_ALLOWED);
    expect(await stage.commands()).toEqual(before);
    expect(stage.boltOf(lock)).toBe('Locked');
  });
});
