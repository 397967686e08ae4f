// The service's listing of devices as readings of locks. Only the exact word "Locked" ever reads as secured.
import { withoutCodes } from '../domain/locks/access.ts';
import type { BoltState } from '../domain/locks/bolt.ts';
import { type Battery, type BatteryGrade, lockId, type Role } from '../domain/locks/lock.ts';
import type { LockReading } from '../domain/ports.ts';
import { idOf, instantOf, integerOf, membersOf, percentOf, textOf } from './lenient.ts';

export interface DecodedListing {
  readonly locks: readonly LockReading[];
  /** How many items had no usable id, or the id of another. */
  readonly unread: number;
  /** Words that we do not know, with their member's name, each once: for one line in the log. */
  readonly strangeWords: readonly string[];
}

/** The service's words for a bolt (wire contract 2). */
export const BOLTS: ReadonlyMap<unknown, BoltState> = new Map<unknown, BoltState>([
  ['Locked', 'secured'],
  ['Unlocked', 'unsecured'],
  ['Unknown', 'unknown'],
]);

/** Words of wire contract 2, in any letter case: only one of them is published. */
const GRADES: ReadonlyMap<unknown, BatteryGrade> = new Map<unknown, BatteryGrade>([
  ['normal', 'normal'],
  ['low', 'low'],
  ['criticallylow', 'critical'],
  ['critical', 'critical'],
  ['unknown', 'unknown'],
]);

/** Below what any radio receives, in dBm (our choice). */
const WEAKEST_DBM = -120;

/** Longest text of a device that is kept, in UTF-16 units: longer ones cost work everywhere (our choice). */
const LONGEST_TEXT = 256;

/** Minutes. */
const FURTHEST_OFFSET_MINUTES = 14 * 60;

/**
 * A boolean, or its word: events spell it as text since a change of the interface (specification, Versioning). In any
 * letter case: common libraries write a boolean as "False", and an offline lock must not pass for a reachable one.
 */
const CONNECTED: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
]);

/** Logged in place of a word: such a lock is left out, and a person should learn why. */
const NO_USABLE_ID = 'a lock without a usable id';

interface DecodedItem {
  readonly reading: LockReading;
  readonly strangeWords: readonly string[];
}

/**
 * Reads answers of the device list, one after the other; null when it is no list, or none of its items is a lock. Items
 * are read one by one, so that one cannot hide others. Most are, letter for letter, in the listing before as well: these
 * are not read again.
 */
export function deviceListDecoder(): (body: unknown) => DecodedListing | null {
  let former: ReadonlyMap<string, DecodedItem> = new Map();
  return (body) => {
    if (!Array.isArray(body)) {
      return null;
    }
    const items = new Map<string, DecodedItem>();
    const locks = new Map<string, LockReading>();
    const strangeWords = new Set<string>();
    let unread = 0;
    for (const item of body) {
      const text = JSON.stringify(item);
      const decoded = former.get(text) ?? decodeItem(item);
      if (decoded === null) {
        unread += 1;
        strangeWords.add(NO_USABLE_ID);
        continue;
      }
      items.set(text, decoded);
      const { reading } = decoded;
      const twin = locks.get(reading.id);
      unread += twin === undefined ? 0 : 1;
      // The lock is listed twice: where the two items disagree on bolt or connection, neither is believed.
      locks.set(reading.id, twin === undefined ? reading : agreed(twin, reading));
      for (const word of decoded.strangeWords) {
        strangeWords.add(word);
      }
    }
    former = items;
    // A listing of malformed items alone would read as an account without locks.
    return body.length > 0 && locks.size === 0
      ? null
      : { locks: [...locks.values()], unread, strangeWords: [...strangeWords] };
  };
}

function decodeItem(item: unknown): DecodedItem | null {
  const device = membersOf(item);
  const id = idOf(device['id']);
  if (id === null) {
    return null;
  }
  const { lockState, batteryState, connected } = device;
  const strangeWords: string[] = [];
  noteStrange(strangeWords, 'lockState', BOLTS.has(lockState), lockState);
  noteStrange(strangeWords, 'batteryState', GRADES.has(inSmallLetters(batteryState)), batteryState);
  const isOdd = noteStrange(strangeWords, 'connected', decodeConnected(connected) !== null, connected);
  const reading = readDevice(id, device);
  // It may be the word for a lock that is offline, and then its position is an old one.
  return { reading: isOdd ? { ...reading, bolt: 'unknown' } : reading, strangeWords };
}

