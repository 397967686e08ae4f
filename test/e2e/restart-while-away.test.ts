// Sensors and switch across a restart while the service does not answer, for real: nothing happened, so Home gets no event.
import { Characteristic, Service } from 'hap-nodejs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Point } from '../harness/home.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const CLOSED = 0;

describe('a restart while the service does not answer (faults#99)', () => {
  let stage: OpenedStage;
  let sensor: Point;
  let active: Point;
  let on: Point;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      options: {
        connectivitySensor: 'none',
        alerts: { boltSensor: 'contact', automationSwitch: 'lockOnly' },
      },
    });
    const lock = stage.lock('Front door');
    sensor = lock.point(Service.ContactSensor, Characteristic.ContactSensorState);
    active = lock.point(Service.ContactSensor, Characteristic.StatusActive);
    on = lock.point(Service.Switch, Characteristic.On);
  });

  afterAll(async () => {
    await stage.leave();
  });

  async function values(): Promise<readonly unknown[]> {
    // HAP answers 1 or true for a boolean, as the controller asks.
    const readings = await stage.home.readAll([sensor, active, on]);
    return readings.map(({ value }) => Number(value));
  }

  it('leaves sensor and switch as they were, marked inactive, and sends no event', async () => {
    const lock = stage.lock('Front door');
    await untilShown(lock, 'locked');
    expect(await values()).toEqual([CLOSED, 1, 1]);
    await stage.fault({ kind: 'cut', when: 'before-work', often: 'always' });
    await stage.restartHomebridge();
    stage.home.forgetEvents();
    await stage.home.subscribe([sensor, on]);
    expect(await values()).toEqual([CLOSED, 0, 1]);

    await stage.heal();
    await untilShown(lock, 'locked');
    expect(await values()).toEqual([CLOSED, 1, 1]);
    const watched = new Set([sensor.characteristic.UUID, on.characteristic.UUID]);
    expect(stage.home.events.filter(({ characteristic }) => watched.has(characteristic))).toEqual([]);
  });

  it('hides no change that happened meanwhile', async () => {
    const lock = stage.lock('Front door');
    await stage.fault({ kind: 'cut', when: 'before-work', often: 'always' });
    await stage.restartHomebridge();
    await stage.home.subscribe([sensor, on]);
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    await stage.heal();
    await stage.home.received(sensor, 1, 40_000);
    expect(await values()).toEqual([1, 1, 0]);
  });
});
