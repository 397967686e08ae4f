// The RSA keys webhooks are signed with: one that is current, and the one before it while a rotation spreads.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface SigningKeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The size behind the contract's 344 characters of base64 (wire contract 7). */
const MODULUS_BITS = 2048;

/** Makes a key pair. The platform's generator takes no seed: signatures differ from run to run, so no log holds them. */
export function generateSigningKeyPair(): SigningKeyPair {
  return generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS });
}

let ofThisProcess: SigningKeyPair | undefined;

/** One pair for the whole process, made when first asked for: generating takes a tenth of a second. */
export function processKeyPair(): SigningKeyPair {
  ofThisProcess ??= generateSigningKeyPair();
  return ofThisProcess;
}

export class SigningKeys {
  #newest: SigningKeyPair;
  #previous: SigningKeyPair | undefined;

  constructor(first: SigningKeyPair = processKeyPair()) {
    this.#newest = first;
  }

  get newest(): SigningKeyPair {
    return this.#newest;
  }

  /** The pair before the last rotation; the newest when there was none. */
  get previous(): SigningKeyPair {
    return this.#previous ?? this.#newest;
  }

  /** The newest public key, as the service publishes it. */
  get publicKeyPem(): string {
    return this.#newest.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  rotate(next: SigningKeyPair = generateSigningKeyPair()): void {
    this.#previous = this.#newest;
    this.#newest = next;
  }
}
