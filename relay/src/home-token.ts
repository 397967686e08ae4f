// The secret part of a home's address: proves that this relay minted it, and carries the home's public key.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface HomeClaim {
  readonly home: string;
  /** Counts the enrolments of a home; a revoked generation and those before it are refused. */
  readonly generation: number;
  /** X25519, as base64url. */
  readonly publicKey: string;
}

const VERSION = 1;
const HEAD_BYTES = 5;
const KEY_BYTES = 32;
/** 128 bits: guessing is bounded by the network, and addresses stay short. */
const MAC_BYTES = 16;
const TOKEN_BYTES = HEAD_BYTES + KEY_BYTES + MAC_BYTES;
const TOKEN = /^[\w-]{71}$/;

export function mintToken({ home, generation, publicKey }: HomeClaim, secret: string): string {
  const claim = Buffer.alloc(HEAD_BYTES + KEY_BYTES);
  claim.writeUInt8(VERSION);
  claim.writeUInt32BE(generation, 1);
  Buffer.from(publicKey, 'base64url').copy(claim, HEAD_BYTES);
  return Buffer.concat([claim, macOf(home, claim, secret)]).toString('base64url');
}

/** Null when none of the secrets minted it for this home. Takes as long for a wrong token as for a right one. */
export function readToken(home: string, token: string, secrets: readonly string[]): HomeClaim | null {
  if (!TOKEN.test(token)) {
    return null;
  }
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) {
    return null;
  }
  const claim = bytes.subarray(0, HEAD_BYTES + KEY_BYTES);
  const mac = bytes.subarray(HEAD_BYTES + KEY_BYTES);
  const fits = secrets.map((secret) => timingSafeEqual(macOf(home, claim, secret), mac));
  if (!fits.includes(true) || claim.readUInt8() !== VERSION) {
    return null;
  }
  return {
    home,
    generation: claim.readUInt32BE(1),
    publicKey: claim.subarray(HEAD_BYTES).toString('base64url'),
  };
}

function macOf(home: string, claim: Buffer, secret: string): Buffer {
  const mac = createHmac('sha256', secret);
  mac.update(`latchkey relay home\0${home}\0`).update(claim);
  return mac.digest().subarray(0, MAC_BYTES);
}
