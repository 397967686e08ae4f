// A webhook's body as an event of the house: both versions, the earlier envelope, and words that are not known yet.
import type { Instant } from '../domain/bolt.ts';
import { isBoltPosition } from '../domain/bolt.ts';
import { type LockId, lockId } from '../domain/lock.ts';
import type { BoltReport, CodeReport, ServiceEvent, ServiceReport } from '../domain/service-event.ts';
import { decodeAccessor } from './accessor-codec.ts';
import { decodeCommand } from './command-codec.ts';
import { decodeBattery, decodeBolt, decodeConnected } from './device-codec.ts';
import { lenientInstantOf, lenientTextOf, memberOf, opaqueIdOf } from './lenient-members.ts';
import { lenientInteger } from './lenient-schema.ts';

/** What a body said. */
export interface DecodedEvent {
  readonly event: ServiceEvent;
  /** Words that we do not know, with their member's name: for one line in the log. Foreign text. */
  readonly strangeWords: readonly string[];
}

/** No trigger's name comes near it (our choice): an unknown one is kept, and need not be kept whole. */
const LONGEST_WORD = 100;

/** The earlier envelope is known by its type (specification, Earlier access-code management envelope). */
const EARLIER_TYPE = 'AccessCodeManagement';

/** Event words of the earlier envelope. Only the first is published; the others follow its form. */
const EARLIER_CODE_NEWS: ReadonlyMap<string, CodeReport['type']> = new Map([
  ['AccessCodeCreate', 'code-added'],
  ['AccessCodeUpdate', 'code-updated'],
  ['AccessCodeDelete', 'code-deleted'],
]);

/**
 * How the data of each trigger is read (wire contract 7; beyond the specification's own five they are extensions). Null
 * when the data lacks what would give the event a meaning. An event type that names what happened does for a trigger
 * that is missing.
 */
const READERS: ReadonlyMap<string, (data: unknown) => ServiceReport | null> = new Map([
  ['DeviceLockStateChanged', readBolt],
  ['DeviceConnectivityStateChanged', readConnectivity],
  ['DeviceIncorrectAccessCodeEntered', (): ServiceReport => ({ type: 'wrong-code' })],
  ['AccessCodeAdded', (data): ServiceReport => readCode('code-added', data)],
  ['AccessCodeUpdated', (data): ServiceReport => readCode('code-updated', data)],
  ['AccessCodeUpdate', (data): ServiceReport => readCode('code-updated', data)],
  ['AccessCodeDeleted', (data): ServiceReport => readCode('code-deleted', data)],
  ['CommandStateChanged', readCommand],
  ['DeviceBatteryStateChanged', readBattery],
  ['DeviceAlarmTriggered', (): ServiceReport => ({ type: 'alarm' })],
  ['DeviceKeypadLockedOut', (): ServiceReport => ({ type: 'keypad-locked-out' })],
  [
    'UserSignedOutEverywhere',
    (data): ServiceReport => ({ type: 'signed-out', userId: opaqueIdOf(memberOf(data, 'userId')) }),
  ],
]);

/**
 * Reads a parsed body in the current envelope, versions 1.0 and 2.0 (specification, Envelope), or in the earlier one. It may
 * stand alone or in an array of one. Null when it is no object at all. `nameless` gives the id of an event that has none; it must
 * be the same when the same body comes again.
 */
export function decodeEvent(body: unknown, nameless: () => string): DecodedEvent | null {
  const alone: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  if (typeof alone !== 'object' || alone === null || Array.isArray(alone)) {
    return null;
  }
  const trigger = lenientTextOf(memberOf(alone, 'trigger'));
  const eventType = lenientTextOf(memberOf(alone, 'eventType'));
  if (trigger === '' && eventType === EARLIER_TYPE) {
    return decodeEarlier(alone, nameless);
  }
  const word = (trigger === '' ? eventType : trigger).slice(0, LONGEST_WORD);
  const data = memberOf(alone, 'data');
  const news = READERS.get(word)?.(data) ?? { type: 'unrecognised', trigger: word };
  return {
    event: {
      ...news,
      eventId: opaqueIdOf(memberOf(alone, 'eventId')) ?? nameless(),
      at: readInstant(memberOf(alone, 'time')),
      lockId: lockIdOrNull(memberOf(alone, 'deviceId')),
    },
    strangeWords: READERS.has(word) ? strangeWordsOf(news, data) : [`trigger ${JSON.stringify(word)}`],
  };
}

