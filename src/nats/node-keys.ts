// Keys of logins by Node's own Ed25519: the package's, in JavaScript, is so slow that everything else of the process waits.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyPair } from '@nats-io/nkeys';
import { fromSeed as slowFromSeed } from '@nats-io/nkeys';
import type { Authenticator } from '@nats-io/transport-node';
import { nkey, nkeyBytes } from './nkey.ts';

/** An Ed25519 key in PKCS #8 (RFC 8410) begins so. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

export function fromSeed(text: Uint8Array): KeyPair {
  const pair = slowFromSeed(text);
  // Two bytes say whose seed it is: five bits that it is one, and eight of its public key.
  const [first = 0, second = 0, ...rest] = nkeyBytes(new TextDecoder().decode(text));
  const seed = Buffer.from(rest.slice(0, KEY_BYTES));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  const name = nkey([((first & 7) << 5) | (second >> 3), ...publicKey]);
  return Object.assign(pair, {
    getPublicKey: () => name,
    sign: (input: Uint8Array) => sign(null, input, key),
  });
}

export function jwtAuthenticator(jwt: string, seed: Uint8Array): Authenticator {
  const pair = fromSeed(seed);
  return (nonce = '') => ({
    jwt,
    nkey: pair.getPublicKey(),
    sig: Buffer.from(pair.sign(Buffer.from(nonce))).toString('base64'),
  });
}
