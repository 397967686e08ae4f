// Homebridge's own API and accessories with real HAP classes, beside a runtime that a test moves by hand.
import type { API, Characteristic, CharacteristicValue, PlatformAccessory, Service } from 'homebridge';
import { HomebridgeAPI } from '../../../node_modules/homebridge/dist/api.js';
import { PlatformAccessory as RealAccessory } from '../../../node_modules/homebridge/dist/platformAccessory.js';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import type { RuntimeLinkState } from '../../../src/domain/account.ts';
import type { BoltPosition, Instant } from '../../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../../src/domain/command.ts';
import {
  isOnlyFresher,
  type Lock,
  type LockDescription,
  type LockId,
  lockId,
  unknownLock,
} from '../../../src/domain/lock.ts';
import type { LockEvent, Reported } from '../../../src/domain/lock-event.ts';
import { advanceLock } from '../../../src/domain/lock-machine.ts';
import type { AlertReport } from '../../../src/domain/service-event.ts';
import { Homekit } from '../../../src/homekit/accessory-registry.ts';
import type { LockOptions } from '../../../src/homekit/lock-options.ts';
import { lockOptionsFor } from '../../../src/plugin/homekit-options.ts';
import { delay } from '../../../src/support/clock.ts';
import type { RequestAnswer, RuntimeEvent, RuntimeView } from '../../../src/sync/account-runtime.ts';
import { named } from '../../support/named-lock.ts';
import { ShellFixture } from '../../support/shell-fixture.ts';
import { FakeCodes } from './fake-codes.ts';

export const FRONT = lockId('front-1');

/** The options of a lock in a configuration that sets nothing. */
export const DEFAULTS: LockOptions = optionsOf({});

/** The options of the lock in this platform block. */
export function optionsOf(block: Readonly<Record<string, unknown>>): LockOptions {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new Error(reading.problems.join(' '));
  }
  return lockOptionsFor(reading.config, effectiveLockOptions(reading.config, {}, FRONT));
}

export function describedAs(name: string): LockDescription {
  return { name, model: 'Deadbolt', serial: 'SN-0042', firmware: '4.20.1', role: 'owner' };
}

/** A runtime without a cloud: what happens is what the test says. */
export class FakeRuntime implements RuntimeView {
  readonly codes = new FakeCodes();
  readonly #locks = new Map<LockId, Lock>();
  #listeners = new Set<(event: RuntimeEvent) => void>();
  readonly requests: { readonly id: LockId; readonly target: BoltPosition }[] = [];
  #link: RuntimeLinkState = 'linked';
  #at: number;
  /** When the service was polled last, by its own time, and for how long that is past. */
  #polledAt: Instant | null = null;
  silentMs = 0;
  answer: (id: LockId, target: BoltPosition) => Promise<RequestAnswer> = () =>
    Promise.resolve({ kind: 'accepted' });

  /** `startAt`: the service's time at the beginning. */
  constructor(startAt = 1_000) {
    this.#at = startAt;
    this.codes.emit = (event) => {
      this.#emit(event);
    };
  }

  /** What the runtime finds out when it looks round. */
  onLook: () => void = () => {};