function decodeEarlier(body: unknown, nameless: () => string): DecodedEvent {
  const data = memberOf(body, 'data');
  const code = memberOf(data, 'accessCode');
  const word = lenientTextOf(memberOf(data, 'eventType'));
  const type = EARLIER_CODE_NEWS.get(word);
  const news: ServiceReport =
    type === undefined
      ? { type: 'unrecognised', trigger: word.slice(0, LONGEST_WORD) }
      : readCodeOf(type, memberOf(code, 'id'), memberOf(code, 'name'));
  return {
    event: {
      ...news,
      eventId: opaqueIdOf(memberOf(body, 'id')) ?? nameless(),
      at:
        readInstant(memberOf(body, 'eventTime')) ??
        readLocalTime(lenientTextOf(memberOf(data, 'time')), lenientTextOf(memberOf(data, 'timezoneOffset'))),
      lockId: lockIdOrNull(memberOf(data, 'deviceId')),
    },
    strangeWords: type === undefined ? [`eventType ${JSON.stringify(word)}`] : [],
  };
}

function lockIdOrNull(value: unknown): LockId | null {
  const id = opaqueIdOf(value);
  return id === null ? null : lockId(id);
}

function readBolt(data: unknown): BoltReport {
  const lockState = memberOf(data, 'lockState') ?? null;
  const accessor = memberOf(data, 'accessor') ?? null;
  const bolt = decodeBolt(lockState);
  return {
    type: 'bolt',
    bolt: lockState === null ? null : isBoltPosition(bolt) ? bolt : 'unknown',
    accessor: accessor === null ? null : decodeAccessor(accessor),
  };
}

function readConnectivity(data: unknown): ServiceReport {
  return { type: 'connectivity', connected: decodeConnected(memberOf(data, 'connected')) };
}

function readBattery(data: unknown): ServiceReport {
  const percent = lenientInteger.parse(memberOf(data, 'percentageBatteryLevel'));
  return { type: 'battery', battery: decodeBattery(memberOf(data, 'batteryState'), percent) };
}

/** The code itself is not even looked at, so it does not matter that it may be a number. */
function readCode(type: CodeReport['type'], data: unknown): CodeReport {
  return readCodeOf(type, memberOf(data, 'accessCodeId'), memberOf(data, 'name'));
}

function readCodeOf(type: CodeReport['type'], id: unknown, name: unknown): CodeReport {
  const codeName = lenientTextOf(name);
  return { type, codeId: opaqueIdOf(id), codeName: codeName === '' ? null : codeName };
}

/** Sent at the end of a command only (wire contract 11): one that is still pending tells nothing. */
function readCommand(data: unknown): ServiceReport | null {
  const reading = decodeCommand(data, null);
  return reading === null || reading.state === 'pending' ? null : { type: 'command-ended', reading };
}

/** Words for a position that would be warned of in a listing, too. */
function strangeWordsOf(news: ServiceReport, data: unknown): readonly string[] {
  if (news.type !== 'bolt' || news.bolt !== 'unknown') {
    return [];
  }
  const lockState = memberOf(data, 'lockState');
  return lockState === 'Unknown' ? [] : [`lockState ${JSON.stringify(lockState)}`];
}

/** Smaller counts of milliseconds lie before March 1973: no lock told anything then. */
const FIRST_CREDIBLE_MS = 100_000_000_000;

/** ISO 8601 with an offset, or epoch milliseconds as number or digits (wire contract 0). */
function readInstant(time: unknown): Instant | null {
  const epochMs = typeof time === 'string' && /^\d{12,15}$/.test(time) ? Number(time) : time;
  const at = typeof epochMs === 'number' ? Math.round(epochMs) : lenientInstantOf(epochMs);
  return at !== null && Number.isSafeInteger(at) && at >= FIRST_CREDIBLE_MS ? at : null;
}

/** `20240129T10:05` and `-05:00`: the local time of the earlier envelope. */
function readLocalTime(time: string, offset: string): Instant | null {
  const [, year, month, day, clock] = /^(\d{4})(\d\d)(\d\d)T(\d\d:\d\d)$/.exec(time) ?? [];
  return clock === undefined
    ? null
    : lenientInstantOf(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${clock}:00${offset}`);
}
