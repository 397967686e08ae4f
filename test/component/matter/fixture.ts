// Homebridge's Matter shell, pretended: endpoints that run the plugin's behavior, beside an account moved by hand.
import type { BoltPosition } from '../../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../../src/domain/command.ts';
import { type LockId, unknownLock } from '../../../src/domain/lock.ts';
import { faultOfMatter } from '../../../src/matter/evidence-lock.ts';
import type { LockAttributes } from '../../../src/matter/lock-attributes.ts';
import type { MatterLockOptions } from '../../../src/matter/lock-options.ts';
import { type Matter, type MatterParts, startMatter } from '../../../src/matter/matter-accessories.ts';
import {
  type CommandContext,
  isMatterApi,
  type LockCommand,
  type MatterAccessory,
  type RegisteredAccessory,
} from '../../../src/matter/matter-api.ts';
import type { LabelStore } from '../../../src/matter/node-label.ts';
import { NodePresence } from '../../../src/matter/node-presence.ts';
import type { RuntimeEvent } from '../../../src/sync/account-runtime.ts';
import { ShellFixture } from '../../support/shell-fixture.ts';
import { describedAs, FakeRuntime, FRONT } from '../homekit/fixture.ts';

export const DEFAULTS: MatterLockOptions = {
  hidden: false,
  name: null,
  unlockRefusal: null,
  lowBattery: { thresholdPercent: 20, clearPercent: 25 },
};

/** A Matter status, as Homebridge's errors carry it. */
class StatusError extends Error {
  readonly status: string;

  constructor(status: string, message: string) {
    super(message);
    this.status = status;
  }
}

/** A status by its number, and that of the cluster, if any. */
class ProtocolError extends StatusError {
  constructor(message: string, ...statuses: readonly number[]) {
    super(statuses.filter(Number.isFinite).join(', '), message);
  }
}

function statusNamed(status: string): new (message: string) => Error {
  return class extends StatusError {
    constructor(message: string) {
      super(status, message);
    }
  };
}

/** What was reported to a controller of a lock: an attribute's new value, or an event. */
export interface Report {
  readonly name: string;
  readonly value: unknown;
}

type WriteCheck = (value: unknown, before: unknown, context: CommandContext) => void;

/** What a controller may write to matter.js's lock. */
const WRITABLE = [
  'operatingMode',
  'requirePinForRemoteOperation',
  'wrongCodeEntryLimit',
  'userCodeTemporaryDisableTime',
];

function unimplemented(): never {
  throw new StatusError('UnsupportedCommand', 'Unsupported command');
}

/** matter.js's lock: it says that the bolt is where it was commanded to. */
class StockLock {
  static readonly unimplemented = unimplemented;
  static readonly features: readonly string[] = [];
  readonly endpoint: Endpoint;
  readonly context: CommandContext;

  constructor(endpoint: Endpoint, context: CommandContext = {}) {
    this.endpoint = endpoint;
    this.context = context;
  }

  static with(...features: readonly string[]): typeof StockLock {
    return class extends StockLock {
      static override readonly features = features;
    };
  }

  get state(): Record<string, unknown> {
    return this.endpoint.written;
  }

  get events(): Readonly<Record<string, object>> {
    const emitter = (name: string): { emit(payload: unknown): void } => ({
      emit: (value) => {
        this.endpoint.reports.push({ name, value });
      },
    });
    return {
      ...Object.fromEntries(
        ['lockOperation', 'lockOperationError', 'doorLockAlarm'].map((name) => [name, emitter(name)]),
      ),
      ...Object.fromEntries(
        WRITABLE.map((name) => [
          `${name}$Changing`,
          { on: (check: WriteCheck) => this.endpoint.checks.set(name, check) },
        ]),
      ),
    };
  }

  initialize(): void {}

  lockDoor(_request?: LockCommand): void {
    this.endpoint.put('doorLock', { lockState: 1 });
  }

  unlockDoor(_request?: LockCommand): void {
    this.endpoint.put('doorLock', { lockState: 2 });
  }