function agreed(former: LockReading, later: LockReading): LockReading {
  const isSame = former.bolt === later.bolt && former.connected === later.connected;
  return isSame ? former : { ...former, bolt: 'unknown' };
}

/** The service's word for a bolt. Anything but the two exact words is `unknown`. */
export function decodeBolt(lockState: unknown): BoltState {
  return BOLTS.get(lockState) ?? 'unknown';
}

/** Members as in the specification, Device. An earlier form had an integer `lockState`; its meaning is not published. */
function readDevice(id: string, device: Readonly<Record<string, unknown>>): LockReading {
  const connected = decodeConnected(device['connected']);
  const { vlac } = membersOf(device['features']);
  return {
    id: lockId(id),
    description: {
      name: boundedText(device['name']),
      model: boundedText(device['modelName']),
      serial: boundedText(device['serialNumber']),
      firmware: boundedText(device['firmwareVersion']),
      role: decodeRole(device['role']),
    },
    bolt: decodeBolt(device['lockState']),
    connected,
    // While a lock is connected this is when the connection began, which dates nothing.
    lastConnectedAt: connected === false ? instantOf(device['lastConnectedToCloud']) : null,
    updatedAt: instantOf(device['lastUpdated']),
    battery: decodeBattery(device['batteryState'], percentOf(device['percentageBatteryLevel'])),
    device: {
      type: boundedText(device['type']),
      createdAt: instantOf(device['created']),
      variableLengthCodes: typeof vlac === 'boolean' ? vlac : null,
      offsetMinutes: decodeOffset(textOf(device['timezoneOffset'])),
    },
    wifiDbm: decodeSignal(integerOf(device['wifiRssi'])),
  };
}

/** `-04:00`, `-0400` or `-04`, in minutes; null for anything else. No zone is further from UTC than 14 hours. */
function decodeOffset(text: string): number | null {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d)(?::?([0-5]\d))?$/.exec(text) ?? [];
  const away = Number(hours) * 60 + Number(minutes);
  if (sign === undefined || away > FURTHEST_OFFSET_MINUTES) {
    return null;
  }
  return sign === '-' && away > 0 ? -away : away;
}

/** A signal strength is negative; anything outside of what radios report is unknown. */
function decodeSignal(rssi: number | null): number | null {
  return rssi !== null && rssi < 0 && rssi >= WEAKEST_DBM ? rssi : null;
}

function boundedText(value: unknown): string {
  const text = textOf(value);
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT).toWellFormed() : text;
}

/** Roles came late to the list: without one, the service itself decides on permissions (wire contract 11, Roles). */
function decodeRole(role: unknown): Role {
  switch (typeof role === 'string' ? role.toLowerCase() : null) {
    case null:
    case 'owner':
      return 'owner';
    case 'guest':
      return 'guest';
    default:
      return 'reader';
  }
}

/** Whether the service reaches the lock, as a boolean or as its word; null for anything else. */
export function decodeConnected(connected: unknown): boolean | null {
  return CONNECTED.get(inSmallLetters(connected)) ?? null;
}

/** The battery by word and number; a missing or implausible value is unknown. */
export function decodeBattery(batteryState: unknown, percent: number | null): Battery {
  return {
    grade: GRADES.get(inSmallLetters(batteryState)) ?? 'unknown',
    percent: percent !== null && percent >= 0 && percent <= 100 ? percent : null,
  };
}

function inSmallLetters(word: unknown): unknown {
  return typeof word === 'string' ? word.toLowerCase() : word;
}

/** Whether a word came that is not known. */
function noteStrange(strange: string[], member: string, isKnown: boolean, word: unknown): boolean {
  const isStrange = word !== undefined && word !== null && !isKnown;
  if (isStrange) {
    strange.push(withoutCodes(`${member} ${JSON.stringify(word)}`));
  }
  return isStrange;
}
