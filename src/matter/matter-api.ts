// The part of Homebridge's Matter interface that is used, most of it undocumented, and the check that it is as expected.
import { memberOf } from '../support/foreign-json.ts';
import { STATUS_NAMES, type StatusName } from './command-status.ts';
import type { LockAttributes } from './lock-attributes.ts';
import type { MatterEvent } from './lock-operations.ts';

/** One lock on the Matter bridge. */
export interface LockEndpoint {
  /** The UUID under which the lock was registered. */
  readonly id: string;
  /** Settles when the endpoint can be written. */
  readonly construction: PromiseLike<unknown>;
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

export interface LockBehavior {
  readonly state: object;
  readonly endpoint: LockEndpoint;
  readonly context: CommandContext;
  readonly events: Readonly<
    Record<MatterEvent['name'], { emit(payload: MatterEvent['payload'], context: CommandContext): void }>
  >;
  initialize(): unknown;
}

export interface LockBehaviorType {
  new (): LockBehavior;
  with(...features: readonly string[]): LockBehaviorType;
  /** What stands for a command that a device does not offer. */
  readonly unimplemented: () => never;
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

/** What Homebridge restores from its cache, and takes to remove an accessory. */
export type RegisteredAccessory = Pick<MatterAccessory, 'UUID' | 'displayName' | 'context'> & {
  readonly deviceType: unknown;
};

type Registry<T> = (plugin: string, platform: string, accessories: readonly T[]) => Promise<void>;

export interface MatterApi {
  readonly deviceTypes: {
    readonly DoorLock: DeviceType & { readonly requirements: { readonly DoorLockServer: LockBehaviorType } };
    readonly BridgedNode: DeviceType;
  };
  readonly status: Readonly<Record<StatusName, new (message: string) => Error>>;
  registerPlatformAccessories: Registry<MatterAccessory>;
  unregisterPlatformAccessories: Registry<RegisteredAccessory>;
  /** Undefined while no accessory is registered under that UUID. */
  getAccessoryState(uuid: string, cluster: string): Promise<unknown>;
}

const SERVER = 'deviceTypes.DoorLock.requirements.DoorLockServer';

/** Every function that is called or replaced, by its path. */
const PINNED_FUNCTIONS: readonly string[] = [
  'registerPlatformAccessories',
  'unregisterPlatformAccessories',
  'getAccessoryState',
  'deviceTypes.DoorLock.with',
  `${SERVER}.with`,
  `${SERVER}.unimplemented`,
  ...['initialize', 'lockDoor', 'unlockDoor', 'unlockWithTimeout', 'unboltDoor'].map(
    (method) => `${SERVER}.prototype.${method}`,
  ),
  'deviceTypes.BridgedNode.behaviors.bridgedDeviceBasicInformation',
  ...STATUS_NAMES.map((name) => `status.${name}`),
];

/** The path of the first function that is not there, or null when the interface is as expected. */
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

/** Of functions, too: classes carry members. */
function memberOfAny(value: unknown, name: string): unknown {
  return typeof value === 'function' ? Reflect.get(value, name) : memberOf(value, name);
}
