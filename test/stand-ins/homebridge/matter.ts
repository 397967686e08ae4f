// `api.matter` of Homebridge: endpoints that run the plugin's behavior, seen from the side of a controller.
import { randomUUID } from 'node:crypto';
import type { LockAttributes } from '../../../src/features/matter/node/lock-attributes.ts';
import type {
  CommandContext,
  LockCommand,
  MatterAccessory,
  RegisteredAccessory,
} from '../../../src/features/matter/node/matter-api.ts';

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

/** A report to a controller about a lock: an attribute's new value, or an event. */
export interface Report {
  readonly name: string;
  readonly value: unknown;
}

type WriteCheck = (value: unknown, before: unknown, context: CommandContext) => void;

/** The attributes that a controller may write to matter.js's lock. */
const WRITABLE = [
  'operatingMode',
  'requirePinForRemoteOperation',
  'wrongCodeEntryLimit',
  'userCodeTemporaryDisableTime',
];

function unimplemented(): never {
  throw new StatusError('UnsupportedCommand', 'Unsupported command');
}

/** matter.js's lock, which reports the commanded position at once. */
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

/** matter.js's behavior for what a bridge says of a device, which makes up an id that nobody has given. */
class BridgedInformation {
  readonly state: { uniqueId?: string } = {};
  readonly endpoint: Pick<Endpoint, 'id'>;

  constructor(endpoint: Pick<Endpoint, 'id'>) {
    this.endpoint = endpoint;
  }

  initialize(): void {
    this.state.uniqueId ??= randomUUID();
  }
}

function isInformationClass(behavior: unknown): behavior is typeof BridgedInformation {
  return (
    typeof behavior === 'function' &&
    (behavior === BridgedInformation || behavior.prototype instanceof BridgedInformation)
  );
}

interface StandInDeviceType {
  readonly behaviors: Readonly<Record<string, unknown>>;
  readonly requirements: { readonly DoorLockServer: LockClass };
  with(...behaviors: readonly unknown[]): StandInDeviceType;
}

function deviceTypeWith(behaviors: Readonly<Record<string, unknown>>): StandInDeviceType {
  return {
    behaviors,
    requirements: { DoorLockServer: StockLock },
    with: (...added) =>
      deviceTypeWith({
        ...behaviors,
        ...Object.fromEntries(
          added.map((behavior) => [
            isInformationClass(behavior) ? 'bridgedDeviceBasicInformation' : 'doorLock',
            behavior,
          ]),
        ),
      }),
  };
}

/** The Matter node of the bridge, as its public lifecycle reports it. */
export class StandInNode {
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

/** Records the name that a controller gave an endpoint. */
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
  /** The values that the behavior has set in its own state. */
  readonly written: Record<string, unknown> = {};
  readonly checks = new Map<string, WriteCheck>();
  readonly #behavior: LockClass;
  readonly #state = new Map<string, Readonly<Record<string, unknown>>>();
  /** How many writes fail from now on. */
  failures = 0;

  constructor({ UUID, clusters, deviceType }: MatterAccessory, node: StandInNode) {
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
    const information = deviceType.behaviors['bridgedDeviceBasicInformation'];
    if (!isInformationClass(information)) {
      throw new Error('The accessory has no identity');
    }
    const bridged = new information(this);
    bridged.initialize();
    this.put('bridgedDeviceBasicInformation', bridged.state);
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
    for (const [cluster, changed] of Object.entries(values)) {
      this.put(cluster, changed as Readonly<Record<string, unknown>>);
    }
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
    name: 'lockDoor' | 'unlockDoor' | 'unlockWithTimeout' | 'unboltDoor',
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

export class StandInMatter {
  readonly node = new StandInNode();
  readonly endpoints = new Map<string, Endpoint>();
  readonly accessories: MatterAccessory[] = [];
  readonly deviceTypes: Record<string, StandInDeviceType> = {
    DoorLock: deviceTypeWith({ doorLock: StockLock, identify: {} }),
    BridgedNode: deviceTypeWith({ bridgedDeviceBasicInformation: BridgedInformation }),
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
