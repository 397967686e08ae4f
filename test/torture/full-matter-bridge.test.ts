// As many locks over Matter as HomeKit takes on one bridge, for real: each is there, read from evidence, and moved alone.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type OpenedStage, openStage } from '../e2e/stage.ts';
import { manyLocks } from '../harness/many-locks.ts';
import { MatterHome, matterBridgeOf } from '../harness/matter-home.ts';

const LOCKS = 149;
const LAST = 'Lock 149';
const LOCKED = 1;
const UNLOCKED = 2;

describe('an account with 149 locks over Matter', () => {
  let stage: OpenedStage;
  let home: MatterHome;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      scenario: manyLocks(LOCKS),
      onChildBridge: true,
      matter: true,
      options: { matter: 'only' },
    });
    await stage.homebridge.line(/Matter server is now running/, 60_000);
    const { storeFolder } = stage.installation;
    home = await MatterHome.join(matterBridgeOf(stage.installation), join(storeFolder, 'controller'));
  });

  afterAll(async () => {
    await home.close();
    await stage.leave();
  });

  it('shows every one of them to a controller, and none in HomeKit', async () => {
    await vi.waitFor(() => {
      expect(home.locks).toHaveLength(LOCKS);
    }, 30_000);
    expect(new Set(home.locks).size).toBe(LOCKS);
    await stage.home.refresh();
    expect(stage.home.accessories).toEqual([]);
  });

  it('moves the one that is commanded, and no other', async () => {
    await vi.waitFor(() => {
      expect(home.locks.map((name) => home.lock(name).state)).toEqual(home.locks.map(() => LOCKED));
    }, 30_000);
    home.reports.length = 0;
    expect(await home.lock(LAST).command('unlockDoor')).toBe(0);
    await home.lock(LAST).reported('lockState', (value) => value === UNLOCKED);
    expect(home.reports.filter(({ lock }) => lock !== LAST)).toEqual([]);
  });

  it('gives Homebridge nothing to complain about', () => {
    const noise = /addMembership|MaxListeners/;
    expect(stage.complaints().filter((line) => !noise.test(line))).toEqual([]);
  });
});
