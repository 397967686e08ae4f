// Validates a credential before it is sent, and compares one at the service with its draft.
import { type Message, message } from '../../../domain/language/message.ts';
import {
  CARD_FORMATS,
  type CardDraft,
  type Credential,
  type CredentialDraft,
  type NoTourPayload,
  type RawDraft,
} from './credential.ts';

/** One field that must not be sent, and why. Never repeats the value: numbers and bits belong to a person. */
export interface FieldFault {
  readonly field: string;
  /** Follows the field's name: "is empty". */
  readonly problem: Message;
}

/** Any text of a request is shorter than this, in characters (our choice). */
const MAX_TEXT = 256;

/** Most attributes of one credential (our choice). */
const MAX_ATTRIBUTES = 32;

/** The issue code of 48X, and the highest of a restricted format (wire contract 8 and 11). */
const ISSUE_CODE_48X = 20;
const MAX_RESTRICTED_ISSUE_CODE = 63;

/** Bits that carry a number in each format, by the usual layouts: a number beyond them cannot be encoded anywhere. */
const MAX_NUMBER = 2 ** 48 - 1;

/** The numbers of a format whose layout everyone shares: 26 bits are one parity bit, 8 of the facility, 16 of the card, one parity bit. */
const MOST_BY_FORMAT: ReadonlyMap<string, { readonly facilityCode: number; readonly cardNumber: number }> =
  new Map([['26A', { facilityCode: 255, cardNumber: 65_535 }]]);

const HEX_DIGIT_BITS = 4;

/** Longest raw credential, in hexadecimal digits (our choice: far above any card). */
const MAX_HEX_DIGITS = 256;

/** Largest no-tour payload in base64, in characters (our choice). */
const MAX_PAYLOAD = 65_536;

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const CONTROL = /\p{Cc}/u;

/** Everything that keeps a draft from being sent; empty when nothing does. */
export function draftFaults(draft: CredentialDraft): readonly FieldFault[] {
  const { userId, mobileNumber } = draft;
  return [
    ...faults({ userId: userIdProblem(userId), mobileNumber: textProblem(mobileNumber) }),
    ...(draft.kind === 'card' ? cardFaults(draft) : rawFaults(draft)),
  ];
}

/** Values that some services refuse and others accept: each is a warning, not an error. */
export function draftWarnings(draft: CredentialDraft): readonly FieldFault[] {
  const looksLikeNumber = /^\+[1-9][\d ()./-]{5,24}$/.test(draft.mobileNumber);
  const padded =
    draft.kind === 'raw' && draft.rawCredential.length * HEX_DIGIT_BITS - draft.bitLength >= HEX_DIGIT_BITS;
  return faults({
    mobileNumber: looksLikeNumber
      ? null
      : message('does not look like an international phone number such as {example}', {
          example: '+15550100123',
        }),
    bitLength: padded
      ? message('is shorter than {other}; some services refuse the difference', { other: 'rawCredential' })
      : null,
  });
}

/** Why this cannot be a user's id; null when it can. */
export function userIdProblem(userId: string): Message | null {
  return UUID_V4.test(userId)
    ? null
    : message('must be a UUID of version 4, such as {example}', {
        example: '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11',
      });
}

