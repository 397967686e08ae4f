// A delivery that passes a relay: the raw bytes, encrypted for the home, beside the headers that judge them.
import { CompactEncrypt, type CryptoKey, compactDecrypt, importJWK } from 'jose';
import { FinalError } from '../support/errors.ts';
import { SELF_TEST_HEADER } from './self-test.ts';

/** One message of the broker. */
export interface RelayedMessage {
  readonly payload: Uint8Array;
  readonly properties: Readonly<Record<string, string>>;
}

/** A delivery as the relay received it; names of headers in lower case. */
export interface Delivery {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fixed here and never taken from a message (RFC 8725, section 3.1). */
const KEY_AGREEMENT = 'ECDH-ES';
const CONTENT_ENCRYPTION = 'A256GCM';

/** Tells how the payload is written; all other properties are headers. */
const FORM = 'latchkey-form';
const FORMS = { jwe: 'jwe-1', plain: 'raw-1' } as const;

/** Headers that travel beside the signature. */
export const TRAVELLING_HEADERS: readonly string[] = ['content-type', 'content-encoding', SELF_TEST_HEADER];

/** Longer headers are dropped: no signature of any scheme is that long (our choice). */
const LONGEST_HEADER = 4_096;

export type HomePublicKey = CryptoKey;
export type HomePrivateKey = CryptoKey;

/** `x`: the public key of X25519 as base64url. */
export async function publicKeyOf(x: string): Promise<HomePublicKey> {
  return asymmetric(await importJWK({ kty: 'OKP', crv: 'X25519', x }, KEY_AGREEMENT));
}

export async function privateKeyOf({ x, d }: { x: string; d: string }): Promise<HomePrivateKey> {
  return asymmetric(await importJWK({ kty: 'OKP', crv: 'X25519', x, d }, KEY_AGREEMENT));
}

/** `key`: null sends the bytes as they are. */
export async function sealDelivery(
  { bytes, headers }: Delivery,
  key: HomePublicKey | null,
): Promise<RelayedMessage> {
  if (key === null) {
    return { payload: bytes, properties: { ...headers, [FORM]: FORMS.plain } };
  }
  const protectedHeader = { alg: KEY_AGREEMENT, enc: CONTENT_ENCRYPTION };
  const jwe = await new CompactEncrypt(bytes).setProtectedHeader(protectedHeader).encrypt(key);
  return { payload: Buffer.from(jwe), properties: { ...headers, [FORM]: FORMS.jwe } };
}

/** The delivery; null when the message is malformed, or encrypted for another key, and so will always be. */
export async function openDelivery(
  { payload, properties }: RelayedMessage,
  key: HomePrivateKey,
): Promise<Delivery | null> {
  const { [FORM]: form, ...rest } = properties;
  const headers = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value.length <= LONGEST_HEADER),
  );
  if (form === FORMS.plain) {
    return { bytes: Buffer.from(payload), headers };
  }
  if (form !== FORMS.jwe) {
    return null;
  }
  try {
    const { plaintext } = await compactDecrypt(Buffer.from(payload).toString('latin1'), key, {
      keyManagementAlgorithms: [KEY_AGREEMENT],
      contentEncryptionAlgorithms: [CONTENT_ENCRYPTION],
    });
    return { bytes: Buffer.from(plaintext), headers };
  } catch {
    return null;
  }
}

function asymmetric(key: CryptoKey | Uint8Array): CryptoKey {
  if (key instanceof Uint8Array) {
    throw new FinalError('bad-configuration', 'The key of a home is no key of X25519.');
  }
  return key;
}
