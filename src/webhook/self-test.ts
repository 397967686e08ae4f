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
  readonly #tests = new Map<string, { arrival: Arrival | null; readonly meet: () => void }>();

  begin(): SelfTest {
    const nonce = randomBytes(24).toString('base64url');
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    this.#tests.set(nonce, { arrival: null, meet });
    return {
      nonce,
      body: bodyOf(nonce),
      arrival: () => this.#tests.get(nonce)?.arrival ?? null,
      met,
      end: () => {
        this.#tests.delete(nonce);
      },
    };
  }

  /** The nonce of the waiting test that this request belongs to; null for all other requests. */
  wordOf({ marker = '', signature = '' }: Marks): string | null {
    return [marker, signature].find((word) => this.#tests.get(word)?.arrival === null) ?? null;
  }

  /** It went astray on our side of the way: to another path or by another method. */
  meetAstray(marks: Marks, arrival: 'path-changed' | 'method-changed'): void {
    const test = this.#tests.get(this.wordOf(marks) ?? '');
    if (test !== undefined) {
      test.arrival = arrival;
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
    const test = this.#tests.get(word);
    if (test !== undefined) {
      test.arrival = arrival;
      test.meet();
    }
  }
}

/** With spaces where a formatter would have none, and a letter beyond ASCII. */
function bodyOf(nonce: string): string {
  return `{ "selfTest" : "${nonce}",  "note": "é" }\n`;
}
