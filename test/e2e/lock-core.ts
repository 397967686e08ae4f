// The main job, for real: a lock in a real Homebridge, moved by a real HAP controller and by hands at the door.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { StartOptions } from '../harness/homebridge.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

/** Two seconds of travel at most, five between two polls, and room for a busy machine. */
const SOON_MS = 60_000;

export interface Placed {
  /** Where the lock is, in the title. */
  readonly on: string;
  readonly onChildBridge: boolean;
  readonly start: StartOptions;
  /** What Homebridge complains of itself; of the plugin it complains of nothing. */
  readonly itsOwn?: RegExp;
}

/** The tests of a lock, on one bridge. */
export function describeLock({ on, onChildBridge, start, itsOwn = /^$/ }: Placed): void {
  describe(`a lock on ${on}`, () => {
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
        const lock = stage.lock('Front door');
        const before = target === 'locked' ? 'unlocked' : 'locked';
        await lock.at('turn-thumbturn', { to: before === 'locked' ? 'Locked' : 'Unlocked' });
        await untilShown(lock, before);
        stage.home.forgetEvents();

        expect(await lock.tap(target)).toBe(0);
        expect(await lock.requested()).toBe(target);
        // Read before the bolt is looked at: on a busy machine it may be there already.
        const shown = await lock.shown();
        expect([shown, stage.boltOf(lock).toLowerCase()]).not.toEqual([target, before]);
        await lock.showed(target, SOON_MS);
        expect(stage.boltOf(lock).toLowerCase()).toBe(target);
      },
    );

    it('follows a hand at the door: target first, then state, and nothing hangs (faults#32)', async () => {
      const lock = stage.lock('Back door');
      await untilShown(lock, 'locked');
      stage.home.forgetEvents();
      await lock.at('turn-thumbturn', { to: 'Unlocked' });
      await lock.showed('unlocked', SOON_MS);
      await lock.at('turn-thumbturn', { to: 'Locked' });
      await lock.showed('locked', SOON_MS);
      const reported = stage.home.events.filter(({ accessory }) => accessory === lock.name);
      expect(reported.map(({ characteristic, value }) => [characteristic, value])).toEqual([
        [lock.target.characteristic.UUID, 0],
        [lock.current.characteristic.UUID, 0],
        [lock.target.characteristic.UUID, 1],
        [lock.current.characteristic.UUID, 1],
      ]);
    });

    it('shows the truth again after a restart, without any command and without having said "unlocked" (faults#33)', async () => {
      const lock = stage.lock('Front door');
      await untilShown(lock, 'locked');
      const commandsBefore = await stage.commands();
      stage.home.forgetEvents();
      await stage.restartHomebridge();
      await untilShown(lock, 'locked');
      const reported = stage.home.events.filter(
        ({ accessory, characteristic }) =>
          accessory === lock.name && characteristic === lock.current.characteristic.UUID,
      );
      expect(reported.length).toBeLessThanOrEqual(1);
      expect(reported.map(({ value }) => value)).not.toContain(0);
      expect(await stage.commands()).toEqual(commandsBefore);
    });

    it('gives Homebridge nothing to complain about', () => {
      expect(stage.complaints().filter((line) => !itsOwn.test(line))).toEqual([]);
    });
  });
}
