// Signs logins with Node's own functions: the package takes 180 times as long, and many homes of one process would wait for
// each other, which homes with a processor each never do.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { KeyPair } from '@nats-io/nkeys';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';

/** An Ed25519 key in PKCS #8 (RFC 8410) begins so. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

interface Signer {
  readonly nkey: string;
  readonly key: KeyObject;
}

const known = new Map<string, Signer>();

function signerOf(nats: NatsPackage, seed: Uint8Array): Signer {
  const text = new TextDecoder().decode(seed);
  const found = known.get(text);
  if (found !== undefined) {
    return found;
  }
  const pair = nats.fromSeed(seed) as KeyPair & { getRawSeed(): Uint8Array };
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, pair.getRawSeed()]),
    format: 'der',
    type: 'pkcs8',
  });
  const made = { nkey: pair.getPublicKey(), key };
  known.set(text, made);
  return made;
}

export function withQuickLogins(nats: NatsPackage): NatsPackage {
  return {
    ...nats,
    jwtAuthenticator: (jwt, seed) => (nonce) => {
      const { nkey, key } = signerOf(nats, (typeof seed === 'function' ? seed() : seed) ?? new Uint8Array());
      const sig = sign(null, Buffer.from(nonce ?? ''), key).toString('base64');
      return { jwt: typeof jwt === 'function' ? jwt() : jwt, nkey, sig };
    },
  };
}
