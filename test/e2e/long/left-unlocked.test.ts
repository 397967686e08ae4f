// A lock that was left unlocked, in a real Homebridge: after a minute the sensor is on, and the lock locks by itself.
import { Characteristic, Service } from 'hap-nodejs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

const MINUTE_MS = 60_000;
/** A poll, a reading, a command with its end, and room for a busy machine. */
const SOON_MS = 30_000;
const { OCCUPANCY_DETECTED, OCCUPANCY_NOT_DETECTED } = Characteristic.OccupancyDetected;

let stage: OpenedStage;

beforeAll(async () => {
  stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    // The smallest values there are, and no other occupancy sensor.
    options: { alerts: { leftUnlocked: 1, autoLockMinutes: 1 }, connectivitySensor: 'none' },
  });
});

afterAll(async () => {
  await stage.leave();
});

it('a lock that is left unlocked turns the sensor on after a minute, is locked by itself once, and turns the sensor off', async () => {
  const lock = stage.lock('Front door');
  const sensor = lock.point(Service.OccupancySensor, Characteristic.OccupancyDetected);
  await untilShown(lock, 'locked');
  await stage.home.subscribe([sensor]);
  expect((await stage.home.read(sensor)).value).toBe(OCCUPANCY_NOT_DETECTED);
  stage.home.forgetEvents();
  await lock.at('turn-thumbturn', { to: 'Unlocked' });
  const unlocked = await lock.showed('unlocked', SOON_MS);

  const on = await stage.home.received(sensor, OCCUPANCY_DETECTED, MINUTE_MS + SOON_MS);
  expect(on.at - unlocked.at).toBeGreaterThan(MINUTE_MS - 2_000);
  await lock.showed('locked', SOON_MS);
  const off = await stage.home.received(sensor, OCCUPANCY_NOT_DETECTED, SOON_MS);
  expect(off.at).toBeGreaterThan(on.at);
  expect(stage.boltOf(lock)).toBe('Locked');
  const commands = await stage.commands();
  expect(commands.map(({ body }) => body?.includes('"Locked"'))).toEqual([true]);
});
