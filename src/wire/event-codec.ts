// A webhook's body as a service event: both versions, the earlier envelope, and words that are not known yet.
import { withoutCodes } from '../domain/locks/access.ts';
import { isBoltPosition } from '../domain/locks/bolt.ts';
import { type LockId, lockId } from '../domain/locks/lock.ts';
import type { Instant } from '../domain/time/instant.ts';
import type {
  BoltReport,
  CodeReport,
  ServiceEvent,
  ServiceReport,
} from '../domain/webhooks/service-event.ts';
import { decodeAccessor } from './accessor-codec.ts';
import { decodeCommand } from './command-codec.ts';
import { decodeBattery, decodeBolt, decodeConnected } from './device-codec.ts';
import { idOf, instantOf, isObject, membersOf, percentOf, textOf } from './lenient.ts';

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
const EARLIER_CODE_REPORTS: ReadonlyMap<string, CodeReport['type']> = new Map([
  ['AccessCodeCreate', 'code-added'],
  ['AccessCodeUpdate', 'code-updated'],
  ['AccessCodeDelete', 'code-deleted'],
]);

/**
 * How the data of each trigger is read (wire contract 7; all but the specification's five are extensions). Null when the
 * data lacks the event's meaning. Without a trigger, the event type takes its place.
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
    (data): ServiceReport => ({ type: 'signed-out', userId: idOf(membersOf(data)['userId']) }),
  ],
]);

/** The most events in one body (our choice): the contract has one, and so many are read within a few milliseconds. */
const MOST_EVENTS = 50;

/**
 * Reads a parsed body: one event, or an array of them. The contract has one in each body, yet a refused body never comes
 * again (wire contract 7). Null when it holds no event, anything else beside them, or too many. `nameless` gives the id
 * of an event without one, by its place; the same body must have the same ids when it comes again.
 */
export function decodeEvents(
  body: unknown,
  nameless: (place: number) => string,
): readonly DecodedEvent[] | null {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  return items.length > 0 && items.length <= MOST_EVENTS && items.every(isObject)
    ? items.map((item, place) => decodeEvent(item, () => nameless(place)))
    : null;
}

/** An event in the current envelope, versions 1.0 and 2.0 (specification, Envelope), or in the earlier one. */
function decodeEvent(item: object, nameless: () => string): DecodedEvent {
  const { trigger: cause, eventType: kind, eventId, time, deviceId, data } = membersOf(item);
  const trigger = textOf(cause);
  const eventType = textOf(kind);
  if (trigger === '' && eventType === EARLIER_TYPE) {
    return decodeEarlier(item, nameless);
  }
  const word = (trigger === '' ? eventType : trigger).slice(0, LONGEST_WORD);
  const report = READERS.get(word)?.(data) ?? { type: 'unrecognised', trigger: withoutCodes(word) };
  return {
    event: {
      ...report,
      eventId: idOf(eventId) ?? nameless(),
      at: readInstant(time),
      lockId: lockIdOf(deviceId),
    },
    strangeWords: READERS.has(word) ? strangeWordsOf(report, data) : [strange('trigger', word)],
  };
}

function decodeEarlier(body: unknown, nameless: () => string): DecodedEvent {
  const { id, eventTime, data } = membersOf(body);
  const { eventType: kind, deviceId, time, timezoneOffset, accessCode } = membersOf(data);
  const code = membersOf(accessCode);
  const eventType = textOf(kind);
  const type = EARLIER_CODE_REPORTS.get(eventType);
  const report: ServiceReport =
    type === undefined
      ? { type: 'unrecognised', trigger: withoutCodes(eventType.slice(0, LONGEST_WORD)) }
      : codeReport(type, code['id'], code['name']);
  return {
    event: {
      ...report,
      eventId: idOf(id) ?? nameless(),
      at: readInstant(eventTime) ?? readLocalTime(textOf(time), textOf(timezoneOffset)),
      lockId: lockIdOf(deviceId),
    },
    strangeWords: type === undefined ? [strange('eventType', eventType)] : [],
  };
}

function lockIdOf(value: unknown): LockId | null {
  const id = idOf(value);
  return id === null ? null : lockId(id);
}

function readBolt(data: unknown): BoltReport {
  const { lockState = null, accessor = null } = membersOf(data);
  const bolt = decodeBolt(lockState);
  return {
    type: 'bolt',
    bolt: lockState === null ? null : isBoltPosition(bolt) ? bolt : 'unknown',
    accessor: accessor === null ? null : decodeAccessor(accessor),
  };
}

function readConnectivity(data: unknown): ServiceReport {
  return { type: 'connectivity', connected: decodeConnected(membersOf(data)['connected']) };
}

function readBattery(data: unknown): ServiceReport {
  const { batteryState, percentageBatteryLevel } = membersOf(data);
  return { type: 'battery', battery: decodeBattery(batteryState, percentOf(percentageBatteryLevel)) };
}

/** The code itself is not read: it may be a number or a text. */
function readCode(type: CodeReport['type'], data: unknown): CodeReport {
  const { accessCodeId, name } = membersOf(data);
  return codeReport(type, accessCodeId, name);
}

function codeReport(type: CodeReport['type'], codeId: unknown, name: unknown): CodeReport {
  return { type, codeId: idOf(codeId), codeName: textOf(name) || null };
}

/** Sent at the end of a command only (wire contract 11): one that is still pending means nothing. */
function readCommand(data: unknown): ServiceReport | null {
  const reading = decodeCommand(data, null);
  return reading === null || reading.state === 'pending' ? null : { type: 'command-ended', reading };
}

/** Unknown words for a position, as a listing names them, too. */
function strangeWordsOf(report: ServiceReport, data: unknown): readonly string[] {
  if (report.type !== 'bolt' || report.bolt !== 'unknown') {
    return [];
  }
  const { lockState } = membersOf(data);
  return lockState === 'Unknown' ? [] : [strange('lockState', lockState)];
}

function strange(member: string, word: unknown): string {
  return withoutCodes(`${member} ${JSON.stringify(word)}`);
}

/** Smaller counts of milliseconds lie before March 1973: no lock reported anything then. */
const FIRST_CREDIBLE_MS = 100_000_000_000;

/** Counts of seconds, from September 2020 to November 2033: other smaller numbers are no time of an event (our choice). */
const CREDIBLE_SECONDS = { first: 1_600_000_000, last: 2_000_000_000 } as const;

const MS_PER_SECOND = 1_000;

/** ISO 8601 with an offset, or epoch milliseconds as number or digits (wire contract 0). Seconds are understood, too. */
function readInstant(time: unknown): Instant | null {
  const epoch = typeof time === 'string' && /^\d{10,15}$/.test(time) ? Number(time) : time;
  const at = typeof epoch === 'number' ? Math.round(inMilliseconds(epoch)) : instantOf(epoch);
  return at !== null && Number.isSafeInteger(at) && at >= FIRST_CREDIBLE_MS ? at : null;
}

function inMilliseconds(epoch: number): number {
  return epoch >= CREDIBLE_SECONDS.first && epoch <= CREDIBLE_SECONDS.last ? epoch * MS_PER_SECOND : epoch;
}

/** `20240129T10:05` and `-05:00`: the local time of the earlier envelope. */
function readLocalTime(time: string, offset: string): Instant | null {
  const [, year, month, day, clock] = /^(\d{4})(\d\d)(\d\d)T(\d\d:\d\d)$/.exec(time) ?? [];
  return clock === undefined
    ? null
    : instantOf(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${clock}:00${offset}`);
}