  unlockWithTimeout(_request?: LockCommand): void {
    this.unlockDoor();
  }

  unboltDoor(): void {
    this.unlockDoor();
  }

  getUser(_request?: unknown): unknown {
    return unimplemented();
  }

  setUser(_request?: unknown): unknown {
    return unimplemented();
  }

  clearUser(_request?: unknown): unknown {
    return unimplemented();
  }

  getCredentialStatus(_request?: unknown): unknown {
    return unimplemented();
  }

  setCredential(_request?: unknown): unknown {
    return unimplemented();
  }

  clearCredential(_request?: unknown): unknown {
    return unimplemented();
  }
}

type LockClass = typeof StockLock;

type UserCommand =
  | 'getUser'
  | 'setUser'
  | 'clearUser'
  | 'getCredentialStatus'
  | 'setCredential'
  | 'clearCredential';

/** matter.js's behavior for what a bridge says of a device: only its identity matters here. */
function bridgedInformation(): void {}

interface PretendDeviceType {
  readonly behaviors: Readonly<Record<string, unknown>>;
  readonly requirements: { readonly DoorLockServer: LockClass };
  with(...behaviors: readonly unknown[]): PretendDeviceType;
}

function deviceTypeWith(behaviors: Readonly<Record<string, unknown>>): PretendDeviceType {
  return {
    behaviors,
    requirements: { DoorLockServer: StockLock },
    with: (...added) =>
      deviceTypeWith({
        ...behaviors,
        ...Object.fromEntries(
          added.map((behavior) => [
            behavior === bridgedInformation ? 'bridgedDeviceBasicInformation' : 'doorLock',
            behavior,
          ]),
        ),
      }),
  };
}

/** The Matter node of the bridge, as its public lifecycle tells of it. */
export class PretendNode {
  readonly #listeners = new Map<string, (() => void)[]>();
  readonly lifecycle = {
    isOnline: false,
    isCommissioned: false,
    online: this.#happening('online'),
    offline: this.#happening('offline'),
    commissioned: this.#happening('commissioned'),
    decommissioned: this.#happening('decommissioned'),
  };

  #happening(name: string): { on(listener: () => void): void } {
    const listeners: (() => void)[] = [];
    this.#listeners.set(name, listeners);
    return { on: (listener) => listeners.push(listener) };
  }

  online(isOnline = true): void {
    this.lifecycle.isOnline = isOnline;
    this.#tell(isOnline ? 'online' : 'offline');
  }

  commissioned(isCommissioned = true): void {
    this.lifecycle.isCommissioned = isCommissioned;
    this.#tell(isCommissioned ? 'commissioned' : 'decommissioned');
  }

  #tell(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      listener();
    }
  }
}

/** Hears which name a controller gave an endpoint. */
type LabelListener = (label: string, before: unknown, context: CommandContext) => void;

/** One endpoint, as a controller sees it. */
export class Endpoint {
  readonly id: string;
  readonly construction = Promise.resolve();
  /** The bridge, in its node. */
  readonly owner: object;
  readonly reports: Report[] = [];
  readonly #labelled: LabelListener[] = [];
  readonly events = {
    bridgedDeviceBasicInformation: {
      nodeLabel$Changed: { on: (listener: LabelListener) => this.#labelled.push(listener) },
    },
  };
  /** What the behavior has set in its own state. */
  readonly written: Record<string, unknown> = {};
  readonly checks = new Map<string, WriteCheck>();
  readonly #behavior: LockClass;
  readonly #state = new Map<string, Readonly<Record<string, unknown>>>();
  /** How many writes fail from now on. */
  failures = 0;

  constructor({ UUID, clusters, deviceType }: MatterAccessory, node: PretendNode) {
    this.id = UUID;
    this.owner = { owner: node };
    for (const [cluster, values] of Object.entries(clusters)) {
      this.#state.set(cluster, values);
    }
    const behavior = deviceType.behaviors['doorLock'];
    if (!isLockClass(behavior)) {
      throw new Error('The accessory is no lock');
    }
    this.#behavior = behavior;
    this.#agent().initialize();
  }

  get features(): readonly string[] {
    return this.#behavior.features;
  }

  read(cluster: string, attribute: string): unknown {
    return this.#state.get(cluster)?.[attribute];
  }

  get lockState(): unknown {
    return this.read('doorLock', 'lockState');
  }

  put(cluster: string, values: Readonly<Record<string, unknown>>): void {
    const known = this.#state.get(cluster) ?? {};
    for (const [name, value] of Object.entries(values)) {
      if (known[name] !== value) {
        this.reports.push({ name, value });
      }
    }
    this.#state.set(cluster, { ...known, ...values });
  }

  async set(values: LockAttributes): Promise<void> {
    await Promise.resolve();
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('The endpoint is busy');
    }
    this.put('doorLock', values.doorLock);
    this.put('powerSource', values.powerSource);
    this.put('bridgedDeviceBasicInformation', values.bridgedDeviceBasicInformation);
  }

