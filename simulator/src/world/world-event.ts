// The world's events in order: the one stream for webhooks, the doors page and the log.
import type {
  AccessCodeRecord,
  Accessor,
  BatteryState,
  BoltEnd,
  CommandRecord,
  LockState,
} from './records.ts';

/** Changes at a device that no webhook reports; the doors page draws the device again. */
export type DeviceChange =
  | 'added'
  | 'removed'
  | 'renamed'
  | 'role'
  | 'settings'
  | 'bolt'
  | 'wifi'
  | 'power'
  | 'keypad'
  | 'codes-on-lock';

export type WorldEventFact =
  | { readonly kind: 'lock-state-changed'; readonly lockState: BoltEnd; readonly accessor: Accessor }
  | { readonly kind: 'connectivity-changed'; readonly connected: boolean }
  | { readonly kind: 'incorrect-code-entered'; readonly enteredAccessCode: string }
  | { readonly kind: 'access-code-added' | 'access-code-updated'; readonly accessCode: AccessCodeRecord }
  | { readonly kind: 'access-code-deleted'; readonly accessCodeId: string; readonly name: string }
  | { readonly kind: 'command-ended'; readonly command: CommandRecord }
  | {
      readonly kind: 'battery-changed';
      readonly batteryState: BatteryState;
      readonly percentageBatteryLevel: number;
    }
  | { readonly kind: 'alarm-triggered' }
  | { readonly kind: 'keypad-locked-out' }
  | { readonly kind: 'jammed' }
  | { readonly kind: 'signed-out-everywhere'; readonly userId: string }
  | { readonly kind: 'device-changed'; readonly change: DeviceChange; readonly bolt: LockState };

/**
 * A fact with its time and the users it concerns. All kinds but `device-changed` appear when the *cloud* learns of them:
 * changes of an offline lock reach the stream on reconnect, as one change without accessor.
 * `device-changed` reports at once the true state at the lock.
 */
export type WorldEvent = WorldEventFact & {
  /** Unique within the world, the same for the same seed and calls. */
  readonly id: string;
  readonly at: number;
  /** Null for an event that concerns a user, not a device. */
  readonly deviceId: string | null;
  /** All users with a role on the device at that moment. */
  readonly userIds: readonly string[];
};
