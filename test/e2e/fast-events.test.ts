// Fast events in a real Homebridge: a controller that subscribes to the pulse gets events without HAP's hold of a quarter second.
import { setTimeout } from 'node:timers/promises';
import { Characteristic, Service } from 'hap-nodejs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Point } from '../harness/home.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

/** Five seconds between two polls, and room for a busy machine. */
const SOON_MS = 60_000;

/** The present position is sent to a first subscription after 320 ms, and held for another 250. */
const HEARD_AFTER_MS = 1_500;

let stage: OpenedStage;
let motion: Point;

beforeAll(async () => {
  stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, options: { fastEvents: true } });
  motion = stage.lock('Back door').point(Service.LockManagement, Characteristic.MotionDetected);
});

afterAll(async () => {
  await stage.leave();
});

it('a subscribed controller gets the events of the lock with the pulse, before a controller that is not subscribed', async () => {
  const lock = stage.lock('Back door');
  await untilShown(lock, 'locked');
  // The stage listens to the lock on a connection of its own, without the pulse: there the events are held.
  await stage.home.subscribe([lock.target, lock.current, motion]);
  // A first subscription hears the present position once more, a moment later; on a busy machine only after the turn.
  await setTimeout(HEARD_AFTER_MS);
  stage.home.forgetEvents();
  await lock.at('turn-thumbturn', { to: 'Unlocked' });

  const pulse = await stage.home.received(motion, 1, SOON_MS);
  await stage.home.received(motion, 0, SOON_MS);
  // The history says soon afterwards who it was, which brings a pulse of its own.
  const isSecondPulse = (uuid: string, value: unknown, before: readonly unknown[]): boolean =>
    uuid === motion.characteristic.UUID && value === 1 && before.includes(`${uuid} 1`);
  const isFormer = (value: unknown, at: number): boolean => value === 1 && at < pulse.at;
  const seen: string[] = [];
  const reported = stage.home.events.filter(({ accessory, characteristic, value, at }) => {
    const isRepeat = isFormer(value, at) || isSecondPulse(characteristic, value, seen);
    seen.push(`${characteristic} ${String(value)}`);
    return accessory === lock.name && !isRepeat;
  });
  const [target, current] = [lock.target, lock.current].map(({ characteristic }) => characteristic.UUID);
  expect(reported.map(({ characteristic, value }) => [characteristic, value])).toEqual([
    [target, 0],
    [current, 0],
    [motion.characteristic.UUID, 1],
    [target, 0],
    [current, 0],
    [motion.characteristic.UUID, 0],
  ]);
  // One message has one time of arrival.
  expect(reported.slice(0, 3).map(({ at }) => at)).toEqual([pulse.at, pulse.at, pulse.at]);
  const heldUntil = reported[4]?.at ?? Number.NaN;
  expect(heldUntil).toBeGreaterThan(pulse.at);
  console.log(
    `LockCurrentState with the pulse: ${Math.round(heldUntil - pulse.at)} ms before the held event`,
  );
});

it('fast events give Homebridge nothing to complain about', () => {
  expect(stage.complaints()).toEqual([]);
});
