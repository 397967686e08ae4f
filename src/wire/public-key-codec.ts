// Public keys in every form in which they are handed out: PEM, JWK, JWKS, and the service's own answer (wire contract 6).
import { z } from 'zod';

const BASE64URL = /^[\w-]+$/;

/** Some writers of JSON put null where a member is missing. */
const name = z.string().nullable().exactOptional();

/** The members of an RSA public key (RFC 7518, 6.3.1), its id and its use: a private part is left out. */
const rsaJwk = z.object({
  kty: z.literal('RSA'),
  n: z.string().regex(BASE64URL),
  e: z.string().regex(BASE64URL),
  kid: name,
  alg: name,
  use: name,
  key_ops: z.array(z.string()).nullable().exactOptional().catch(null),
});

const keySet = z.object({ keys: z.array(z.unknown()) });

/** The answer of the service: its `algorithm` is not looked at, because the configuration decides that. */
const published = z.object({ publicKey: z.union([z.string(), z.looseObject({})]) });

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

/** The same for a parsed answer. */
export function publicKeysOf(value: unknown): readonly string[] {
  const answer = published.safeParse(value);
  if (!answer.success) {
    return jwksTexts(value);
  }
  const { publicKey } = answer.data;
  return typeof publicKey === 'string' ? pemBlocks(publicKey) : jwksTexts(publicKey);
}

/** The keys of a JWKS, or the one of a JWK. */
function jwksTexts(value: unknown): readonly string[] {
  const set = keySet.safeParse(value);
  const keys = set.success ? set.data.keys : [value];
  return keys.flatMap((key) => jwkTexts(key));
}

function jwkTexts(value: unknown): readonly string[] {
  const jwk = rsaJwk.safeParse(value);
  return jwk.success ? [JSON.stringify(jwk.data)] : [];
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
