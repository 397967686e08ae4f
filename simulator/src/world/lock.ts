// The state of one lock: the hardware at the door, and separately the cloud's picture of it.
import type { ErrorCode } from '../contract/errors.ts';
import type { DueTask } from '../time/due-queue.ts';
import { formatOffset, offsetMinutesAt } from '../time/zone.ts';
import { accessCodeRecord, type StoredCode } from './access-code.ts';
import type {
  Accessor,
  BatteryState,
  BoltEnd,
  CommandRecord,
  DeviceRecord,
  EventCode,
  LockState,
  Role,
} from './records.ts';
import type { DeviceSetup, LockSettings } from './setup.ts';

export interface Movement {
  readonly to: BoltEnd;
  readonly accessor: Accessor;
  readonly arrival: DueTask;
}

export interface HistoryEntry {
  readonly id: string;
  readonly at: number;
  readonly eventCode: EventCode;
  readonly accessor: Accessor;
}

/** How a command stands between its acceptance and its end. */
export interface CommandInFlight {
  readonly commandId: string;
  /** The command as it reads once it has ended, well (null) or with an error. */
  readonly ended: (error: ErrorCode | null) => CommandRecord;
  /** The position that ends the command, when it waits for the bolt. */
  readonly awaits: BoltEnd | null;
  /** Timers that are cancelled when the command ends. */
  readonly timers: DueTask[];
}

/** A planned fault, counting down. */
export interface PlannedFault {
  readonly errorCode: ErrorCode;
  readonly delayMs: number | null;
  readonly moves: boolean;
  left: number;
}

export interface CloudView {
  lockState: LockState;
  batteryState: BatteryState;
  batteryPercent: number;
  connected: boolean;
  connectedAt: number;
  updatedAt: number;
  /** The cloud's list, by id, in the order of addition. */
  readonly codes: Map<string, StoredCode>;
  /** Oldest first. */
  readonly history: HistoryEntry[];
  /** Commands, pending or ended, that can still be read back. */
  readonly commands: Map<string, CommandRecord>;
}

export interface Lock {
  readonly deviceId: string;
  readonly type: DeviceSetup['type'];
  readonly serialNumber: string;
  readonly createdAt: number;
  readonly roles: Map<string, Role>;
  name: string;
  settings: LockSettings;
  /** False once it is removed from the world; its pending timers then do nothing. */
  isPresent: boolean;

  bolt: LockState;
  movement: Movement | null;
  /** Motor movements that will jam yet; Infinity until cleared. */
  jamsLeft: number;
  relock: DueTask | null;
  dailyLock: DueTask | null;

  wifi: boolean;
  /** Runs while the lock is offline and the cloud has not noticed. */
  notice: DueTask | null;
  batteryPercent: number;
  reportsBattery: boolean;

  wrongEntries: number;
  lockedOutUntil: number | null;
  /** The codes in the lock. An id may occur twice: that is error 27. */
  storedCodes: StoredCode[];
  /** Events that the lock could not report to the cloud yet. */
  unreported: HistoryEntry[];

  inFlight: CommandInFlight | null;
  plannedFaults: PlannedFault[];
  readonly cloud: CloudView;
}

/** Empty batteries: no motor, no keypad, no Wi-Fi. */
export const isPowered = (lock: Lock): boolean => lock.batteryPercent > 0;

/** Whether the lock can reach the cloud now, independent of the cloud's view. */
export const isOnline = (lock: Lock): boolean => lock.wifi && isPowered(lock);

/** The percentage a lock shows: the last crumb still counts as one. */
export const shownPercent = (lock: Lock): number => Math.ceil(lock.batteryPercent);

export function batteryWord(lock: Lock): BatteryState {
  const percent = shownPercent(lock);
  if (!lock.reportsBattery) {
    return 'Unknown';
  }
  if (percent <= lock.settings.criticalBatteryPercent) {
    return 'CriticallyLow';
  }
  return percent <= lock.settings.lowBatteryPercent ? 'Low' : 'Normal';
}

const iso = (at: number): string => new Date(at).toISOString();

export function deviceRecord(lock: Lock, now: number): DeviceRecord {
  const { cloud, settings } = lock;
  return {
    id: lock.deviceId,
    name: lock.name,
    type: lock.type,
    lockState: cloud.lockState,
    batteryState: cloud.batteryState,
    modelName: settings.modelName,
    serialNumber: lock.serialNumber,
    percentageBatteryLevel: cloud.batteryPercent,
    connected: cloud.connected,
    lastConnectedToCloud: iso(cloud.connectedAt),
    lastUpdated: iso(cloud.updatedAt),
    created: iso(lock.createdAt),
    timezoneOffset: formatOffset(offsetMinutesAt(settings.timeZone, now)),
    firmwareVersion: settings.firmwareVersion,
    wifiRssi: settings.wifiRssi,
    features: { vlac: settings.vlac, activityAlarm: settings.activityAlarm },
  };
}

/** A lock's true state, independent of the cloud's view: for the doors page and for tests. */
export function inspection(lock: Lock, now: number) {
  const { settings } = lock;
  return {
    deviceId: lock.deviceId,
    name: lock.name,
    type: lock.type,
    roles: Object.fromEntries(lock.roles),
    /** True position; the end it travels to, or null at rest. */
    bolt: lock.bolt,
    movingTo: lock.movement?.to ?? null,
    /** Motor movements that will jam yet; null: until the jam is cleared. */
    jamsLeft: Number.isFinite(lock.jamsLeft) ? lock.jamsLeft : null,
    wifi: lock.wifi,
    /** False with empty batteries: then there is no motor, no keypad and no Wi-Fi. */
    powered: isPowered(lock),
    batteryPercent: lock.batteryPercent,
    /** Epoch milliseconds; null when the keypad works. */
    keypadLockedOutUntil: lock.lockedOutUntil,
    codesOnLock: lock.storedCodes.map((code) => accessCodeRecord(code, settings.timeZone)),
    pendingCommandId: lock.inFlight?.commandId ?? null,
    settings,
    /** The cloud's view. */
    device: deviceRecord(lock, now),
  };
}

export type LockInspection = Readonly<ReturnType<typeof inspection>>;
