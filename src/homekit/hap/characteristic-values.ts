// HomeKit's numeric values. Homebridge's const enums cannot be used with `isolatedModules`; a test compares them.
/* oxlint-disable typescript/no-unsafe-enum-assignment -- this file is where numbers become members of those enums */
import type { Access, Categories, HAPStatus } from 'homebridge';

/** LockCurrentState. */
export const CURRENT_STATE = { UNSECURED: 0, SECURED: 1, JAMMED: 2, UNKNOWN: 3 } as const;
export type CurrentState = (typeof CURRENT_STATE)[keyof typeof CURRENT_STATE];

/** LockTargetState. */
export const TARGET_STATE = { UNSECURED: 0, SECURED: 1 } as const;
export type TargetState = (typeof TARGET_STATE)[keyof typeof TARGET_STATE];

/** LockLastKnownAction. */
export const LAST_ACTION = {
  SECURED_PHYSICALLY_INTERIOR: 0,
  UNSECURED_PHYSICALLY_INTERIOR: 1,
  SECURED_PHYSICALLY_EXTERIOR: 2,
  UNSECURED_PHYSICALLY_EXTERIOR: 3,
  SECURED_BY_KEYPAD: 4,
  UNSECURED_BY_KEYPAD: 5,
  SECURED_REMOTELY: 6,
  UNSECURED_REMOTELY: 7,
  SECURED_BY_AUTO_SECURE_TIMEOUT: 8,
  SECURED_PHYSICALLY: 9,
  UNSECURED_PHYSICALLY: 10,
} as const;
export type LastAction = (typeof LAST_ACTION)[keyof typeof LAST_ACTION];

/** StatusLowBattery. */
export const LOW_BATTERY = { BATTERY_LEVEL_NORMAL: 0, BATTERY_LEVEL_LOW: 1 } as const;

/** ChargingState. */
export const CHARGING = { NOT_CHARGEABLE: 2 } as const;

/** OccupancyDetected. */
export const OCCUPANCY = { OCCUPANCY_NOT_DETECTED: 0, OCCUPANCY_DETECTED: 1 } as const;

/** ContactSensorState. */
export const CONTACT = { CONTACT_DETECTED: 0, CONTACT_NOT_DETECTED: 1 } as const;

/** StatusFault. */
export const FAULT = { NO_FAULT: 0, GENERAL_FAULT: 1 } as const;

/** The HAPStatus values that we answer with. */
export type HapStatus = HAPStatus;
export const HAP_STATUS: Readonly<Record<StatusName, HapStatus>> = {
  SUCCESS: 0,
  INSUFFICIENT_PRIVILEGES: -70401,
  SERVICE_COMMUNICATION_FAILURE: -70402,
  RESOURCE_BUSY: -70403,
  OPERATION_TIMED_OUT: -70408,
  INVALID_VALUE_IN_REQUEST: -70410,
  NOT_ALLOWED_IN_CURRENT_STATE: -70412,
};
type StatusName =
  | 'SUCCESS'
  | 'INSUFFICIENT_PRIVILEGES'
  | 'SERVICE_COMMUNICATION_FAILURE'
  | 'RESOURCE_BUSY'
  | 'OPERATION_TIMED_OUT'
  | 'INVALID_VALUE_IN_REQUEST'
  | 'NOT_ALLOWED_IN_CURRENT_STATE';

/** Categories: the icon in Home. */
export const CATEGORY: Readonly<Record<'DOOR_LOCK', Categories>> = { DOOR_LOCK: 6 };

/** Access that only admins of the home have. */
export const ACCESS: Readonly<Record<'READ' | 'WRITE', Access>> = { READ: 0, WRITE: 1 };
