// Makes the secrets and ids the simulator hands out: they look random, and are the same on every run of a seed.
import { createHmac } from 'node:crypto';

/**
 * A source of tokens that depends only on a seed, the kind asked for and how many of that kind came before.
 * Kinds do not disturb each other, so that one more client in a scenario leaves every other token as it was.
 * The secrets guard nothing but a pretend house on loopback; whoever knows the seed knows them all.
 */
export class SecretMint {
  readonly #seed: string;
  readonly #minted = new Map<string, number>();

  constructor(seed: number | string) {
    this.#seed = String(seed);
  }

  /** 43 URL-safe characters. */
  secret(kind: string): string {
    return this.#digest(kind).toString('base64url');
  }

  /** 32 lower-case hexadecimal characters, the form in which subscription keys are issued. */
  hex(kind: string): string {
    return this.#digest(kind).toString('hex').slice(0, 32);
  }

  #digest(kind: string): Buffer {
    const count = this.#minted.get(kind) ?? 0;
    this.#minted.set(kind, count + 1);
    return createHmac('sha256', this.#seed)
      .update(`${kind}\n${String(count)}`)
      .digest();
  }
}
