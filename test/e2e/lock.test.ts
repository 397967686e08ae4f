// The main job, for real: the packed plugin in a real Homebridge, moved by a real HAP controller and by hands at the door.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

/** Two seconds of travel at most, five between two polls, and room for a busy machine. */
const SOON_MS = 15_000;

describe.each([
  { on: 'the main bridge', onChildBridge: false, start: {} },
  { on: 'the main bridge in insecure mode (-I)', onChildBridge: false, start: { insecure: true } },
  { on: 'a child bridge', onChildBridge: true, start: {} },
])('a lock on $on', ({ onChildBridge, start }) => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, onChildBridge, start });
  });

  afterAll(async () => {
    await stage.leave();
  });

  it('shows every lock of the account', () => {
    expect(stage.home.accessories.sort()).toEqual(['Back door', 'Front door', 'Garage']);
  });

  it.each(['unlocked', 'locked'] as const)(
    'is %s by a tap, and Home shows it only when the bolt is there',
    async (target) => {
      const door = stage.door('Front door');
      await door.at('turn-thumbturn', { to: target === 'locked' ? 'Unlocked' : 'Locked' });
      await untilShown(door, target === 'locked' ? 'unlocked' : 'locked');
      stage.home.forgetEvents();

      expect(await door.tap(target)).toBe(0);
      expect(await door.requested()).toBe(target);
      expect(await door.shown()).not.toBe(target);
      await door.showed(target, SOON_MS);
      expect(stage.boltOf(door).toLowerCase()).toBe(target);
    },
  );

  it('follows a hand at the door: target first, then state, and nothing hangs (faults#32)', async () => {
    const door = stage.door('Back door');
    await untilShown(door, 'locked');
    stage.home.forgetEvents();
    await door.at('turn-thumbturn', { to: 'Unlocked' });
    await door.showed('unlocked', SOON_MS);
    const reported = stage.home.events.filter(({ accessory }) => accessory === door.name);
    expect(reported.map(({ characteristic, value }) => [characteristic, value])).toEqual([
      [door.target.characteristic.UUID, 0],
      [door.current.characteristic.UUID, 0],
    ]);
  });

  it('shows the truth again after a restart, without any command and without having said "unlocked" (faults#33)', async () => {
    const door = stage.door('Front door');
    await untilShown(door, 'locked');
    const commandsBefore = await stage.commands();
    stage.home.forgetEvents();
    await stage.restartHomebridge();
    await untilShown(door, 'locked');
    const reported = stage.home.events.filter(
      ({ accessory, characteristic }) =>
        accessory === door.name && characteristic === door.current.characteristic.UUID,
    );
    expect(reported.length).toBeLessThanOrEqual(1);
    expect(reported.map(({ value }) => value)).not.toContain(0);
    expect(await stage.commands()).toEqual(commandsBefore);
  });

  it('gives Homebridge nothing to complain about', () => {
    expect(stage.takeComplaints()).toEqual([]);
  });
});
