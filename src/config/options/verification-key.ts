// Parses a verification key of config.json: PEM, JWK or JWKS as text, or the path of such a file.
import { z } from 'zod';
import { type Message, message } from '../../domain/language/message.ts';

/** Files are read when the listener opens. */
export type KeySource =
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

export type KeyReading =
  | { readonly ok: true; readonly source: KeySource }
  | { readonly ok: false; readonly fault: Message };

/** Members that only a private or shared key has (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

const PRIVATE_KEY_FAULT = message(
  "is a private key; remove it from config.json and enter the service's public key",
);

const jwk = () => z.looseObject({ kty: z.string() });
const jwks = () => z.object({ keys: z.array(jwk()).min(1) });

/** The keys of a JWKS, or the one of a JWK. */
const keyText = () =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(z.union([jwks().transform(({ keys }) => keys), jwk().transform((key) => [key])]));

/** Checks the form only; parsing happens on verification. A fault never repeats the text. */
export function readKeySource(written: string): KeyReading {
  if (written.startsWith('-----BEGIN')) {
    return written.includes('PRIVATE KEY')
      ? { ok: false, fault: PRIVATE_KEY_FAULT }
      : { ok: true, source: { kind: 'inline', text: written } };
  }
  if (written.startsWith('{')) {
    return readJson(written);
  }
  return isAbsolutePath(written)
    ? { ok: true, source: { kind: 'file', path: written } }
    : { ok: false, fault: message('is neither PEM, JWK or JWKS text nor an absolute file path; correct it') };
}

/** POSIX, or Windows with a drive letter or a share. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}

function readJson(written: string): KeyReading {
  const keys = keyText().safeParse(written);
  if (!keys.success) {
    return { ok: false, fault: message('is neither a JWK nor a JWKS; copy the whole JSON') };
  }
  return keys.data.some((key) => PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member)))
    ? { ok: false, fault: PRIVATE_KEY_FAULT }
    : { ok: true, source: { kind: 'inline', text: written } };
}
