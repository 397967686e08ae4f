// Verifies that bytes were signed by the service. The scheme is that of our configuration, never the message's own.
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { isObject } from '../support/text/foreign-json.ts';
import { t } from '../words/translate.ts';
import type { ReadyKey } from './detached-jws.ts';

/**
 * The schemes with a signature over the body alone, in base64: RSASSA-PSS and RSASSA-PKCS1-v1_5. The salt may have any
 * length: the service documents 32, and a signature with another one is no weaker.
 */
const SCHEMES = {
  'pss-sha256': {
    hash: 'sha256',
    padding: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
  },
  'pkcs1-sha256': { hash: 'sha256', padding: { padding: constants.RSA_PKCS1_PADDING } },
} as const;

/** How the service signs (wire contract 10.7), fixed by our configuration. `jws-detached`: RFC 7515, appendix F. */
export type SignatureMethod =
  | { readonly scheme: keyof typeof SCHEMES }
  | { readonly scheme: 'jws-detached'; readonly algorithm: 'PS256' | 'RS256' };

/** Shorter RSA keys can be broken (NIST SP 800-131A). */
const SHORTEST_MODULUS_BITS = 2_048;

/** Parsed keys kept at most: more are never valid at a time, so the rest are from rotations long past. */
const MOST_KEYS_READY = 1_024;

/** Keys that are tried where a signature does not name its own (our choice): each costs 0.03 ms for every forged delivery. */
const MOST_KEYS_TRIED = 64;

export class SignatureVerifier {
  readonly #method: SignatureMethod;
  readonly #log: Log;
  /** Parsed keys by the key's text; null for an unusable key. */
  readonly #ready = new Map<string, ReadyKey | null>();
  #isExcessNamed = false;

  constructor(method: SignatureMethod, log: Log) {
    this.#method = method;
    this.#log = log;
  }

  /** Whether any of the keys made this signature over exactly these bytes. */
  async verify(bytes: Buffer, signature: string, keys: readonly string[]): Promise<boolean> {
    for (const text of this.#tried(keys)) {
      const ready = this.#readyKey(text);
      if (ready !== null && (await this.#verifyWith(ready, bytes, signature))) {
        return true;
      }
    }
    return false;
  }

  /** A detached JWS names its key, so that the others cost nothing. */
  #tried(keys: readonly string[]): readonly string[] {
    if (this.#method.scheme === 'jws-detached' || keys.length <= MOST_KEYS_TRIED) {
      return keys;
    }
    if (!this.#isExcessNamed) {
      this.#isExcessNamed = true;
      this.#log.warn(
        t(
          'There are {count} keys for verifying webhooks, of which the first {most} are tried, because signatures do not name their key.',
          { count: keys.length, most: MOST_KEYS_TRIED },
        ),
      );
    }
    return keys.slice(0, MOST_KEYS_TRIED);
  }

  /** Whether the value has the form of a signature at all; otherwise it is forged under any key. */
  isWellFormed(signature: string): boolean {
    if (this.#method.scheme !== 'jws-detached') {
      return isCanonical(signature, 'base64');
    }
    const [header = '', payload, tag = '', ...rest] = signature.split('.');
    return (
      payload === '' && rest.length === 0 && isCanonical(header, 'base64url') && isCanonical(tag, 'base64url')
    );
  }

  async #verifyWith(ready: ReadyKey, bytes: Buffer, signature: string): Promise<boolean> {
    const method = this.#method;
    if (method.scheme !== 'jws-detached') {
      // In this thread: 0.03 ms, in the order of arrival, which the thread pool does not keep.
      return verify(SCHEMES[method.scheme].hash, bytes, ready.key, Buffer.from(signature, 'base64'));
    }
    // Loaded where it is needed: the package has 62 files, and most services sign without a JWS.
    const { verifyDetached } = await import('./detached-jws.ts');
    return verifyDetached(ready, method.algorithm, bytes, signature);
  }

  #readyKey(text: string): ReadyKey | null {
    let ready = this.#ready.get(text);
    if (ready === undefined) {
      ready = this.#makeReady(text);
      if (this.#ready.size >= MOST_KEYS_READY) {
        this.#ready.clear();
      }
      this.#ready.set(text, ready);
    }
    return ready;
  }

  #makeReady(text: string): ReadyKey | null {
    try {
      return readKey(text, this.#method);
    } catch (error) {
      this.#log.warn(t('A key for verifying webhooks cannot be used: {why}', { why: messageOf(error) }));
      return null;
    }
  }
}

/** True for the one spelling that an encoder gives: unused bits and foreign letters would let a change go unseen. */
function isCanonical(text: string, encoding: 'base64' | 'base64url'): boolean {
  return text !== '' && Buffer.from(text, encoding).toString(encoding) === text;
}

/** Keys that name PSS in themselves (RFC 4055) are no JWK, so a JWS is not verified by one. */
const PSS_TYPE = 'rsa-pss';

/** Throws when the text is no RSA public key, a weak one, or one for another scheme. */
function readKey(text: string, { scheme }: SignatureMethod): ReadyKey {
  const jwk: unknown = text.startsWith('{') ? JSON.parse(text) : null;
  const key = isObject(jwk) ? createPublicKey({ key: { ...jwk }, format: 'jwk' }) : createPublicKey(text);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  const isRsa =
    key.asymmetricKeyType === 'rsa' || (scheme === 'pss-sha256' && key.asymmetricKeyType === PSS_TYPE);
  if (!isRsa || bits < SHORTEST_MODULUS_BITS) {
    throw new Error(`it is no RSA key of at least ${String(SHORTEST_MODULUS_BITS)} bits`);
  }
  assertSound(key, jwk);
  if (scheme !== 'jws-detached') {
    // Stored on the key itself: an object around it costs 35 % more CPU time for each event taken in.
    Object.assign(key, SCHEMES[scheme].padding);
    // Throws here, and not for every delivery, where the key allows another hash only.
    verify(SCHEMES[scheme].hash, Buffer.alloc(0), key, Buffer.alloc(0));
  }
  return { key, id: textMember(jwk, 'kid'), algorithm: textMember(jwk, 'alg') };
}

/** Throws for a key with which anybody could sign, and for one of another purpose. */
function assertSound({ asymmetricKeyDetails }: KeyObject, jwk: unknown): void {
  const exponent = asymmetricKeyDetails?.publicExponent ?? 0n;
  if (exponent < 3n || exponent % 2n === 0n) {
    // With 1 every text is its own signature, and an even one belongs to no RSA key (RFC 8017, 3.1).
    throw new Error(`its exponent is ${String(exponent)}, with which anybody could sign`);
  }
  if (!isForVerifying(jwk)) {
    throw new Error('it is for another purpose than verifying signatures');
  }
}

/** A JWK may name its use, and its operations (RFC 7517, 4.2 and 4.3); a key that names neither is for any. */
function isForVerifying(jwk: unknown): boolean {
  const { use = null, key_ops: operations = null } = isObject(jwk) ? jwk : {};
  return (use === null || use === 'sig') && (!Array.isArray(operations) || operations.includes('verify'));
}

function textMember(value: unknown, name: string): string | null {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : null;
}
