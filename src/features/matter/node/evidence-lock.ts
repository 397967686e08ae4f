// A Matter lock device that reports evidence only: commands ask the account, and no command sets an attribute.
import { createHash } from 'node:crypto';
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import { messageOf } from '../../../support/errors.ts';
import { oneLine } from '../../../support/log.ts';
import type { StatusName } from './command-status.ts';
import type { Asker } from './lock-operations.ts';
import {
  type BridgedInformationType,
  type CommandContext,
  type DeviceType,
  isMatterApi,
  type LockBehavior,
  type LockBehaviorType,
  type LockCommand,
  type LockEndpoint,
  type MatterApi,
  missingFrom,
} from './matter-api.ts';
import { STATUS } from './matter-values.ts';
import { PIN_FEATURES, PIN_STATE, userCommands } from './remote-user.ts';

/** Receiver of the locks' endpoints and commands. */
export interface LockHost {
  /** The endpoint of a lock exists from now on. */
  opened(endpoint: LockEndpoint): void;
  /** What the lock is, for the label of its product; null for a lock that is not shown. */
  productOf(uuid: string): string | null;
  /** A command: resolves at once, with a status when it is refused. Never rejects. */
  request(uuid: string, target: BoltPosition, sent: SentCommand): Promise<StatusName | null>;
}

/** A received command: its controller, null for Homebridge's own pages, and its PIN, if any. */
export interface SentCommand {
  readonly asker: Asker | null;
  readonly pin: Uint8Array | undefined;
}

export interface LockDevice {
  readonly deviceType: DeviceType;
  readonly behavior: LockBehaviorType;
}

/** The longest UniqueID, in characters (Matter Core, Bridged Device Basic Information). */
const UNIQUE_ID_LENGTH = 32;

/** Commands of matter.js that would set the state themselves: this lock does not offer them. */
const NOT_OFFERED = ['unlockWithTimeout', 'unboltDoor'] as const;

/**
 * Attributes that controllers may write by the specification. Nothing here would follow a new value, so a write is refused:
 * a lock that took "no remote unlock" and unlocked all the same would lie.
 */
const WRITABLE = [
  'operatingMode',
  'requirePinForRemoteOperation',
  'wrongCodeEntryLimit',
  'userCodeTemporaryDisableTime',
] as const;

/** The specification turns these bits around: false is supported. Home Assistant offers the supported ones for selection. */
const MODES = {
  supportedOperatingModes: {
    normal: false,
    vacation: true,
    privacy: true,
    noRemoteLockUnlock: true,
    passage: true,
    alwaysSet: 2047,
  },
} as const;

/**
 * The device type of a lock. Homebridge's own behavior sets the state on receipt of a command, so it is replaced as a
 * whole. Null when Homebridge rejects the replacement.
 */
export function lockDevice(api: MatterApi, host: LockHost, asksForPin: boolean): LockDevice | null {
  const { DoorLock, BridgedNode } = api.deviceTypes;
  const base = DoorLock.requirements.DoorLockServer.with(...(asksForPin ? PIN_FEATURES : []));
  const behavior = evidenceLock(base, api.status, host, asksForPin ? { ...MODES, ...PIN_STATE } : MODES);
  if (asksForPin) {
    offer(behavior, userCommands(api.status));
  }
  // Homebridge rebuilds a cached accessory from its base type, and keeps that unless the names of the clusters differ.
  const deviceType = DoorLock.with(
    behavior,
    identified(BridgedNode.behaviors.bridgedDeviceBasicInformation, host),
  );
  const isTaken =
    deviceType.behaviors['doorLock'] === behavior &&
    deviceType.behaviors['bridgedDeviceBasicInformation'] !== undefined &&
    DoorLock.behaviors['bridgedDeviceBasicInformation'] === undefined;
  return isTaken ? { deviceType, behavior } : null;
}

/** The first unexpected part of `api.matter`, for one log line; null when locks can be shown. Never throws. */
export function faultOfMatter(matter: unknown, asksForPin: boolean): string | null {
  const missing = missingFrom(matter);
  if (missing !== null) {
    return `${missing} is missing`;
  }
  const trial: LockHost = {
    opened() {},
    productOf: () => null,
    request: async () => Promise.resolve('Failure'),
  };
  try {
    return isMatterApi(matter) && lockDevice(matter, trial, asksForPin) !== null
      ? null
      : 'the lock was not taken';
  } catch (error) {
    return oneLine(messageOf(error));
  }
}

function evidenceLock(
  base: LockBehaviorType,
  status: MatterApi['status'],
  host: LockHost,
  state: Readonly<Record<string, unknown>>,
): LockBehaviorType {
  class EvidenceLock extends base {
    override initialize(): unknown {
      // Set here and not by the registration: Homebridge would restore it for a lock without the required features.
      Object.assign(this.state, state);
      const initialized = super.initialize();
      refuseWrites(this, status);
      host.opened(this.endpoint);
      return initialized;
    }

    async lockDoor(request?: LockCommand): Promise<void> {
      await this.#request('secured', request);
    }

    async unlockDoor(request?: LockCommand): Promise<void> {
      await this.#request('unsecured', request);
    }

    async #request(target: BoltPosition, request: LockCommand | undefined): Promise<void> {
      const sent = { asker: askerOf(this.context), pin: request?.pinCode };
      const refusal = await host.request(this.endpoint.id, target, sent);
      if (refusal !== null) {
        throw new status[refusal]('The lock was not asked');
      }
    }
  }
  offer(EvidenceLock, Object.fromEntries(NOT_OFFERED.map((command) => [command, base.unimplemented])));
  return EvidenceLock;
}

/**
 * Homebridge builds a cached lock twice at each start, and matter.js may lose the UniqueID that it made up for the first. The
 * label of the product would be the name of the lock, and apps show it as the model.
 */
function identified(base: BridgedInformationType, host: LockHost): BridgedInformationType {
  return class extends base {
    override initialize(): unknown {
      // Of the accessory's UUID, but not to be derived easily from others of the device.
      const digest = createHash('sha256').update(`UniqueID of ${this.endpoint.id}`).digest('hex');
      const product = host.productOf(this.endpoint.id);
      Object.assign(this.state, {
        uniqueId: digest.slice(0, UNIQUE_ID_LENGTH),
        ...(product === null ? {} : { productLabel: product }),
      });
      return super.initialize();
    }
  };
}

/** Replaces commands of matter.js. */
function offer(behavior: LockBehaviorType, commands: Readonly<Record<string, unknown>>): void {
  for (const [command, value] of Object.entries(commands)) {
    Object.defineProperty(behavior.prototype, command, { value });
  }
}

/** Homebridge's own writes come from no fabric. */
function refuseWrites({ events }: LockBehavior, status: MatterApi['status']): void {
  for (const name of WRITABLE) {
    events[`${name}$Changing`]?.on((_value, _before, context) => {
      if (context?.fabric !== undefined) {
        throw new status.MatterProtocolError(`${name} cannot be written`, STATUS.UNSUPPORTED_WRITE);
      }
    });
  }
}

/** Null for a command of Homebridge's own pages, which comes from no controller. */
function askerOf({ fabric, subject }: CommandContext): Asker | null {
  if (fabric === undefined) {
    return null;
  }
  const sourceNode = typeof subject?.id === 'bigint' ? subject.id : null;
  return { fabricIndex: fabric, sourceNode, userIndex: null };
}
