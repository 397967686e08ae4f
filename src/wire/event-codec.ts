// A webhook's body as an event of the house: both versions, the earlier envelope, and words that are not known yet.
import { z } from 'zod';
import type { Instant } from '../domain/bolt.ts';
import { isRest } from '../domain/bolt.ts';
import { lockId } from '../domain/lock.ts';
import type { BoltNews, CodeNews, ServiceEvent, ServiceNews } from '../domain/service-event.ts';
import { accessorSchema } from './accessor-codec.ts';
import { decodeCommand } from './command-codec.ts';
import { decodeBattery, decodeBolt, decodeConnected } from './device-codec.ts';
import { lenientInstant, lenientInteger, lenientText, opaqueId } from './lenient-schema.ts';

/** What a body said. */
export interface DecodedEvent {
  readonly event: ServiceEvent;
  /** Words that we do not know, with their member's name: for one line in the log. Foreign text. */
  readonly strangeWords: readonly string[];
}

const opaqueOrNull = opaqueId.nullable().catch(null);

/** The current envelope, versions 1.0 and 2.0 (specification, Envelope). */
const envelopeSchema = z.object({
  eventId: opaqueOrNull,
  eventType: lenientText,
  trigger: lenientText,
  time: z.unknown().optional(),
  deviceId: opaqueOrNull,
  data: z.unknown().optional(),
});

/** No trigger's name comes near it (our choice): an unknown one is kept, and need not be kept whole. */
const LONGEST_WORD = 100;

/** The earlier envelope is known by its type (specification, Earlier access-code management envelope). */
const EARLIER_TYPE = 'AccessCodeManagement';

const earlierSchema = z.object({
  id: opaqueOrNull,
  eventTime: z.unknown().optional(),
  data: z
    .object({
      deviceId: opaqueOrNull,
      eventType: lenientText,
      accessCode: z.object({ id: opaqueOrNull, name: lenientText }).catch({ id: null, name: '' }),
      timezoneOffset: lenientText,
      time: lenientText,
    })
    .catch({
      deviceId: null,
      eventType: '',
      accessCode: { id: null, name: '' },
      timezoneOffset: '',
      time: '',
    }),
});

/** Event words of the earlier envelope. Only the first is published; the others follow its form. */
const EARLIER_CODE_NEWS: ReadonlyMap<string, CodeNews['type']> = new Map([
  ['AccessCodeCreate', 'code-added'],
  ['AccessCodeUpdate', 'code-updated'],
  ['AccessCodeDelete', 'code-deleted'],
]);

/**
 * How the data of each trigger is read (wire contract 7; beyond the specification's own five they are extensions). Null
 * when the data lacks what would give the event a meaning. An event type that names what happened does for a trigger
 * that is missing.
 */
const READERS: ReadonlyMap<string, (data: unknown) => ServiceNews | null> = new Map([
  ['DeviceLockStateChanged', readBolt],
  ['DeviceConnectivityStateChanged', readConnectivity],
  ['DeviceIncorrectAccessCodeEntered', (): ServiceNews => ({ type: 'wrong-code' })],
  ['AccessCodeAdded', (data): ServiceNews => readCode('code-added', data)],
  ['AccessCodeUpdated', (data): ServiceNews => readCode('code-updated', data)],
  ['AccessCodeUpdate', (data): ServiceNews => readCode('code-updated', data)],
  ['AccessCodeDeleted', (data): ServiceNews => readCode('code-deleted', data)],
  ['CommandStateChanged', readCommand],
  ['DeviceBatteryStateChanged', readBattery],
  ['DeviceAlarmTriggered', (): ServiceNews => ({ type: 'alarm' })],
  ['DeviceKeypadLockedOut', (): ServiceNews => ({ type: 'keypad-locked-out' })],
  ['UserSignedOutEverywhere', (data): ServiceNews => ({ type: 'signed-out', ...userData.parse(data) })],
]);

/**
 * Reads a parsed body, which may stand alone or in an array of one. Null when it is no object at all. `nameless` gives
 * the id of an event that has none; it must be the same when the same body comes again.
 */
export function decodeEvent(body: unknown, nameless: () => string): DecodedEvent | null {
  const alone: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const read = envelopeSchema.safeParse(alone);
  if (!read.success || Array.isArray(alone)) {
    return null;
  }
  const { eventId, eventType, trigger, time, deviceId, data } = read.data;
  if (trigger === '' && eventType === EARLIER_TYPE) {
    return decodeEarlier(alone, nameless);
  }
  const word = (trigger === '' ? eventType : trigger).slice(0, LONGEST_WORD);
  const news = READERS.get(word)?.(data) ?? { type: 'unrecognised', trigger: word };
  return {
    event: {
      ...news,
      eventId: eventId ?? nameless(),
      at: readInstant(time),
      lockId: deviceId === null ? null : lockId(deviceId),
    },
    strangeWords: READERS.has(word) ? strangeWordsOf(news, data) : [`trigger ${JSON.stringify(word)}`],
  };
}