  /** A controller writes an attribute. Null when it was taken, else the status. */
  write(attribute: string, value: unknown, context: CommandContext = { fabric: 2 }): string | null {
    try {
      this.checks.get(attribute)?.(value, this.written[attribute], context);
      this.written[attribute] = value;
      return null;
    } catch (error) {
      return error instanceof StatusError ? error.status : String(error);
    }
  }

  /** A person names the lock in an app; without a fabric, Homebridge does. */
  label(name: string, context: CommandContext = { fabric: 2 }): void {
    for (const listener of this.#labelled) {
      listener(name, null, context);
    }
  }

  act(actor: (agent: { get(): StockLock }) => void): void {
    actor({ get: () => this.#agent() });
  }

  /** A command of a controller, by default of node 7 in fabric 2. Null when it was taken, else the status. */
  async command(
    name: 'lockDoor' | 'unlockDoor' | 'unlockWithTimeout',
    context: CommandContext = { fabric: 2, subject: { id: 7n } },
    request: LockCommand = {},
  ): Promise<string | null> {
    try {
      const answer: unknown = this.#agent(context)[name](request);
      await Promise.resolve(answer);
      return null;
    } catch (error) {
      return error instanceof StatusError ? error.status : String(error);
    }
  }

  /** A command for the users of the lock: its answer, or the status of a refusal. */
  userCommand(name: UserCommand, request: unknown): unknown {
    try {
      return this.#agent({ fabric: 2 })[name](request);
    } catch (error) {
      return error instanceof StatusError ? error.status : String(error);
    }
  }

  #agent(context: CommandContext = {}): StockLock {
    const Behavior = this.#behavior;
    return new Behavior(this, context);
  }
}

function isLockClass(value: unknown): value is LockClass {
  return typeof value === 'function' && value.prototype instanceof StockLock;
}

/** `api.matter` of a pretended Homebridge. */
export class PretendMatter {
  readonly node = new PretendNode();
  readonly endpoints = new Map<string, Endpoint>();
  readonly accessories: MatterAccessory[] = [];
  readonly deviceTypes: Record<string, PretendDeviceType> = {
    DoorLock: deviceTypeWith({ doorLock: StockLock, identify: {} }),
    BridgedNode: deviceTypeWith({ bridgedDeviceBasicInformation: bridgedInformation }),
  };
  readonly status: Record<string, new (message: string, ...statuses: number[]) => Error> = {
    ...Object.fromEntries(
      ['PermissionDenied', 'Busy', 'Timeout', 'NotFound', 'Failure'].map((name) => [name, statusNamed(name)]),
    ),
    MatterProtocolError: ProtocolError,
  };

  async registerPlatformAccessories(
    _plugin: string,
    _platform: string,
    accessories: readonly MatterAccessory[],
  ): Promise<void> {
    await Promise.resolve();
    for (const accessory of accessories) {
      if (this.endpoints.has(accessory.UUID)) {
        throw new Error('Matter accessory is already registered');
      }
      this.accessories.push(accessory);
      this.endpoints.set(accessory.UUID, new Endpoint(accessory, this.node));
    }
  }

