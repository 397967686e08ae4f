// Credentials, no-tour payloads and logins in the members of the credentialing interface (wire contract 8), in every known reading.
import { z } from 'zod';
import { idOf, integerOf, textOf } from '../../../wire/lenient.ts';
import {
  type Credential,
  type CredentialDraft,
  credentialId,
  type NoTourPayload,
} from '../policy/credential.ts';

/** Lifetime of a token where its answer names none (wire contract 8), in seconds. */
const DEFAULT_LIFETIME_S = 3_600;

const MS_PER_SECOND = 1_000;

export function encodeLogin(login: { readonly username: string; readonly password: string }): object {
  return { username: login.username, password: login.password };
}

/** The lenient readings as parts of a schema: a text, a whole number, and an id that fails the whole object where there is none. */
const lenientText = z.unknown().optional().transform(textOf);
const lenientInteger = z.unknown().optional().transform(integerOf);
const opaqueId = z.unknown().transform(idOf).pipe(z.string());

/** The body of Create Credential or Create Raw Credential. */
export function encodeDraft(draft: CredentialDraft): object {
  const { userId, mobileNumber } = draft;
  if (draft.kind === 'raw') {
    return { userId, mobileNumber, rawCredential: draft.rawCredential, bitLength: draft.bitLength };
  }
  const { cardFormat, facilityCode, issueCode, cardNumber, attributes } = draft;
  return {
    userId,
    mobileNumber,
    cardFormat,
    facilityCode,
    issueCode,
    ...(cardNumber === null ? {} : { cardNumber }),
    attributes,
  };
}

export function encodePayloads(payloads: readonly NoTourPayload[]): object {
  return { payloads: payloads.map(({ deviceSerialNumber, payload }) => ({ deviceSerialNumber, payload })) };
}

const tokenSchema = z.object({
  token: z.string().min(1).optional().catch(undefined),
  accessToken: z.string().min(1).optional().catch(undefined),
  expiresIn: lenientInteger,
});

/** The token and its lifetime; null when the answer has none. */
export function decodeToken(body: unknown): { readonly token: string; readonly lifetimeMs: number } | null {
  const parsed = tokenSchema.safeParse(body);
  const token = parsed.data?.token ?? parsed.data?.accessToken;
  const lifetimeS = parsed.data?.expiresIn ?? null;
  return token === undefined
    ? null
    : {
        token,
        lifetimeMs: (lifetimeS === null || lifetimeS <= 0 ? DEFAULT_LIFETIME_S : lifetimeS) * MS_PER_SECOND,
      };
}

/** A text, or null for an empty one or anything else. */
const textOrNull = lenientText.transform((text) => (text === '' ? null : text));

const attributesSchema = z
  .record(
    z.string(),
    z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).nullable(),
  )
  .transform((entries) =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    ),
  )
  .catch({});

const recordSchema = z.object({
  credentialId: opaqueId,
  userId: z.string().min(1),
  mobileNumber: lenientText,
  payloadType: lenientText,
  cardFormat: textOrNull,
  cardNumber: lenientInteger,
  facilityCode: lenientInteger,
  issueCode: lenientInteger,
  isDownloaded: z.boolean().nullable().catch(null),
  attributes: attributesSchema,
  // Some services repeat the bits of a raw credential.
  rawCredential: textOrNull,
  bitLength: lenientInteger,
});

/** A credential, or null when it lacks one of its two ids: it is useless without both. */
export function decodeCredential(body: unknown): Credential | null {
  const { data } = recordSchema.safeParse(body);
  if (data === undefined) {
    return null;
  }
  const { credentialId: id, payloadType, ...rest } = data;
  const isRaw = /raw/i.test(payloadType) || (data.cardFormat === null && data.rawCredential !== null);
  return { ...rest, id: credentialId(id), kind: isRaw ? 'raw' : 'card' };
}

/**
 * Every credential of a list once, and the number of items that cannot be read: one with the id of another is among them. Null when
 * it is no list.
 */
export function decodeCredentials(
  body: unknown,
): { readonly credentials: readonly Credential[]; readonly unreadable: number } | null {
  const items = listOf(body, 'credentials');
  if (items === null) {
    return null;
  }
  const credentials = new Map<string, Credential>();
  let unreadable = 0;
  for (const item of items) {
    const credential = decodeCredential(item);
    const twin = credential === null ? undefined : credentials.get(credential.id);
    if (credential === null || (twin !== undefined && JSON.stringify(twin) !== JSON.stringify(credential))) {
      unreadable += 1;
    } else {
      credentials.set(credential.id, credential);
    }
  }
  return { credentials: [...credentials.values()], unreadable };
}

const createdSchema = z.object({ credentialId: opaqueId, cardNumber: lenientInteger });

/** The answer to a create; null when it names no credential. */
export function decodeCreated(
  body: unknown,
): { readonly id: Credential['id']; readonly cardNumber: number | null } | null {
  const { data } = createdSchema.safeParse(body);
  return data === undefined ? null : { id: credentialId(data.credentialId), cardNumber: data.cardNumber };
}

const payloadSchema = z.object({ deviceSerialNumber: z.string().min(1), payload: z.string() });

/** The payloads that a credential has after a save; null when the answer does not list them. */
export function decodePayloads(body: unknown): readonly NoTourPayload[] | null {
  const items = listOf(body, 'payloads');
  const payloads = items
    ?.map((item) => payloadSchema.safeParse(item).data)
    .filter((item) => item !== undefined);
  return payloads ?? null;
}

/** A bare array, or one under its name. */
function listOf(body: unknown, name: string): readonly unknown[] | null {
  const list: unknown =
    Array.isArray(body) || typeof body !== 'object' || body === null ? body : Reflect.get(body, name);
  return Array.isArray(list) ? list : null;
}

const MEMBERS = [
  'userId',
  'mobileNumber',
  'cardFormat',
  'cardNumber',
  'facilityCode',
  'issueCode',
  'attributes',
  'rawCredential',
  'bitLength',
  'deviceSerialNumber',
  'payload',
] as const;

/** The member that a refusal names first; null when it names none. The sentence itself may repeat its input. */
export function namedMember(sentence: string): string | null {
  const words = sentence.toLowerCase().replaceAll(/[\s_-]/g, '');
  const named = MEMBERS.map((member) => ({ member, at: words.indexOf(member.toLowerCase()) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at);
  return named[0]?.member ?? null;
}
