// Signs the bytes of a webhook body by each scheme of wire contract 10.7, rightly or as a forger would.
import { constants, createHmac, type KeyObject, sign } from 'node:crypto';
import type { SigningKeyPair } from './signing-keys.ts';
import type { JwsAlgorithm, SignatureScheme } from './webhook-settings.ts';

/** Ways to sign wrongly. `changed-byte` alters the body after it was signed. */
export const FORGERIES = [
  'unsigned',
  'wrong-key',
  'changed-byte',
  'other-algorithm',
  'alg-none',
  'hmac-with-public-key',
] as const;
export type Forgery = (typeof FORGERIES)[number];

export interface SigningMethod {
  readonly scheme: SignatureScheme;
  readonly jwsAlgorithm: JwsAlgorithm;
}

/** Salt length of wire contract 7, bytes. */
const PSS_SALT_BYTES = 32;

/** The name `GET /events/publickey` gives the method. */
export function algorithmName({ scheme, jwsAlgorithm }: SigningMethod): string {
  switch (scheme) {
    case 'pss-sha256':
      return 'RSASSA_PSS_SHA_256';
    case 'pkcs1-sha256':
      return 'RSASSA_PKCS1_V1_5_SHA_256';
    case 'jws-detached':
      return jwsAlgorithm;
  }
}

/** The value of the signature header for these bytes. */
export function signBody(body: Buffer, method: SigningMethod, key: KeyObject): string {
  switch (method.scheme) {
    case 'pss-sha256':
      return signPss(body, key).toString('base64');
    case 'pkcs1-sha256':
      return signPkcs1(body, key).toString('base64');
    case 'jws-detached':
      return detachedJws(body, method.jwsAlgorithm, (input) =>
        method.jwsAlgorithm === 'PS256' ? signPss(input, key) : signPkcs1(input, key),
      );
  }
}

/** A body with a signature that must not be accepted; null stands for no signature at all. */
export function forge(
  body: Buffer,
  method: SigningMethod,
  keys: { readonly genuine: SigningKeyPair; readonly stranger: SigningKeyPair },
  forgery: Forgery,
): { readonly body: Buffer; readonly signature: string | null } {
  const { genuine, stranger } = keys;
  switch (forgery) {
    case 'unsigned':
      return { body, signature: null };
    case 'wrong-key':
      return { body, signature: signBody(body, method, stranger.privateKey) };
    case 'changed-byte':
      return { body: withChangedByte(body), signature: signBody(body, method, genuine.privateKey) };
    case 'other-algorithm':
      return { body, signature: signBody(body, otherMethod(method), genuine.privateKey) };
    case 'alg-none':
      return { body, signature: detachedJws(body, 'none', () => Buffer.alloc(0)) };
    case 'hmac-with-public-key':
      return {
        body,
        signature: detachedJws(body, 'HS256', (input) => hmac(input, genuine.publicKey)),
      };
  }
}

function signPss(input: Buffer, key: KeyObject): Buffer {
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return sign('sha256', input, { key, padding, saltLength: PSS_SALT_BYTES });
}

function signPkcs1(input: Buffer, key: KeyObject): Buffer {
  return sign('sha256', input, { key, padding: constants.RSA_PKCS1_PADDING });
}

/** The classic confusion: a verifier that lets the message choose would use the public key as an HMAC secret. */
function hmac(input: Buffer, publicKey: KeyObject): Buffer {
  const secret = publicKey.export({ type: 'spki', format: 'pem' });
  return createHmac('sha256', secret).update(input).digest();
}

/** RFC 7515, appendix F: the payload between the dots is left out. */
function detachedJws(body: Buffer, alg: string, signInput: (input: Buffer) => Buffer): string {
  const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
  const signature = signInput(Buffer.from(`${header}.${body.toString('base64url')}`));
  return `${header}..${signature.toString('base64url')}`;
}

function otherMethod(method: SigningMethod): SigningMethod {
  switch (method.scheme) {
    case 'pss-sha256':
      return { ...method, scheme: 'pkcs1-sha256' };
    case 'pkcs1-sha256':
      return { ...method, scheme: 'pss-sha256' };
    case 'jws-detached':
      return { ...method, jwsAlgorithm: method.jwsAlgorithm === 'PS256' ? 'RS256' : 'PS256' };
  }
}

/** Swaps a letter for another inside the JSON, so that the body still parses and only the signature tells. */
function withChangedByte(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const at = changed.indexOf('"eventType":"') + '"eventType":"'.length;
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}
