// Matter's numbers for a lock: Door Lock, Power Source and Bridged Device clusters (Matter Application Cluster Specification).

/** `null` stands for unknown. A jam is not fully locked: some apps keep their last tile at `null` (docs/develop/matter.md). */
export const LOCK_STATE = { NOT_FULLY_LOCKED: 0, LOCKED: 1, UNLOCKED: 2 } as const;
export type LockState = (typeof LOCK_STATE)[keyof typeof LOCK_STATE];

/** The latch bolt is what the handle of a lever lock moves. */
export const LOCK_TYPE = { DEAD_BOLT: 0, LATCH_BOLT: 5 } as const;
export type LockType = (typeof LOCK_TYPE)[keyof typeof LOCK_TYPE];

export const OPERATING_MODE_NORMAL = 0;

export const OPERATION = { LOCK: 0, UNLOCK: 1 } as const;
export type Operation = (typeof OPERATION)[keyof typeof OPERATION];

/** Sources of an operation. `REMOTE` is a command over Matter, `PROPRIETARY_REMOTE` one by any other app. */
export const OPERATION_SOURCE = {
  UNSPECIFIED: 0,
  MANUAL: 1,
  PROPRIETARY_REMOTE: 2,
  KEYPAD: 3,
  AUTO: 4,
  BUTTON: 5,
  SCHEDULE: 6,
  REMOTE: 7,
  RFID: 8,
} as const;
export type OperationSource = (typeof OPERATION_SOURCE)[keyof typeof OPERATION_SOURCE];

/** `INVALID_CREDENTIAL` is for a lock with users, so for one that asks for a PIN. */
export const OPERATION_ERROR = { UNSPECIFIED: 0, INVALID_CREDENTIAL: 1 } as const;
export type OperationError = (typeof OPERATION_ERROR)[keyof typeof OPERATION_ERROR];

/** The user and the credential that `remotePin` is. */
export const REMOTE_USER_INDEX = 1;
export const REMOTE_CREDENTIAL = { credentialType: 1, credentialIndex: 1 } as const;

export const DATA_OPERATION_ADD = 0;

/** Statuses of answers; `OCCUPIED` is one of this cluster. */
export const STATUS = { FAILURE: 1, OCCUPIED: 3, INVALID_COMMAND: 133, UNSUPPORTED_WRITE: 136 } as const;

export const ALARM = { LOCK_JAMMED: 0, WRONG_CODE_ENTRY_LIMIT: 4 } as const;
export type Alarm = (typeof ALARM)[keyof typeof ALARM];

export const POWER_STATUS = { UNSPECIFIED: 0, ACTIVE: 1 } as const;
export const CHARGE_LEVEL = { OK: 0, WARNING: 1, CRITICAL: 2 } as const;
export const REPLACEABILITY_UNSPECIFIED = 0;

/** Matter counts the charge of a battery in half percent. */
export const HALF_PERCENTS = 2;
