// Checks of credentialing request bodies (wire contract 8); every message names the faulty member.
import { z } from 'zod';
import type { CredentialingSettings } from './credentialing-settings.ts';
import { CredentialingRefusal } from './refusal.ts';

/** Card formats the service can encode (wire contract 8). */
const CARD_FORMATS = ['26A', '34S', '35X', '37H', '37X', '48X'] as const;

/** The only issue code the 48X format takes; every other format takes 0 (wire contract 11). */
const ISSUE_CODE_OF_48X = 20;

/** Highest issue code of a restricted format (wire contract 8). */
const HIGHEST_RESTRICTED_ISSUE_CODE = 63;

const HEX_DIGIT_BITS = 4;

const person = {
  userId: z.uuidv4({ error: 'userId must be a UUIDv4 that is not all zero' }),
  mobileNumber: z
    .string({ error: 'mobileNumber must be text' })
    .min(1, { error: 'mobileNumber must not be empty' }),
};

const wholeNumber = (name: string, least: number): z.ZodInt =>
  z
    .int({ error: `${name} must be a whole number` })
    .min(least, { error: `${name} must be at least ${String(least)}` });

const cardCredential = z.object({
  ...person,
  cardFormat: z.enum(CARD_FORMATS, { error: `cardFormat must be one of ${CARD_FORMATS.join(', ')}` }),
  facilityCode: wholeNumber('facilityCode', 0),
  issueCode: wholeNumber('issueCode', 0),
  cardNumber: wholeNumber('cardNumber', 1).optional(),
  attributes: z
    .record(z.string(), z.string({ error: 'attributes must be text' }), {
      error: 'attributes must be an object of texts',
    })
    .default({}),
});

const rawCredential = z
  .object({
    ...person,
    rawCredential: z
      .string({ error: 'rawCredential must be text' })
      .regex(/^[0-9a-f]+$/i, { error: 'rawCredential must be hexadecimal' }),
    bitLength: wholeNumber('bitLength', 1),
  })
  .refine((raw) => raw.bitLength <= raw.rawCredential.length * HEX_DIGIT_BITS, {
    error: 'bitLength must not exceed the bits of rawCredential',
    path: ['bitLength'],
  });

const noTourPayloads = z.object({
  payloads: z
    .array(
      z.object({
        deviceSerialNumber: z
          .string({ error: 'deviceSerialNumber must be text' })
          .min(1, { error: 'deviceSerialNumber must not be empty' }),
        payload: z.base64({ error: 'payload must be base64' }).min(1, { error: 'payload must not be empty' }),
      }),
      { error: 'payloads must be an array' },
    )
    .min(1, { error: 'payloads must not be empty' }),
});

const login = z.object({
  username: z.string({ error: 'username must be text' }),
  password: z.string({ error: 'password must be text' }),
});

export type CardCredentialRequest = z.infer<typeof cardCredential>;
export type RawCredentialRequest = z.infer<typeof rawCredential>;
/** A no-tour payload: the bytes that let a phone open this lock without the lock having been visited. */
export type NoTourPayload = z.infer<typeof noTourPayloads>['payloads'][number];

function parse<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const sentence = issue === undefined || issue.path.length === 0 ? 'The body is not valid' : issue.message;
  throw new CredentialingRefusal(400, `${sentence}.`);
}

function checkIssueCode(request: CardCredentialRequest, mayIssueRestricted: boolean): void {
  const { cardFormat, issueCode } = request;
  if (cardFormat === '48X') {
    if (issueCode !== ISSUE_CODE_OF_48X) {
      throw new CredentialingRefusal(400, `issueCode must be ${String(ISSUE_CODE_OF_48X)} for 48X.`);
    }
    return;
  }
  if (issueCode > HIGHEST_RESTRICTED_ISSUE_CODE) {
    throw new CredentialingRefusal(400, 'issueCode must be 0, or 1 to 63 for a restricted format.');
  }
  if (issueCode > 0 && !mayIssueRestricted) {
    throw new CredentialingRefusal(403, 'Restricted formats need a permission that this caller lacks.');
  }
}

/** E.164: a plus sign and at most 15 digits. */
function checkMobileNumber(
  request: { readonly mobileNumber: string },
  { mobileNumber }: CredentialingSettings,
): void {
  if (mobileNumber === 'international' && !/^\+[1-9]\d{6,14}$/.test(request.mobileNumber)) {
    throw new CredentialingRefusal(400, 'mobileNumber must be an international number.');
  }
}

/** Reads the body of Create Credential; throws a 400, or a 403 for a restricted format without the permission. */
export function readCardCredential(
  body: unknown,
  mayIssueRestricted: boolean,
  settings: CredentialingSettings,
): CardCredentialRequest {
  const request = parse(cardCredential, body);
  checkMobileNumber(request, settings);
  checkIssueCode(request, mayIssueRestricted);
  return request;
}

/** Reads the body of Create Raw Credential; throws a 400. */
export function readRawCredential(body: unknown, settings: CredentialingSettings): RawCredentialRequest {
  const request = parse(rawCredential, body);
  checkMobileNumber(request, settings);
  const digits = Math.ceil(request.bitLength / HEX_DIGIT_BITS);
  if (settings.bitLength === 'exact-digits' && request.rawCredential.length !== digits) {
    throw new CredentialingRefusal(400, 'bitLength must take all digits of rawCredential.');
  }
  return request;
}

/** Reads the body of Save No-Tour Payloads; throws a 400. */
export function readNoTourPayloads(body: unknown): readonly NoTourPayload[] {
  return parse(noTourPayloads, body).payloads;
}

/** Reads the body of Authentication Token; throws a 400. */
export function readLogin(body: unknown): { readonly username: string; readonly password: string } {
  return parse(login, body);
}