  locks(): readonly Lock[] {
    return [...this.#locks.values()];
  }

  checkSuspend(): void {
    this.onLook();
  }

  lock(id: LockId): Lock | undefined {
    return this.#locks.get(id);
  }

  serviceNow(): Instant | null {
    return this.#polledAt === null ? null : this.#polledAt + this.silentMs;
  }

  linkState(): RuntimeLinkState {
    return this.#link;
  }

  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void {
    this.#listeners = new Set(
      place === 'first' ? [listener, ...this.#listeners] : [...this.#listeners, listener],
    );
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** As the runtime does it: the request is the target at once, unless it is refused. */
  async request(id: LockId, target: BoltPosition): Promise<RequestAnswer> {
    this.requests.push({ id, target });
    return this.answer(id, target);
  }

  remember(id: LockId, name: string): void {
    if (!this.#locks.has(id)) {
      this.add(unknownLock(id, named(name)));
    }
  }

  add(lock: Lock): void {
    this.#locks.set(lock.id, lock);
    this.#emit({ type: 'lock-appeared', lock });
  }

  happen(id: LockId, event: LockEvent): void {
    const previous = this.#locks.get(id);
    if (previous === undefined) {
      throw new Error(`There is no lock ${id}`);
    }
    if (event.type === 'reported' && event.source === 'poll') {
      this.#polledAt = event.at;
    }
    const lock = advanceLock(previous, event);
    if (lock !== previous) {
      this.#locks.set(id, lock);
      this.#emit(
        isOnlyFresher(previous, lock)
          ? { type: 'locks-refreshed', locks: [lock] }
          : { type: 'lock-changed', lock, previous },
      );
    }
  }

  /** The service says something, a second after it last did. */
  report(id: LockId, said: Omit<Partial<Reported>, 'type' | 'at'>): void {
    this.happen(id, { type: 'reported', source: 'event', at: this.tick(), ...said });
  }

  tick(): number {
    this.#at += 1_000;
    return this.#at;
  }

  /** Something at the door that is no state of it. */
  alert(id: LockId, alert: AlertReport['type'], at = this.tick()): void {
    this.#emit({ type: 'alert', id, alert, at });
  }

  /** The codes of a lock were changed elsewhere. */
  codesChanged(id: LockId): void {
    this.#emit({ type: 'codes-changed', id });
  }

  remove(id: LockId): void {
    const name = this.#locks.get(id)?.description.name ?? '';
    this.#locks.delete(id);
    this.#emit({ type: 'lock-removed', id, name });
  }

  /** A command of ours has ended; what it did to the bolt is reported besides. */
  endCommand(id: LockId, target: BoltPosition, outcome: CommandOutcome): void {
    this.#emit({ type: 'command-ended', id, target, outcome });
  }

  setLink(state: RuntimeLinkState): void {
    this.#link = state;
    this.#emit({ type: 'link-changed', state });
  }

  #emit(event: RuntimeEvent): void {
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}

/** A change that HAP would send to subscribers: news, or an event that was asked for. */
export interface SentEvent {
  readonly name: string;
  readonly value: CharacteristicValue;
}

export interface FixtureSettings {
  readonly restored?: readonly PlatformAccessory[];
  readonly options?: (id: LockId) => LockOptions;
  readonly prepare?: (runtime: FakeRuntime) => void;
}

/** One running Homebridge shell: its accessories, its log, and our HomeKit module in it. */
export class HomeFixture extends ShellFixture {
  readonly api: API;
  readonly runtime = new FakeRuntime();
  readonly accessories: PlatformAccessory[];
  readonly saved: PlatformAccessory[] = [];
  readonly homekit: Homekit;

  constructor({ restored = [], options = () => DEFAULTS, prepare }: FixtureSettings = {}) {
    super();
    const api = new HomebridgeAPI();
    this.api = api as API;
    this.accessories = [...restored];
    for (const event of [
      'registerPlatformAccessories',
      'unregisterPlatformAccessories',
      'updatePlatformAccessories',
    ]) {
      api.on(
        event as 'shutdown',
        ((accessories: PlatformAccessory[]) => {
          this.#received(event, accessories);
        }) as () => void,
      );
    }
    prepare?.(this.runtime);
    this.homekit = new Homekit({
      api: this.api,
      log: this.log,
      runtime: this.runtime,
      clock: this.clock,
      optionsFor: options,
      subscribeOptions: this.subscribeOptions,
      restored,
    });
  }

  #received(event: string, accessories: readonly PlatformAccessory[]): void {
    for (const accessory of accessories) {
      if (event === 'registerPlatformAccessories') {
        this.accessories.push(accessory);
      } else if (event === 'unregisterPlatformAccessories') {
        this.accessories.splice(this.accessories.indexOf(accessory), 1);
      } else {
        this.saved.push(accessory);
      }
    }
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

  /** What `GET /accessories` says; HAP gives it a default of its own where a read fails. */
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

/** A fixture with one lock in Home of which the service has said nothing yet. */
export function fixtureWithFrontDoor(settings: FixtureSettings = {}): HomeFixture {
  return new HomeFixture({
    ...settings,
    prepare: (runtime) => {
      runtime.add(unknownLock(FRONT, describedAs('Front door')));
    },
  });
}
