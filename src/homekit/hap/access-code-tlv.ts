// The TLV forms of HAP's AccessCode service: requests to its control point, responses, and the supported configuration.
import type { HAP } from 'homebridge';

export type Tlv = Pick<HAP, 'encode' | 'decodeWithLists'>;

/** Values of the operation. "List" has no items. */
export const CODE_OPERATION = { LIST: 1, READ: 2, ADD: 3, UPDATE: 4, REMOVE: 5 } as const;
export type HomeCodeOperation = (typeof CODE_OPERATION)[keyof typeof CODE_OPERATION];

/** Statuses of one item, as independent open implementations of HAP name them. */
export const CODE_STATUS = {
  SUCCESS: 0,
  UNKNOWN: 1,
  TOO_MANY_CODES: 2,
  TOO_MANY_REQUESTS: 3,
  DUPLICATE: 4,
  TOO_SHORT: 5,
  TOO_LONG: 6,
  INVALID_CHARACTER: 7,
  INVALID_REQUEST: 8,
  NO_SUCH_CODE: 9,
} as const;
export type CodeStatus = (typeof CODE_STATUS)[keyof typeof CODE_STATUS];

/** One code of a request. Null: absent. */
export interface RequestedCode {
  readonly identifier: number | null;
  /** A secret. */
  readonly pin: string | null;
}

export interface ControlRequest {
  readonly operation: HomeCodeOperation;
  readonly items: readonly RequestedCode[];
}

/** One code of a response. Null: absent. The response to "list" has identifiers alone. */
export interface AnsweredCode extends RequestedCode {
  readonly status: CodeStatus | null;
}

/** Identifiers are one byte; 0 stands for none. */
export const HIGHEST_IDENTIFIER = 255;

/** The longest request, in characters of base64: a hundred codes take less (our choice). */
const LONGEST_REQUEST = 4_096;

const REQUEST = { OPERATION: 1, ITEM: 2 } as const;
const RESPONSE = { OPERATION: 1, ITEM: 3 } as const;
const ITEM = { IDENTIFIER: 1, PIN: 2, FLAGS: 3, STATUS: 4 } as const;
const CONFIGURATION = { CHARACTERS: 1, SHORTEST: 2, LONGEST: 3, MOST_CODES: 4 } as const;
const DIGITS = 1;

const OPERATIONS: ReadonlySet<number> = new Set(Object.values(CODE_OPERATION));

/** A request of a controller; null when it is malformed. */
export function decodeControlRequest(tlv: Tlv, base64: unknown): ControlRequest | null {
  if (typeof base64 !== 'string' || base64.length > LONGEST_REQUEST) {
    return null;
  }
  const members = decoded(tlv, Buffer.from(base64, 'base64'));
  const operation = numberIn(members?.[REQUEST.OPERATION]);
  if (members === null || operation === null || !isOperation(operation)) {
    return null;
  }
  const raw = members[REQUEST.ITEM];
  const buffers = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
  const items = buffers.map((buffer) => decodeItem(tlv, buffer));
  const isWhole = items.every((item) => item !== null);
  return isWhole && (operation === CODE_OPERATION.LIST) === (items.length === 0)
    ? { operation, items }
    : null;
}

/** The write-response, as base64. */
export function encodeControlResponse(
  tlv: Tlv,
  operation: HomeCodeOperation,
  items: readonly AnsweredCode[],
): string {
  // An empty list would be encoded as an item.
  const body = items.length === 0 ? [] : [RESPONSE.ITEM, items.map((item) => encodeItem(tlv, item))];
  return tlv.encode(RESPONSE.OPERATION, operation, ...body).toString('base64');
}

/** The lengths of a code and the number of codes that a lock takes, as base64. */
export function encodeConfiguration(
  tlv: Tlv,
  { shortest, longest, mostCodes }: Readonly<Record<'shortest' | 'longest' | 'mostCodes', number>>,
): string {
  const { CHARACTERS, SHORTEST, LONGEST, MOST_CODES } = CONFIGURATION;
  const lengths = [SHORTEST, shortest, LONGEST, longest] as const;
  return tlv.encode(CHARACTERS, DIGITS, ...lengths, MOST_CODES, mostCodes).toString('base64');
}

/** An add needs digits, an update both members, and everything else an identifier. */
export function isComplete(operation: HomeCodeOperation, { identifier, pin }: RequestedCode): boolean {
  const needsPin = operation === CODE_OPERATION.ADD || operation === CODE_OPERATION.UPDATE;
  return (pin !== null || !needsPin) && (identifier !== null || operation === CODE_OPERATION.ADD);
}

function isOperation(value: number): value is HomeCodeOperation {
  return OPERATIONS.has(value);
}

function decodeItem(tlv: Tlv, buffer: Buffer): RequestedCode | null {
  const members = decoded(tlv, buffer);
  if (members === null) {
    return null;
  }
  const identifier = numberIn(members[ITEM.IDENTIFIER]);
  const pin = members[ITEM.PIN];
  return {
    identifier: identifier === 0 ? null : identifier,
    pin: Buffer.isBuffer(pin) && pin.length > 0 ? pin.toString('latin1') : null,
  };
}

function encodeItem(tlv: Tlv, { identifier, pin, status }: AnsweredCode): Buffer {
  const isShown = status === CODE_STATUS.SUCCESS || status === CODE_STATUS.DUPLICATE;
  return Buffer.concat([
    identifier === null ? Buffer.alloc(0) : tlv.encode(ITEM.IDENTIFIER, identifier),
    pin === null ? Buffer.alloc(0) : tlv.encode(ITEM.PIN, pin),
    isShown ? tlv.encode(ITEM.FLAGS, 0) : Buffer.alloc(0),
    status === null ? Buffer.alloc(0) : tlv.encode(ITEM.STATUS, status),
  ]);
}

function decoded(tlv: Tlv, buffer: Buffer): Readonly<Record<number, Buffer | Buffer[]>> | null {
  try {
    return tlv.decodeWithLists(buffer);
  } catch {
    return null;
  }
}

/** A little-endian number of up to four bytes that fits an identifier; null for anything else. */
function numberIn(value: Buffer | Buffer[] | undefined): number | null {
  if (!Buffer.isBuffer(value) || value.length === 0 || value.length > 4) {
    return null;
  }
  const number = value.readUIntLE(0, value.length);
  return number <= HIGHEST_IDENTIFIER ? number : null;
}
