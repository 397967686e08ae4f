// Options that change while Home shows the lock, with real HAP classes: they act at once, and no controller gets an event of the bolt.
import { describe, expect, it } from 'vitest';
import type { LockOptions } from '../../../src/homekit/hap/lock-options.ts';
import { FRONT } from '../../stand-ins/account/runtime.ts';
import { DEFAULTS, HomeFixture, lockedDoor, reconfigurations } from './fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const NOT_ALLOWED = -70401;

/** A switch that moves the bolt, and a sensor for a low battery, so that everything that options reach is there. */
const FURNISHED: LockOptions = {
  ...DEFAULTS,
  alerts: { ...DEFAULTS.alerts, automationSwitch: 'bothWays', lowBattery: true },
};

const LOCK_ONLY: LockOptions['alerts'] = { ...FURNISHED.alerts, automationSwitch: 'lockOnly' };

/** A door in Home whose options a page changes. */
class ConfiguredDoor {
  readonly fixture: HomeFixture;
  #options = FURNISHED;

  constructor() {
    this.fixture = lockedDoor({ options: () => this.#options });
    this.fixture.runtime.report(FRONT, { battery: { grade: 'normal', percent: 30 } });
  }

  configure(change: Partial<LockOptions>): void {
    this.#options = { ...this.#options, ...change };
    this.fixture.configured(FRONT);
  }

  get switch(): ReturnType<HomeFixture['characteristic']> {
    return this.fixture.characteristic('Switch', 'On');
  }

  /** Of the battery's own service, and of its sensor. */
  get lowBattery(): readonly unknown[] {
    const { hap } = this.fixture.api;
    const sensor = this.fixture.accessory().getServiceById(hap.Service.OccupancySensor, 'low-battery');
    return [
      this.fixture.characteristic('Battery', 'Status Low Battery').value,
      sensor?.getCharacteristic(hap.Characteristic.OccupancyDetected).value,
    ];
  }
}

describe('a lock that is hidden while Home shows it', () => {
  it('leaves Home at once, with one line, and leaves no timer', () => {
    const door = new ConfiguredDoor();
    const { fixture } = door;
    const before = fixture.visibleLines.length;
    door.configure({ hidden: true });
    expect(fixture.accessories).toEqual([]);
    expect(fixture.clock.pendingTimers).toBe(0);
    expect(fixture.visibleLines.slice(before)).toEqual(['info Front door: removed from Home']);
    door.configure({ hidden: true });
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(fixture.visibleLines.slice(before)).toEqual(['info Front door: removed from Home']);
  });

  it('comes back when it is shown again, with its identity, the name of the options, and its true state', () => {
    const door = new ConfiguredDoor();
    const { fixture } = door;
    const { UUID } = fixture.accessory();
    door.configure({ hidden: true });
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    const atRegistration: unknown[] = [];
    fixture.api.on('registerPlatformAccessories' as 'shutdown', () => {
      atRegistration.push(fixture.target('Porch').value, fixture.current('Porch').value);
    });
    door.configure({ hidden: false, name: 'Porch' });
    expect(fixture.accessory('Porch').UUID).toBe(UUID);
    expect(atRegistration).toEqual([UNSECURED, UNSECURED]);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    expect(fixture.current('Porch').value).toBe(SECURED);
  });
});

describe('options that change while Home shows the lock', () => {
  it('reserve the lock for administrators at once, and later lift that', () => {
    const door = new ConfiguredDoor();
    const { fixture } = door;
    const restricted = (): unknown[] => [
      fixture.target().props.adminOnlyAccess,
      door.switch.props.adminOnlyAccess,
    ];
    expect(restricted()).toEqual([[], []]);
    door.configure({ adminOnly: true });
    expect(restricted()).toEqual([[1], [1]]);
    door.configure({ adminOnly: false });
    expect(restricted()).toEqual([[], []]);
  });

  it('make the switch lock-only at once, and it keeps showing the truth (faults#80)', async () => {
    const door = new ConfiguredDoor();
    const { fixture } = door;
    expect(await fixture.write(door.switch, false)).toBe(0);
    door.configure({ alerts: LOCK_ONLY });
    expect(await fixture.write(door.switch, false)).toBe(NOT_ALLOWED);
    expect(door.switch.value).toBe(true);
    expect(fixture.runtime.requests).toHaveLength(1);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(door.switch.value).toBe(false);
    expect(await fixture.write(door.switch, true)).toBe(0);
  });

  it('judge the battery anew by the new limits, in Home, in its sensor and in the log', () => {
    const door = new ConfiguredDoor();
    const { fixture } = door;
    expect(door.lowBattery).toEqual([0, 0]);
    door.configure({ lowBattery: 40 });
    expect(door.lowBattery).toEqual([1, 1]);
    expect(fixture.visibleLines.at(-1)).toBe(
      'warn Front door: battery low, 30%. Replace the batteries soon.',
    );
    // Within the distance that the new limits leave, but above the threshold: it was low by other limits.
    door.configure({ lowBattery: 28 });
    expect(door.lowBattery).toEqual([0, 0]);
    expect(fixture.visibleLines.at(-1)).toBe('info Front door: battery OK again, 30%');
  });

  it.each(['secured', 'unsecured', 'jammed', 'unknown'] as const)(
    'keep the accessory, its services and its name, and send no event of a bolt that is %s nor of a request',
    (bolt) => {
      const door = new ConfiguredDoor();
      const { fixture } = door;
      fixture.runtime.report(FRONT, { bolt });
      fixture.runtime.happen(FRONT, {
        type: 'requested',
        target: bolt === 'secured' ? 'unsecured' : 'secured',
      });
      const accessory = fixture.accessory();
      const services = [...accessory.services];
      const changes = reconfigurations([accessory]);
      const sent = fixture.listen();
      door.configure({
        name: 'Porch',
        adminOnly: true,
        alerts: LOCK_ONLY,
        lowBattery: 50,
      });
      expect(fixture.accessories).toEqual([accessory]);
      expect(accessory.displayName).toBe('Front door');
      expect(accessory.services).toEqual(services);
      expect(changes()).toBe(0);
      expect(sent.filter(({ name }) => name.startsWith('Lock ') || name === 'On')).toEqual([]);
      expect(fixture.runtime.requests).toEqual([]);
    },
  );

  it('of a lock that the runtime does not have change nothing', () => {
    const fixture = new HomeFixture();
    fixture.configured(FRONT);
    expect([fixture.accessories, fixture.lines]).toEqual([[], []]);
  });
});
