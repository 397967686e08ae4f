// The world's interface: the service's calls for a user, and the physical actions and faults at locks.
import type { LockInspection } from './lock.ts';
import type {
  AccessCodeRecord,
  Answer,
  BoltEnd,
  CommandRecord,
  DeviceRecord,
  HistoryRecord,
  ListedDeviceRecord,
  Role,
} from './records.ts';
import type {
  AccessCodeSetup,
  BusyMode,
  CodeSide,
  DeviceSetup,
  HistoryEntrySetup,
  LockSettings,
  PlannedFailure,
  UserRecord,
  UserSetup,
} from './setup.ts';
import type { WorldEvent } from './world-event.ts';

export type { LockInspection };

/** Time, which only advances, and the stream of events. */
export interface WorldTime {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs everything due up to that instant and returns the events. An earlier instant changes nothing. */
  advance(toEpochMs: number): readonly WorldEvent[];
  /** When something will next happen by itself; null when nothing is due. */
  nextDueAt(): number | null;
  /** Calls back at once with each event, in order, until the returned function is called. */
  onEvent(listener: (worldEvent: WorldEvent) => void): () => void;
}

/**
 * The service's calls for a signed-in user. A device on which the user has no role does not exist for that user.
 * Refusals carry the status and body of wire contract 0 and 3-5.
 */
export interface DeviceService {
  listDevices(userId: string): readonly ListedDeviceRecord[];
  getDevice(userId: string, deviceId: string): Answer<DeviceRecord>;
  /** Checks in the contract's order. The command is Pending, or Failed with 36 under the busy mode `failed-command`. */
  submitCommand(userId: string, deviceId: string, name: unknown, data: unknown): Answer<CommandRecord>;
  getCommand(userId: string, deviceId: string, commandId: string): Answer<CommandRecord>;
  listAccessCodes(userId: string, deviceId: string): Answer<readonly AccessCodeRecord[]>;
  getAccessCode(userId: string, deviceId: string, accessCodeId: string): Answer<AccessCodeRecord>;
  /** Newest first. Refuses with 20 unless `limit` is a whole number from 1 to 100. */
  history(
    userId: string,
    deviceId: string,
    limit: number,
    deviceLocalTime: boolean,
  ): Answer<readonly HistoryRecord[]>;
}

export type KeypadResult = 'accepted' | 'refused' | 'locked-out' | 'no-power';

/** Physical actions of people at one lock. Every method throws `UnknownIdError` for a device, user or code that does not exist. */
export interface PhysicalActions {
  /** Moves the bolt by hand, at once, jam or not; without `to`, to the other side. */
  turnThumbturn(deviceId: string, to?: BoltEnd): void;
  /** Locks by the exterior panel's button. */
  pressOneTouch(deviceId: string): void;
  /** Types a code on the keypad; a good one moves the bolt to `to`, `Unlocked` by default. */
  typeCode(deviceId: string, code: string, to?: BoltEnd): KeypadResult;
  /** The two buttons of the interior panel. */
  pressInsideButton(deviceId: string, button: 'UnlockButton' | 'LockButton'): void;
  /** A user in the maker's own app, near the door. */
  useVirtualKey(deviceId: string, userId: string, to: BoltEnd): void;
  /** Through a smart-home platform; by NFC when `nfc` is true. */
  usePlatformHome(deviceId: string, to: BoltEnd, nfc?: boolean): void;
  runScheduledLock(deviceId: string): void;
  triggerAlarm(deviceId: string): void;
}

/** Weather, faults and edits. Every method throws `UnknownIdError` for a device, user or code that does not exist. */
export interface Circumstances {
  /** The next `count` motor movements jam; without a count, all until `clearJam`. The thumbturn still turns. */
  jam(deviceId: string, count?: number): void;
  clearJam(deviceId: string): void;
  /** The lock loses its position: `Unknown` until the bolt next moves. */
  forgetPosition(deviceId: string): void;
  /** The cloud notices after `noticeAfterMs`, or as the settings say. */
  cutWifi(deviceId: string, noticeAfterMs?: number): void;
  restoreWifi(deviceId: string): void;
  /** 0-100; null: the lock no longer reports its battery (`Unknown`). 0 is no power at all. */
  setBattery(deviceId: string, percent: number | null): void;
  replaceBatteries(deviceId: string): void;
  failNextCommands(deviceId: string, failure: PlannedFailure): void;
  configure(deviceId: string, settings: Partial<LockSettings>): void;
  setBusyMode(mode: BusyMode): void;
  /** Puts a code in place, or replaces the one with its id, without a command; a change of the cloud's list causes webhooks. */
  putAccessCode(deviceId: string, accessCode: AccessCodeSetup, side: CodeSide): string;
  /** The lock then holds the id twice, which later commands on it meet as error 27. */
  duplicateCodeOnLock(deviceId: string, accessCodeId: string): void;
  dropAccessCode(deviceId: string, accessCodeId: string, side: CodeSide): void;
  writeHistory(deviceId: string, entry: HistoryEntrySetup): void;
}

export interface Registry {
  users(): readonly UserRecord[];
  addUser(user: UserSetup): UserRecord;
  /** Null takes the device away from the user. */
  setRole(deviceId: string, userId: string, role: Role | null): void;
  /** The option on the reset-password screen: unlinks every partner. */
  signOutEverywhere(userId: string): void;
  deviceIds(): readonly string[];
  inspect(deviceId: string): LockInspection;
  addDevice(device: DeviceSetup): string;
  removeDevice(deviceId: string): void;
  renameDevice(deviceId: string, name: string): void;
}

/** The simulated locks and their users: pure, seeded, and changed only by `advance` and by actions. Made by `createWorld` (world.ts). */
export interface World extends WorldTime, DeviceService, PhysicalActions, Circumstances, Registry {}