  async unregisterPlatformAccessories(
    _plugin: string,
    _platform: string,
    accessories: readonly RegisteredAccessory[],
  ): Promise<void> {
    // Homebridge closes an endpoint in its own time.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    for (const { UUID } of accessories) {
      this.endpoints.delete(UUID);
      const index = this.accessories.findIndex((accessory) => accessory.UUID === UUID);
      this.accessories.splice(index, index === -1 ? 0 : 1);
    }
  }

  async getAccessoryState(uuid: string): Promise<unknown> {
    return Promise.resolve(this.endpoints.has(uuid) ? {} : undefined);
  }
}

/** An account that also tells how commands ended. */
export class HandMovedAccount extends FakeRuntime {
  readonly #reported = new Set<(event: RuntimeEvent) => void>();

  override subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void {
    this.#reported.add(listener);
    const unsubscribe = super.subscribe(listener, place);
    return () => {
      this.#reported.delete(listener);
      unsubscribe();
    };
  }

  ended(id: LockId, target: BoltPosition, outcome: CommandOutcome): void {
    for (const listener of this.#reported) {
      listener({ type: 'command-ended', id, target, outcome });
    }
  }
}

/** The store of names in apps, which outlives a fixture that is given to the next. */
export class HeldLabels implements LabelStore {
  readonly #labels = new Map<LockId, string>();

  read(id: LockId): string | null {
    return this.#labels.get(id) ?? null;
  }

  keep(id: LockId, label: string): void {
    this.#labels.set(id, label);
  }

  erase(id: LockId): void {
    this.#labels.delete(id);
  }
}

export interface FixtureSettings {
  readonly options?: (id: LockId) => MatterLockOptions;
  readonly restored?: readonly RegisteredAccessory[];
  readonly pin?: string | null;
  readonly prepare?: (account: HandMovedAccount) => void;
  readonly labels?: LabelStore;
}

export class Fixture extends ShellFixture {
  readonly shell = new PretendMatter();
  readonly account = new HandMovedAccount();
  readonly matter: Matter;
  readonly presence = new NodePresence({ clock: this.clock, log: this.log });

  constructor({
    options = () => DEFAULTS,
    restored = [],
    pin = null,
    prepare,
    labels = new HeldLabels(),
  }: FixtureSettings = {}) {
    super();
    prepare?.(this.account);
    const api: unknown = this.shell;
    if (faultOfMatter(api, pin !== null) !== null || !isMatterApi(api)) {
      throw new Error(`The pretended shell is not as expected: ${String(faultOfMatter(api, pin !== null))}`);
    }
    const parts: MatterParts = {
      api,
      plugin: 'plugin',
      platform: 'Platform',
      uuidOf: (text) => `uuid of ${text}`,
      log: this.log,
      runtime: this.account,
      clock: this.clock,
      optionsFor: options,
      subscribeOptions: this.subscribeOptions,
      pin,
      presence: this.presence,
      labels,
      restored,
    };
    this.matter = startMatter(parts);
  }

  /** With a front door that is locked, and shown. */
  static async withFrontDoor(settings: FixtureSettings = {}): Promise<Fixture> {
    const fixture = new Fixture({
      ...settings,
      prepare: (account) => {
        account.add(unknownLock(FRONT, describedAs('Front door')));
        settings.prepare?.(account);
      },
    });
    await fixture.settled();
    fixture.account.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
    await fixture.settled();
    fixture.endpoint().reports.length = 0;
    return fixture;
  }

  async settled(): Promise<void> {
    await this.clock.advance(0);
  }

  endpoint(id: LockId = FRONT): Endpoint {
    const found = this.shell.endpoints.get(`uuid of Platform:Matter:${id}`);
    if (found === undefined) {
      throw new Error(`Matter shows no ${id}`);
    }
    return found;
  }

  /** Commands the front door, and lets the answer come. */
  async command(...args: Parameters<Endpoint['command']>): Promise<string | null> {
    const answer = this.endpoint().command(...args);
    await this.settled();
    return answer;
  }
}
