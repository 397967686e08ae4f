// Recognises our own test request when it comes back through the public address, by a nonce.
import { randomBytes } from 'node:crypto';

/** The header that carries the word. */
export const SELF_TEST_HEADER = 'latchkey-self-test';

/**
 * How a test reached the listener. `whole`: as it was sent; otherwise the part that was changed. An event would fare alike,
 * except with `marker-removed`: only the header that names the test is missing.
 */
export type Arrival =
  | 'whole'
  | 'marker-removed'
  | 'path-changed'
  | 'method-changed'
  | 'signature-removed'
  | 'content-changed';

export interface SelfTest {
  /** Goes into `SELF_TEST_HEADER` and into the header of the signature of a POST to the public address. */
  readonly nonce: string;
  /** The body to send, as JSON in UTF-8: a proxy that reformats it would break signatures. */
  readonly body: string;
  /** How the listener has met it; null while it has not. */
  arrival(): Arrival | null;
  readonly met: Promise<void>;
  /** Ends the test: the word counts for nothing any more. */
  end(): void;
}

/** The places of a request where a test puts its nonce. */
export interface Marks {
  readonly marker: string | undefined;
  readonly signature: string | undefined;
}

/** The rest of a request. */
export interface Content {
  readonly asJson: boolean;
  readonly body: Buffer;
}

export class SelfTests {
  readonly #arrivals = new Map<string, Arrival | null>();
  readonly #met = new Map<string, () => void>();

  begin(): SelfTest {
    const nonce = randomBytes(24).toString('base64url');
    this.#arrivals.set(nonce, null);
    const { promise: met, resolve } = Promise.withResolvers<void>();
    this.#met.set(nonce, resolve);
    return {
      nonce,
      body: bodyOf(nonce),
      arrival: () => this.#arrivals.get(nonce) ?? null,
      met,
      end: () => {
        this.#arrivals.delete(nonce);
        this.#met.delete(nonce);
      },
    };
  }

  /** The nonce of the waiting test that this request belongs to; null for all other requests. */
  wordOf({ marker = '', signature = '' }: Marks): string | null {
    return [marker, signature].find((word) => this.#arrivals.get(word) === null) ?? null;
  }

  /** It went astray on our side of the way: to another path or by another method. */
  meetAstray(marks: Marks, arrival: 'path-changed' | 'method-changed'): void {
    const word = this.wordOf(marks);
    if (word !== null) {
      this.#arrivals.set(word, arrival);
    }
  }

  meet(word: string, { marker, signature }: Marks, { asJson, body }: Content): void {
    const unchanged = asJson && body.equals(Buffer.from(bodyOf(word)));
    const arrival =
      signature !== word
        ? 'signature-removed'
        : !unchanged
          ? 'content-changed'
          : marker !== word
            ? 'marker-removed'
            : 'whole';
    this.#arrivals.set(word, arrival);
    this.#met.get(word)?.();
  }
}

/** With spaces where a formatter would have none, and a letter beyond ASCII. */
function bodyOf(nonce: string): string {
  return `{ "selfTest" : "${nonce}",  "note": "é" }\n`;
}