function decodeEarlier(body: unknown, nameless: () => string): DecodedEvent {
  const { id, eventTime, data } = earlierSchema.parse(body);
  const type = EARLIER_CODE_NEWS.get(data.eventType);
  const news: ServiceNews =
    type === undefined
      ? { type: 'unrecognised', trigger: data.eventType.slice(0, LONGEST_WORD) }
      : { type, codeId: data.accessCode.id, codeName: nameOrNull(data.accessCode.name) };
  return {
    event: {
      ...news,
      eventId: id ?? nameless(),
      at: readInstant(eventTime) ?? readLocalTime(data.time, data.timezoneOffset),
      lockId: data.deviceId === null ? null : lockId(data.deviceId),
    },
    strangeWords: type === undefined ? [`eventType ${JSON.stringify(data.eventType)}`] : [],
  };
}

const boltData = z.object({ lockState: z.unknown().optional(), accessor: z.unknown().optional() }).catch({});

function readBolt(data: unknown): BoltNews {
  const { lockState = null, accessor = null } = boltData.parse(data);
  const bolt = decodeBolt(lockState);
  return {
    type: 'bolt',
    bolt: lockState === null ? null : isRest(bolt) ? bolt : 'unknown',
    accessor: accessor === null ? null : accessorSchema.parse(accessor),
  };
}

const connectivityData = z.object({ connected: z.unknown().optional() }).catch({});

function readConnectivity(data: unknown): ServiceNews {
  return { type: 'connectivity', connected: decodeConnected(connectivityData.parse(data).connected) };
}

const batteryData = z
  .object({ batteryState: z.unknown().optional(), percentageBatteryLevel: lenientInteger })
  .catch({ percentageBatteryLevel: null });

function readBattery(data: unknown): ServiceNews {
  const { batteryState, percentageBatteryLevel } = batteryData.parse(data);
  return { type: 'battery', battery: decodeBattery(batteryState, percentageBatteryLevel) };
}

/** The code itself is not even looked at, so it does not matter that it may be a number. */
const codeData = z
  .object({ accessCodeId: opaqueOrNull, name: lenientText })
  .catch({ accessCodeId: null, name: '' });

function readCode(type: CodeNews['type'], data: unknown): CodeNews {
  const { accessCodeId, name } = codeData.parse(data);
  return { type, codeId: accessCodeId, codeName: nameOrNull(name) };
}

/** Whose sign-out it is: the service tells it of everybody who ever registered this address. */
const userData = z.object({ userId: opaqueOrNull }).catch({ userId: null });

/** Sent at the end of a command only (wire contract 11): one that is still pending tells nothing. */
function readCommand(data: unknown): ServiceNews | null {
  const reading = decodeCommand(data, null);
  return reading === null || reading.state === 'pending' ? null : { type: 'command-ended', reading };
}

/** Words for a position that would be warned of in a listing, too. */
function strangeWordsOf(news: ServiceNews, data: unknown): readonly string[] {
  if (news.type !== 'bolt' || news.bolt !== 'unknown') {
    return [];
  }
  const { lockState } = boltData.parse(data);
  return lockState === 'Unknown' ? [] : [`lockState ${JSON.stringify(lockState)}`];
}

function nameOrNull(name: string): string | null {
  return name === '' ? null : name;
}

/** Smaller counts of milliseconds lie before March 1973: no lock told anything then. */
const FIRST_CREDIBLE_MS = 100_000_000_000;

/** ISO 8601 with an offset, or epoch milliseconds as number or digits (wire contract 0). */
function readInstant(time: unknown): Instant | null {
  const epochMs = typeof time === 'string' && /^\d{12,15}$/.test(time) ? Number(time) : time;
  const at = typeof epochMs === 'number' ? Math.round(epochMs) : lenientInstant.parse(epochMs);
  return at !== null && Number.isSafeInteger(at) && at >= FIRST_CREDIBLE_MS ? at : null;
}

/** `20240129T10:05` and `-05:00`: the local time of the earlier envelope. */
function readLocalTime(time: string, offset: string): Instant | null {
  const [, year, month, day, clock] = /^(\d{4})(\d\d)(\d\d)T(\d\d:\d\d)$/.exec(time) ?? [];
  return clock === undefined
    ? null
    : lenientInstant.parse(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${clock}:00${offset}`);
}
