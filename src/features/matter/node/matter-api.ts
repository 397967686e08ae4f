// The part of Homebridge's Matter interface in use, mostly undocumented, and a check of its shape.
import { memberOf } from '../../../support/text/foreign-json.ts';
import { STATUS_NAMES, type StatusName } from './command-status.ts';
import type { LockAttributes } from './lock-attributes.ts';
import type { MatterEvent } from './lock-operations.ts';

/** One lock on the Matter bridge. */
export interface LockEndpoint {
  /** The UUID under which the lock was registered. */
  readonly id: string;
  /** Settles when the endpoint can be written. */
  readonly construction: PromiseLike<unknown>;
  /** The events of the endpoint, by cluster. */
  readonly events?: unknown;
  /** The endpoint around it; the node at last. */
  readonly owner?: unknown;
  set(values: LockAttributes): PromiseLike<void>;
  act(actor: (agent: { get(type: LockBehaviorType): LockBehavior }) => void): unknown;
}

/** The controller behind a command; both members are absent when Homebridge itself sent it. */
export interface CommandContext {
  readonly fabric?: number;
  readonly subject?: { readonly id?: unknown };
}

/** The fields of a command to lock or unlock. */
export interface LockCommand {
  readonly pinCode?: Uint8Array;
}

/** Before an attribute is written; a listener that throws refuses it. */
interface BeforeWrite {
  on(listener: (value: unknown, before: unknown, context: CommandContext | undefined) => void): void;
}

export interface LockBehavior {
  readonly state: object;
  readonly endpoint: LockEndpoint;
  readonly context: CommandContext;
  readonly events: Readonly<
    Record<MatterEvent['name'], { emit(payload: MatterEvent['payload'], context: CommandContext): void }>
  > &
    Readonly<Record<`${string}$Changing`, BeforeWrite | undefined>>;
  initialize(): unknown;
}

export interface LockBehaviorType {
  new (): LockBehavior;
  with(...features: readonly string[]): LockBehaviorType;
  /** Handler of commands that a device does not offer. */
  readonly unimplemented: () => never;
}

/** The identity of a device on the bridge: its names, beside its clusters. */
export interface BridgedInformation {
  readonly state: object;
  readonly endpoint: Pick<LockEndpoint, 'id'>;
  initialize(): unknown;
}

export interface BridgedInformationType {
  new (): BridgedInformation;
}

/** A device type: the clusters of an endpoint, with the behavior of each. */
export interface DeviceType {
  readonly behaviors: Readonly<Record<string, unknown>>;
  with(...behaviors: readonly unknown[]): DeviceType;
}

export interface MatterAccessory {
  readonly UUID: string;
  readonly displayName: string;
  readonly deviceType: DeviceType;
  readonly manufacturer: string;
  readonly model: string;
  readonly serialNumber: string;
  readonly firmwareRevision: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly clusters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The accessory as restored from Homebridge's cache, and as needed to remove one. */
export type RegisteredAccessory = Pick<MatterAccessory, 'UUID' | 'displayName' | 'context'> & {
  readonly deviceType: unknown;
};

type Registry<T> = (plugin: string, platform: string, accessories: readonly T[]) => Promise<void>;

export interface MatterApi {
  readonly deviceTypes: {
    readonly DoorLock: DeviceType & { readonly requirements: { readonly DoorLockServer: LockBehaviorType } };
    readonly BridgedNode: DeviceType & {
      readonly behaviors: { readonly bridgedDeviceBasicInformation: BridgedInformationType };
    };
  };
  readonly status: Readonly<Record<StatusName, new (message: string) => Error>> & {
    readonly MatterProtocolError: new (message: string, status: number, clusterStatus?: number) => Error;
  };
  registerPlatformAccessories: Registry<MatterAccessory>;
  unregisterPlatformAccessories: Registry<RegisteredAccessory>;
  /** The state; undefined while no accessory is registered under that UUID. */
  getAccessoryState(uuid: string, cluster: string): Promise<unknown>;
}

const SERVER = 'deviceTypes.DoorLock.requirements.DoorLockServer';

const REPLACED_METHODS = [
  'initialize',
  'lockDoor',
  'unlockDoor',
  'unlockWithTimeout',
  'unboltDoor',
  'getUser',
  'setUser',
  'clearUser',
  'getCredentialStatus',
  'setCredential',
  'clearCredential',
] as const;

/** Path of every function that is called or replaced. */
const PINNED_FUNCTIONS: readonly string[] = [
  'registerPlatformAccessories',
  'unregisterPlatformAccessories',
  'getAccessoryState',
  'deviceTypes.DoorLock.with',
  `${SERVER}.with`,
  `${SERVER}.unimplemented`,
  ...REPLACED_METHODS.map((method) => `${SERVER}.prototype.${method}`),
  'deviceTypes.BridgedNode.behaviors.bridgedDeviceBasicInformation',
  'deviceTypes.BridgedNode.behaviors.bridgedDeviceBasicInformation.prototype.initialize',
  ...STATUS_NAMES.map((name) => `status.${name}`),
  'status.MatterProtocolError',
];

/** The path of the first missing function, or null when the interface is complete. */
export function missingFrom(matter: unknown): string | null {
  return PINNED_FUNCTIONS.find((path) => !isThere(matter, path)) ?? null;
}

export function isMatterApi(matter: unknown): matter is MatterApi {
  return missingFrom(matter) === null;
}

function isThere(matter: unknown, path: string): boolean {
  const found = path.split('.').reduce<unknown>(memberOfAny, matter);
  return typeof found === 'function';
}

/** Includes functions, because classes carry members. */
function memberOfAny(value: unknown, name: string): unknown {
  return typeof value === 'function' ? Reflect.get(value, name) : memberOf(value, name);
}
