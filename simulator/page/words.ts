// The page's sentences: what happened, who did it, how things stand.

import type { Accessor, AccessType } from '../src/world/records.ts';
import type { DeviceChange, WorldEvent } from '../src/world/world-event.ts';
import type { LockInspection } from '../src/world/world-types.ts';

const WAYS: Readonly<Record<AccessType, string>> = {
  VirtualKey: 'with a virtual key',
  '1TouchLocking': 'by the button outside',
  AccessCode: 'with a code',
  AutoRelock: 'by auto-relock',
  Thumbturn: 'by hand',
  UnlockButton: 'by the unlock button inside',
  LockButton: 'by the lock button inside',
  ScheduledLock: 'on schedule',
  PlatformHome: 'from a smart home',
  PlatformHomeNFC: 'by NFC',
  AccessTypeUnavailable: 'by an unknown person',
};

/** `with a code (Resident)`. */
function accessorWords({ accessType, friendlyName }: Accessor): string {
  const way = WAYS[accessType];
  return friendlyName === null || friendlyName === '' ? way : `${way} (${friendlyName})`;
}

const CHANGES: Readonly<Record<Exclude<DeviceChange, 'bolt'>, string>> = {
  added: 'Put on the door',
  removed: 'Taken off the account',
  renamed: 'Renamed',
  role: 'A role changed',
  settings: 'Settings changed',
  wifi: 'The Wi-Fi changed at the door',
  power: 'The power changed at the door',
  keypad: 'The keypad changed',
  'codes-on-lock': 'The codes on the lock changed',
};

/** Activity, as one sentence without a full stop. */
export function activityWords(activity: WorldEvent): string {
  switch (activity.kind) {
    case 'lock-state-changed':
      return `${activity.lockState}, ${accessorWords(activity.accessor)}`;
    case 'connectivity-changed':
      return connectivityWords(activity.connected);
    case 'incorrect-code-entered':
      return `Wrong code: ${activity.enteredAccessCode}`;
    case 'access-code-added':
      return `Code added: ${activity.accessCode.name}`;
    case 'access-code-updated':
      return `Code changed: ${activity.accessCode.name}`;
    case 'access-code-deleted':
      return `Code deleted: ${activity.name}`;
    case 'command-ended':
      return commandWords(activity);
    case 'battery-changed':
      return `Battery ${activity.batteryState}, ${String(activity.percentageBatteryLevel)}%`;
    case 'alarm-triggered':
      return 'The activity alarm went off';
    case 'keypad-locked-out':
      return 'Too many wrong codes: the keypad is off for a while';
    case 'jammed':
      return 'Jammed';
    case 'signed-out-everywhere':
      return `${activity.userId} signed out everywhere`;
    case 'device-changed':
      return changeWords(activity);
  }
}

function connectivityWords(connected: boolean): string {
  return connected ? 'Back online in the cloud' : 'Offline in the cloud';
}

function changeWords({ change, bolt }: Extract<WorldEvent, { kind: 'device-changed' }>): string {
  return change === 'bolt' ? `The bolt rests: ${bolt}` : CHANGES[change];
}

function commandWords({ command }: Extract<WorldEvent, { kind: 'command-ended' }>): string {
  const { error } = command.data;
  return error === null
    ? `Command ${command.name}: ${command.state}`
    : `Command ${command.name}: ${command.state} with ${String(error.errorCode)}, ${error.errorMessage}`;
}

/** One line of the comparison of a lock with the cloud's picture of it. */
export interface Comparison {
  readonly what: string;
  readonly atDoor: string;
  readonly inCloud: string;
  readonly differs: boolean;
}

/** What is true at the door beside what the cloud believes. */
export function compare(lock: LockInspection): readonly Comparison[] {
  const { device } = lock;
  const percent = Math.ceil(lock.batteryPercent);
  const online = lock.wifi && lock.powered;
  return [
    {
      what: 'Bolt',
      atDoor: boltWords(lock),
      inCloud: device.lockState,
      differs: lock.bolt !== device.lockState,
    },
    {
      what: 'Battery',
      atDoor: lock.powered ? `${String(percent)}%` : 'empty',
      inCloud: `${device.batteryState}, ${String(device.percentageBatteryLevel)}%`,
      differs: percent !== device.percentageBatteryLevel,
    },
    {
      what: 'Wi-Fi',
      atDoor: lock.wifi ? (lock.powered ? 'on' : 'no power') : 'cut',
      inCloud: device.connected ? 'connected' : 'offline',
      differs: online !== device.connected,
    },
  ];
}

/** Where the bolt is, and where it is going. */
export function boltWords({ bolt, movingTo }: Pick<LockInspection, 'bolt' | 'movingTo'>): string {
  return movingTo === null ? bolt : `${movingTo === 'Locked' ? 'Locking' : 'Unlocking'} …`;
}

/** Whether the motor will jam, and for how long; null when it will not. */
export function jamWords(jamsLeft: number | null): string | null {
  if (jamsLeft === 0) {
    return null;
  }
  return jamsLeft === null ? 'jams until cleared' : `jams ${String(jamsLeft)} more`;
}

// Made once: to make one takes far longer than to use it, and a busy service writes many lines.
const CLOCK = new Intl.DateTimeFormat([], { timeStyle: 'medium', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });

/** `14:03:07` where the reader is. */
export function clockWords(epochMs: number): string {
  return CLOCK.format(epochMs);
}

/** Day and time where the reader is. */
export function dayWords(epochMs: number): string {
  return DAY.format(epochMs);
}
