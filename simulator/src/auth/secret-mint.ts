// Makes the secrets and ids the simulator hands out: they look random, and are the same on every run of a seed.
import { createHmac } from 'node:crypto';

/**
 * A source of tokens that depends only on a seed, the kind asked for and how many of that kind came before.
 * Kinds do not disturb each other, so that one more client in a scenario leaves every other token as it was.
 * The secrets guard only a simulated service on loopback; the seed reveals them all.
 */
export class SecretMint {
  readonly #seed: string;
  readonly #minted = new Map<string, number>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** 43 URL-safe characters. */
  secret(kind: string): string {
    return this.#digest(kind).toString('base64url');
  }

  /** A JSON Web Token of these claims (RFC 7519), by HS256 with the seed: without the seed it cannot be verified. */
  jwt(kind: string, claims: Readonly<Record<string, unknown>>): string {
    const header = { alg: 'HS256', typ: 'at+jwt' };
    const signed = [header, { ...claims, jti: this.uuid(kind) }].map(encoded).join('.');
    return `${signed}.${createHmac('sha256', this.#seed).update(signed).digest('base64url')}`;
  }

  /** 32 lower-case hexadecimal characters, the form in which subscription keys are issued. */
  hex(kind: string): string {
    return this.#digest(kind).toString('hex', 0, 16);
  }

  uuid(kind: string): string {
    const bytes = this.#digest(kind).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
  }

  #digest(kind: string): Buffer {
    const count = this.#minted.get(kind) ?? 0;
    this.#minted.set(kind, count + 1);
    return createHmac('sha256', this.#seed)
      .update(`${kind}\n${String(count)}`)
      .digest();
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
