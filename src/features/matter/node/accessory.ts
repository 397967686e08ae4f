// The accessory under which Homebridge registers a Matter lock: its identity, never its position.
import { type LockDescription, type LockId, lockId } from '../../../domain/locks/lock.ts';
import type { DeviceType, MatterAccessory } from './matter-api.ts';
import { matterName, matterSerial, matterVersion } from './matter-text.ts';
import {
  CHARGE_LEVEL,
  LOCK_TYPE,
  OPERATING_MODE_NORMAL,
  POWER_STATUS,
  REPLACEABILITY_UNSPECIFIED,
} from './matter-values.ts';

const MANUFACTURER = 'Latchkey';

/** Incremented when the meaning of a member changes. Homebridge keeps it in a file that others on the machine may read. */
const CONTEXT_VERSION = 1;

/** Homebridge caches only the data registered here. The position is written to the endpoint alone, so that no cache holds it. */
export function accessoryOf(parts: {
  readonly uuid: string;
  readonly id: LockId;
  readonly name: string;
  readonly description: LockDescription;
  /** The name that a person gave to the lock in an app; null without one. */
  readonly label: string | null;
  readonly deviceType: DeviceType;
}): MatterAccessory {
  const { uuid, id, name, label, description, deviceType } = parts;
  return {
    UUID: uuid,
    displayName: label ?? matterName(name),
    deviceType,
    manufacturer: MANUFACTURER,
    model: matterName(description.model),
    serialNumber: matterSerial(description.serial, uuid),
    firmwareRevision: matterVersion(description.firmware),
    context: { lockId: id, version: CONTEXT_VERSION },
    clusters: {
      doorLock: {
        lockState: null,
        lockType: LOCK_TYPE.DEAD_BOLT,
        actuatorEnabled: true,
        operatingMode: OPERATING_MODE_NORMAL,
      },
      powerSource: {
        status: POWER_STATUS.UNSPECIFIED,
        order: 0,
        description: 'Battery',
        batPercentRemaining: null,
        batChargeLevel: CHARGE_LEVEL.OK,
        batReplacementNeeded: false,
        batReplaceability: REPLACEABILITY_UNSPECIFIED,
      },
    },
  };
}

/** The lock named in a cached context of any version, or null. */
export function lockIdOf(context: Readonly<Record<string, unknown>>): LockId | null {
  const id = context['lockId'];
  return typeof id === 'string' && id !== '' ? lockId(id) : null;
}
