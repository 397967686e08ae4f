// Whether a request of our own comes back to us through the public address: recognised by a word used once.
import { randomBytes } from 'node:crypto';

/** The header that carries the word. */
export const SELF_TEST_HEADER = 'latchkey-self-test';

/** One test under way. */
export interface SelfTest {
  /** Goes into `SELF_TEST_HEADER` of a POST to the public address; the answer repeats it there. */
  readonly nonce: string;
  /** Whether the listener has met it. */
  arrived(): boolean;
  /** Ends the test: the word counts for nothing any more. */
  end(): void;
}

export class SelfTests {
  /** Whether each word has come back. */
  readonly #nonces = new Map<string, boolean>();

  begin(): SelfTest {
    const nonce = randomBytes(24).toString('base64url');
    this.#nonces.set(nonce, false);
    return {
      nonce,
      arrived: () => this.#nonces.get(nonce) ?? false,
      end: () => {
        this.#nonces.delete(nonce);
      },
    };
  }

  /** Takes a word off a request; false when nobody waits for it, or it was met before. */
  meet(nonce: string): boolean {
    if (this.#nonces.get(nonce) !== false) {
      return false;
    }
    this.#nonces.set(nonce, true);
    return true;
  }
}