/** Why this cannot stand in a path as an id; null when it can. A trailing slash is not an id. */
export function idProblem(id: string): Message | null {
  if (id.trim() === '') {
    return message('is empty; name one');
  }
  return id === '.' || id === '..' || /[/\\?#]/.test(id) ? message('is not an id') : textProblem(id);
}

/** Everything that keeps payloads from being saved; empty when nothing does. */
export function payloadFaults(payloads: readonly NoTourPayload[]): readonly FieldFault[] {
  if (payloads.length === 0) {
    return [{ field: 'payloads', problem: message('is empty; give at least one payload') }];
  }
  const serials = payloads.map(({ deviceSerialNumber }) => deviceSerialNumber);
  return payloads.flatMap(({ deviceSerialNumber, payload }, index) => {
    const isTwice = serials.indexOf(deviceSerialNumber) < index;
    const serial = `payloads[${index}].deviceSerialNumber`;
    return [
      ...faults({ [serial]: idProblem(deviceSerialNumber) }),
      ...faults({ [serial]: isTwice ? message('is there twice; keep one payload for each lock') : null }),
      ...faults({ [`payloads[${index}].payload`]: payloadProblem(payload) }),
    ];
  });
}

/** Whether a credential at the service matches a draft, in the fields that the draft fixes and the service shows. */
export function matchesDraft(credential: Credential, draft: CredentialDraft): boolean {
  const sameHolder =
    credential.userId.toLowerCase() === draft.userId.toLowerCase() &&
    digitsOf(credential.mobileNumber) === digitsOf(draft.mobileNumber);
  return (
    sameHolder &&
    credential.kind === draft.kind &&
    (draft.kind === 'card' ? matchesCard(credential, draft) : matchesRaw(credential, draft))
  );
}

function matchesCard(credential: Credential, draft: CardDraft): boolean {
  const sameNumber = draft.cardNumber === null || credential.cardNumber === draft.cardNumber;
  return (
    sameNumber &&
    credential.cardFormat === draft.cardFormat &&
    credential.facilityCode === draft.facilityCode &&
    credential.issueCode === draft.issueCode &&
    sameEntries(credential.attributes, draft.attributes)
  );
}

function matchesRaw({ rawCredential, bitLength }: Credential, draft: RawDraft): boolean {
  const sameBits =
    rawCredential === null || rawCredential.toLowerCase() === draft.rawCredential.toLowerCase();
  return sameBits && (bitLength === null || bitLength === draft.bitLength);
}

function sameEntries(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Services may store a number without its spaces; a text without digits is compared as it is. */
function digitsOf(mobileNumber: string): string {
  return /\d/.test(mobileNumber) ? mobileNumber.replaceAll(/[\s()./-]/g, '') : mobileNumber;
}

function cardFaults(draft: CardDraft): readonly FieldFault[] {
  const attributes = Object.entries(draft.attributes);
  const isKnown = CARD_FORMATS.some((format) => format === draft.cardFormat);
  const most = MOST_BY_FORMAT.get(draft.cardFormat);
  const problems = attributes.map(([name, value]): [string, Message | null] => [
    `attributes.${name}`,
    value === '' ? null : textProblem(value),
  ]);
  return faults({
    cardFormat: isKnown ? null : message('must be one of {values}', { values: CARD_FORMATS }),
    facilityCode: numberProblem(draft.facilityCode, 0, most?.facilityCode),
    issueCode: numberProblem(draft.issueCode, 0) ?? issueCodeProblem(draft),
    cardNumber: draft.cardNumber === null ? null : numberProblem(draft.cardNumber, 1, most?.cardNumber),
    attributes:
      attributes.length > MAX_ATTRIBUTES
        ? message('must have at most {most} entries', { most: MAX_ATTRIBUTES })
        : null,
    ...Object.fromEntries(problems),
  });
}

/** Codes 1 to 63 are for restricted formats: the service decides which accounts may use them (wire contract 8). */
function issueCodeProblem({ cardFormat, issueCode }: CardDraft): Message | null {
  if (cardFormat === '48X') {
    return issueCode === ISSUE_CODE_48X
      ? null
      : message('must be {code} for {format}', { code: ISSUE_CODE_48X, format: cardFormat });
  }
  return issueCode <= MAX_RESTRICTED_ISSUE_CODE
    ? null
    : message('must be 0, or 1 to {most} for a restricted format', { most: MAX_RESTRICTED_ISSUE_CODE });
}

function rawFaults({ rawCredential, bitLength }: RawDraft): readonly FieldFault[] {
  const isHex = /^[0-9a-f]+$/i.test(rawCredential) && rawCredential.length <= MAX_HEX_DIGITS;
  const bits = rawCredential.length * HEX_DIGIT_BITS;
  const isTooLong = isHex && bitLength > bits;
  return faults({
    rawCredential: isHex
      ? null
      : message('must be hexadecimal, 1 to {most} digits', { most: MAX_HEX_DIGITS }),
    bitLength:
      numberProblem(bitLength, 1) ??
      (isTooLong
        ? message('is longer than {other}; it cannot exceed its bits', { other: 'rawCredential' })
        : null),
  });
}

function numberProblem(value: number, least: number, most = MAX_NUMBER): Message | null {
  if (Number.isSafeInteger(value) && value >= least && value <= most) {
    return null;
  }
  return most === MAX_NUMBER
    ? message('must be a whole number, {least} or more', { least })
    : message('must be a whole number, {least} to {most} in this format', { least, most: String(most) });
}

function textProblem(text: string): Message | null {
  if (text.trim() === '') {
    return message('is empty');
  }
  return text.length > MAX_TEXT || CONTROL.test(text)
    ? message('must be plain text of at most {most} characters', { most: MAX_TEXT })
    : null;
}

function payloadProblem(payload: string): Message | null {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(payload);
  return payload !== '' && payload.length <= MAX_PAYLOAD && isBase64
    ? null
    : message('must be base64, at most {most} characters', { most: MAX_PAYLOAD });
}

/** A fault for each field with a problem, in their order. */
function faults(problems: Readonly<Record<string, Message | null>>): readonly FieldFault[] {
  return Object.entries(problems).flatMap(([field, problem]) =>
    problem === null ? [] : [{ field, problem }],
  );
}
