// Homebridge's own API and accessories with real HAP classes, beside a runtime that a test moves by hand.
import type { API, Characteristic, CharacteristicValue, PlatformAccessory, Service } from 'homebridge';
import { HomebridgeAPI } from '../../../node_modules/homebridge/dist/api.js';
import { PlatformAccessory as RealAccessory } from '../../../node_modules/homebridge/dist/platformAccessory.js';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { type LockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { Homekit } from '../../../src/homekit/accessory-registry.ts';
import type { AlertOptions, LockOptions } from '../../../src/homekit/hap/lock-options.ts';
import { lockOptionsFor } from '../../../src/plugin/homekit-options.ts';
import { delay } from '../../../src/support/clock.ts';
import { ShellFixture } from '../../homes/homebridge-shell.ts';
import { describedAs, FRONT, StandInRuntime } from '../../stand-ins/account/runtime.ts';
import { configOf } from '../../support/checked-config.ts';

/** The options of a lock in a configuration that sets nothing. */
export const DEFAULTS: LockOptions = optionsOf({});

/** The options of the lock in this platform block. */
export function optionsOf(block: Readonly<Record<string, unknown>>): LockOptions {
  const config = configOf(block);
  return lockOptionsFor(config, effectiveLockOptions(config, {}, FRONT));
}

/** Every sensor, in the order of docs/home.md, and a switch that only locks. */
export const EVERY_ALERT: AlertOptions = {
  leftUnlocked: 30,
  boltSensor: 'occupancy',
  jam: true,
  lowBattery: true,
  wrongCode: { enabled: true },
  keypadLockedOut: true,
  activityAlarm: true,
  guestArrived: true,
  stayNotReady: true,
  unlockedByCode: ['Ann', 'Ben'],
  movedBy: ['keypad', 'inside', 'outside', 'remote', 'autoRelock', 'nfc'],
  autoLockMinutes: 0,
  automationSwitch: 'lockOnly',
};

/** A change that HAP would send to subscribers: news, or an event that was asked for. */
export interface SentEvent {
  readonly name: string;
  readonly value: CharacteristicValue;
}

export interface FixtureSettings {
  readonly restored?: readonly PlatformAccessory[];
  /** Those that differ from the defaults, or the options of each lock. */
  readonly options?: Partial<LockOptions> | ((id: LockId) => LockOptions);
  readonly prepare?: (runtime: StandInRuntime) => void;
  /** Called with what Homebridge is told in one call. */
  readonly onRegister?: (accessories: readonly PlatformAccessory[]) => void;
  readonly onUpdate?: (accessories: readonly PlatformAccessory[]) => void;
}

/** One running Homebridge shell: its accessories, its log, and our HomeKit module in it. */
export class HomeFixture extends ShellFixture {
  readonly api: API;
  readonly runtime = new StandInRuntime();
  readonly accessories: PlatformAccessory[];
  readonly saved: PlatformAccessory[] = [];
  readonly homekit: Homekit;

  constructor({ restored = [], options = {}, prepare, onRegister, onUpdate }: FixtureSettings = {}) {
    super();
    const api = new HomebridgeAPI();
    this.api = api as API;
    this.accessories = [...restored];
    // Its public types leave these events out.
    const on = (
      event: string,
      take: (accessory: PlatformAccessory) => void,
      takeAll?: (accessories: readonly PlatformAccessory[]) => void,
    ): void => {
      const each = (accessories: readonly PlatformAccessory[]): void => {
        takeAll?.(accessories);
        for (const accessory of accessories) {
          take(accessory);
        }
      };
      api.on(event as 'shutdown', each as unknown as () => void);
    };
    on('registerPlatformAccessories', (one) => this.accessories.push(one), onRegister);
    on('unregisterPlatformAccessories', (one) => this.accessories.splice(this.accessories.indexOf(one), 1));
    on('updatePlatformAccessories', (one) => this.saved.push(one), onUpdate);
    prepare?.(this.runtime);
    this.homekit = new Homekit({
      api: this.api,
      log: this.log,
      runtime: this.runtime,
      clock: this.clock,
      optionsFor: typeof options === 'function' ? options : () => ({ ...DEFAULTS, ...options }),
      subscribeOptions: this.subscribeOptions,
      restored,
    });
  }

  /** As the runtime does it when the service takes a command: the request is the target, and the bolt is still where it was. */
  acceptRequests(): void {
    this.runtime.answer = (id, target) => {
      this.runtime.happen(id, { type: 'requested', target });
      return Promise.resolve({ kind: 'accepted' });
    };
  }

  /** The lines a person sees. */
  get visibleLines(): readonly string[] {
    return this.lines.filter((line) => !line.startsWith('debug '));
  }

  accessory(name = 'Front door'): PlatformAccessory {
    const found = this.accessories.find((accessory) => accessory.displayName === name);
    if (found === undefined) {
      throw new Error(`Home shows no ${name}`);
    }
    return found;
  }

  service(kind: string, name?: string): Service | undefined {
    return this.accessory(name).services.find((service) => service.constructor.name === kind);
  }

  /** A characteristic that the accessory must have. Looking does not add it. */
  characteristic(serviceKind: string, displayName: string, name?: string): Characteristic {
    const found = this.service(serviceKind, name)?.characteristics.find(
      (characteristic) => characteristic.displayName === displayName,
    );
    if (found === undefined) {
      throw new Error(`${serviceKind} has no ${displayName}`);
    }
    return found;
  }

  current(name?: string): Characteristic {
    return this.characteristic('LockMechanism', 'Lock Current State', name);
  }

  target(name?: string): Characteristic {
    return this.characteristic('LockMechanism', 'Lock Target State', name);
  }

  /** What both read paths of HAP answer: a value, or the status of an error. */
  async read(characteristic: Characteristic): Promise<unknown> {
    return characteristic.handleGetRequest().catch((status: unknown) => status);
  }

  /** The answer to `GET /accessories`; HAP gives it a default of its own where a read fails. */
  async listed(characteristic: Characteristic, contactHandlers = true): Promise<unknown> {
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- HAP does not type the absent connection
    const nobody: Parameters<Characteristic['toHAP']>[0] = Object.create(null);
    Object.assign(characteristic, { iid: characteristic.iid ?? 1 });
    return (await characteristic.toHAP(nobody, contactHandlers)).value;
  }

  /** A HAP write, as the server makes it: 0, or the status of the error. */
  async write(characteristic: Characteristic, value: CharacteristicValue): Promise<unknown> {
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- any connection makes HAP check the value
    const somebody: Parameters<Characteristic['handleSetRequest']>[1] = Object.create(null);
    return characteristic.handleSetRequest(value, somebody).then(
      () => 0,
      (status: unknown) => status,
    );
  }

  /** Resolves with the word once that much of the fixture's time has passed. */
  async until(delayMs: number, word: string): Promise<string> {
    await delay(this.clock, delayMs);
    return word;
  }

  /** From now on, every event that HAP would send for this accessory, in order. */
  listen(name?: string): readonly SentEvent[] {
    const sent: SentEvent[] = [];
    for (const service of this.accessory(name).services) {
      for (const characteristic of service.characteristics) {
        characteristic.on('change', ({ oldValue, newValue, reason }) => {
          if (oldValue !== newValue || reason.startsWith('event')) {
            sent.push({ name: characteristic.displayName, value: newValue ?? '' });
          }
        });
      }
    }
    return sent;
  }

  /** What Homebridge would hand to the next start: every accessory through its cache, and back. */
  throughCache(): readonly PlatformAccessory[] {
    return this.cached().map((text) => {
      const cached: unknown = JSON.parse(text);
      return RealAccessory.deserialize(cached as Parameters<typeof RealAccessory.deserialize>[0]);
    });
  }

  /** Every accessory as Homebridge's cache keeps it. */
  cached(): readonly string[] {
    return this.accessories.map((accessory) => JSON.stringify(RealAccessory.serialize(accessory)));
  }
}

/** A fixture with one lock in Home that the service has not reported yet. */
export function fixtureWithFrontDoor(settings: FixtureSettings = {}): HomeFixture {
  return new HomeFixture({
    ...settings,
    prepare: (runtime) => {
      settings.prepare?.(runtime);
      runtime.add(unknownLock(FRONT, describedAs('Front door')));
    },
  });
}

/** The same, locked and in reach. */
export function lockedDoor(settings: FixtureSettings = {}): HomeFixture {
  const fixture = fixtureWithFrontDoor(settings);
  fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
  return fixture;
}

/** How often a controller is asked from now on to read all of these accessories again. */
export function reconfigurations(accessories: readonly PlatformAccessory[]): () => number {
  let count = 0;
  for (const service of accessories.flatMap(({ services }) => services)) {
    service.on('service-configurationChange', () => {
      count += 1;
    });
  }
  return () => count;
}
