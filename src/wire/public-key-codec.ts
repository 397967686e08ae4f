// Public keys in every form in which they are handed out: PEM, JWK, JWKS, and the service's own answer (wire contract 6).
import { isObject, membersOf } from './lenient.ts';

const BASE64URL = /^[\w-]+$/;

/** PEM blocks that can hold a public key: an RSA or general public key, or a certificate. Never a private key. */
const PEM_BLOCK = /-----BEGIN ((?:RSA )?PUBLIC KEY|CERTIFICATE)-----([^-]+)-----END \1-----/g;

/** A line break, also as a text with escapes has it, and other blanks. */
const BLANKS = /\\[nr]|\s/g;

/** The lines of a PEM block (RFC 7468, section 2). */
const LINES = /.{1,64}/g;

/** Every RSA public key in a text, one text each: PEM, or the JSON of a JWK. Whether each is sound shows where it is used. */
export function publicKeyTexts(text: string): readonly string[] {
  return text.trimStart().startsWith('{') ? publicKeysOf(jsonOf(text)) : pemBlocks(text);
}

/** The same for a parsed answer. The `algorithm` of the service is not looked at, because the configuration decides that. */
export function publicKeysOf(value: unknown): readonly string[] {
  const { publicKey } = membersOf(value);
  if (typeof publicKey === 'string') {
    return pemBlocks(publicKey);
  }
  return jwksTexts(isObject(publicKey) ? publicKey : value);
}

/** The keys of a JWKS, or the one of a JWK. */
function jwksTexts(value: unknown): readonly string[] {
  const { keys } = membersOf(value);
  return (Array.isArray(keys) ? keys : [value]).flatMap((key) => jwkTexts(key));
}

/** With the members of an RSA public key (RFC 7518, 6.3.1), its id and its use: a private part is left out. */
function jwkTexts(value: unknown): readonly string[] {
  const { kty, n, e, kid, alg, use, key_ops: operations } = membersOf(value);
  const isRsa = kty === 'RSA' && isBase64Url(n) && isBase64Url(e);
  if (!isRsa || ![kid, alg, use].every(isName)) {
    return [];
  }
  const uses = Array.isArray(operations) && operations.every((one) => typeof one === 'string');
  const listed = operations === undefined || uses ? operations : null;
  return [JSON.stringify({ kty, n, e, kid, alg, use, key_ops: listed })];
}

function isBase64Url(value: unknown): boolean {
  return typeof value === 'string' && BASE64URL.test(value);
}

/** Some writers of JSON put null where a member is missing. */
function isName(value: unknown): boolean {
  return typeof value === 'string' || value === null || value === undefined;
}

/** In lines of their own: a form with one line takes the breaks away, and OpenSSL then reads no key. */
function pemBlocks(text: string): readonly string[] {
  return [...text.matchAll(PEM_BLOCK)].map(([, label = '', base64 = '']) => {
    const lines = base64.replace(BLANKS, '').match(LINES) ?? [];
    return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n');
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is no JSON after all: it holds no key.
    return undefined;
  }
}
