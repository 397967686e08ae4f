// A door lock that never says more than is known: commands ask the account, and only evidence moves an attribute.
import type { BoltPosition } from '../domain/bolt.ts';
import { messageOf } from '../support/errors.ts';
import { oneLine } from '../support/log.ts';
import type { StatusName } from './command-status.ts';
import type { Asker } from './lock-operations.ts';
import {
  type CommandContext,
  type DeviceType,
  isMatterApi,
  type LockBehaviorType,
  type LockEndpoint,
  type MatterApi,
  missingFrom,
} from './matter-api.ts';

/** What stands behind the locks. */
export interface LockHost {
  /** The endpoint of a lock exists from now on. */
  opened(endpoint: LockEndpoint): void;
  /** A command: resolves at once, with a status when it is refused. Never rejects. */
  request(uuid: string, target: BoltPosition, asker: Asker | null): Promise<StatusName | null>;
}

export interface LockDevice {
  readonly deviceType: DeviceType;
  readonly behavior: LockBehaviorType;
}

/** Commands of matter.js's lock that would set the state by themselves: this lock does not offer them. */
const NOT_OFFERED = ['unlockWithTimeout', 'unboltDoor'] as const;

/**
 * The device type of a lock. Homebridge's own behavior sets the state as soon as a command was heard, so it is replaced
 * as a whole. Null when Homebridge does not take the replacement.
 */
export function lockDevice(api: MatterApi, host: LockHost): LockDevice | null {
  const { DoorLock, BridgedNode } = api.deviceTypes;
  const behavior = evidenceLock(DoorLock.requirements.DoorLockServer.with(), api.status, host);
  const { bridgedDeviceBasicInformation } = BridgedNode.behaviors;
  // Homebridge rebuilds a cached accessory from its base type, and keeps that unless the names of the clusters differ.
  const deviceType = DoorLock.with(behavior, bridgedDeviceBasicInformation);
  const isTaken =
    deviceType.behaviors['doorLock'] === behavior &&
    deviceType.behaviors['bridgedDeviceBasicInformation'] !== undefined &&
    DoorLock.behaviors['bridgedDeviceBasicInformation'] === undefined;
  return isTaken ? { deviceType, behavior } : null;
}

/** What of `api.matter` is not as expected, for one line of the log; null when locks can be shown. Never throws. */
export function faultOfMatter(matter: unknown): string | null {
  const missing = missingFrom(matter);
  if (missing !== null) {
    return `${missing} is missing`;
  }
  const nobody: LockHost = { opened() {}, request: async () => Promise.resolve('Failure') };
  try {
    return isMatterApi(matter) && lockDevice(matter, nobody) !== null ? null : 'the lock was not taken';
  } catch (error) {
    return oneLine(messageOf(error));
  }
}

function evidenceLock(base: LockBehaviorType, status: MatterApi['status'], host: LockHost): LockBehaviorType {
  class EvidenceLock extends base {
    override initialize(): unknown {
      const initialized = super.initialize();
      host.opened(this.endpoint);
      return initialized;
    }

    async lockDoor(): Promise<void> {
      await this.#request('secured');
    }

    async unlockDoor(): Promise<void> {
      await this.#request('unsecured');
    }

    async #request(target: BoltPosition): Promise<void> {
      const refusal = await host.request(this.endpoint.id, target, askerOf(this.context));
      if (refusal !== null) {
        throw new status[refusal]('The lock was not asked');
      }
    }
  }
  for (const command of NOT_OFFERED) {
    Object.defineProperty(EvidenceLock.prototype, command, { value: base.unimplemented });
  }
  return EvidenceLock;
}

/** Null for a command of Homebridge's own pages, which comes from no controller. */
function askerOf({ fabric, subject }: CommandContext): Asker | null {
  if (fabric === undefined) {
    return null;
  }
  return { fabricIndex: fabric, sourceNode: typeof subject?.id === 'bigint' ? subject.id : null };
}
