// Recognises our own test request when it comes back through the public address, by a nonce.
import { randomBytes } from 'node:crypto';

/** The header that carries the nonce. */
export const SELF_TEST_HEADER = 'latchkey-self-test';

/**
 * How a test reached the listener. `whole`: unchanged; otherwise the part that was changed. An event would fare alike,
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
  /** How the test reached the listener; null while it has not. */
  arrival: Arrival | null;
  readonly met: Promise<void>;
  readonly meet: () => void;
}

/** The places of a request where a test puts its nonce. */
export interface Marks {
  readonly marker: string | undefined;
  readonly signature: string | undefined;
}

export class SelfTests {
  /** The waiting tests by nonce, until they arrive or end: each counts once. */
  readonly #waiting = new Map<string, SelfTest>();

  begin(): SelfTest {
    const nonce = randomBytes(24).toString('base64url');
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    // The body has spaces where a formatter would have none, and a letter beyond ASCII.
    const body = `{ "selfTest" : "${nonce}",  "note": "é" }\n`;
    const test: SelfTest = { nonce, body, arrival: null, met, meet };
    this.#waiting.set(nonce, test);
    return test;
  }

  /** The test has ended: its nonce counts no more. */
  end({ nonce }: SelfTest): void {
    this.#waiting.delete(nonce);
  }

  /** The waiting test that this request belongs to; null for all other requests. */
  testOf({ marker = '', signature = '' }: Marks): SelfTest | null {
    return this.#waiting.get(marker) ?? this.#waiting.get(signature) ?? null;
  }

  /** The test went astray on our side: to another path or by another method. */
  meetAstray(marks: Marks, arrival: 'path-changed' | 'method-changed'): void {
    const test = this.testOf(marks);
    if (test !== null) {
      this.#meet(test, arrival);
    }
  }

  /** The test reached the route of events. `asJson`: with the content type of an event. */
  meet(test: SelfTest, { marker, signature }: Marks, asJson: boolean, body: Buffer): void {
    const { nonce } = test;
    if (signature !== nonce) {
      this.#meet(test, 'signature-removed');
    } else if (!asJson || !body.equals(Buffer.from(test.body))) {
      this.#meet(test, 'content-changed');
    } else {
      this.#meet(test, marker === nonce ? 'whole' : 'marker-removed');
    }
  }

  #meet(test: SelfTest, arrival: Arrival): void {
    this.end(test);
    test.arrival = arrival;
    test.meet();
  }
}
