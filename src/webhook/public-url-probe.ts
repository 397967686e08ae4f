// Probes the public address: sends a test webhook through it to our own listener, and reports where it got lost.
import { Client } from 'undici';
import type { SelfTestFinding, SelfTestReport } from '../domain/webhooks/report.ts';
import { inTime } from '../support/clock.ts';
import type { ReceiverParts } from './receive.ts';
import { SELF_TEST_HEADER, type SelfTest, type SelfTests } from './self-test.ts';

/** The head of an answer. Without a status there was no answer, for that reason; without a reason it was no HTTP. */
interface Reply {
  readonly status: number | null;
  readonly why: 'name-unknown' | 'unreachable' | 'timed-out' | 'certificate-refused' | null;
}

/** Half of the service's limit for an answer (wire contract 7): a slower address counts as failing (our choice). */
const ANSWER_WITHIN_MS = 15_000;

const TIMED_OUT = new Error('The test was not answered in time');

export class PublicUrlProbe {
  readonly #parts;

  constructor(
    parts: Pick<ReceiverParts, 'method' | 'keys' | 'clock' | 'serviceClock'> & {
      readonly selfTests: SelfTests;
      readonly signatureHeader: string;
      /** Ends a test, as if its deadline had passed. */
      readonly signal: AbortSignal;
      /** How long a test may arrive after the answer of a relay, in milliseconds. Left out: there is no relay. */
      readonly relayedWithinMs?: number;
    },
  ) {
    this.#parts = parts;
  }

  /** Sends one test to the address and reports its result. Never rejects. */
  async test(url: string): Promise<SelfTestReport> {
    const { selfTests, clock, serviceClock, relayedWithinMs } = this.#parts;
    const test = selfTests.begin();
    const startedAt = clock.monotonic();
    const reply = await this.#send(url, test);
    const tookMs = Math.round(clock.monotonic() - startedAt);
    if (relayedWithinMs !== undefined && isAcknowledged(reply)) {
      await inTime(clock, relayedWithinMs, test.met, () => TIMED_OUT).catch(() => {});
    }
    selfTests.end(test);
    const way = findingOf(test, reply, relayedWithinMs !== undefined);
    const finding = way === 'came-through' && !(await this.#hasKeys()) ? 'no-keys' : way;
    return { finding, status: reply.status, tookMs, at: serviceClock.now() };
  }

  /** Sends a POST, once, follows no redirect, and reads nothing but the head of the answer. */
  async #send(url: string, { nonce, body }: SelfTest): Promise<Reply> {
    const { clock, signal, signatureHeader } = this.#parts;
    const { origin, pathname, search } = new URL(url);
    // The deadline is ours, by the injected clock.
    const settings = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0, allowH2: false };
    const client = new Client(origin, settings);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'latchkey-self-test',
      [SELF_TEST_HEADER]: nonce,
      [signatureHeader]: nonce,
    };
    try {
      const request = client.request({ method: 'POST', path: pathname + search, headers, body, signal });
      const answer = await inTime(clock, ANSWER_WITHIN_MS, request, () => TIMED_OUT);
      answer.body.on('error', () => {}).destroy();
      return { status: answer.statusCode, why: null };
    } catch (error) {
      return { status: null, why: error === TIMED_OUT || signal.aborted ? 'timed-out' : whyOf(error) };
    } finally {
      await client.destroy();
    }
  }

  /** Without signatures, no key is needed. */
  async #hasKeys(): Promise<boolean> {
    const { method, keys } = this.#parts;
    if (method === null || keys.keys().length > 0) {
      return true;
    }
    await keys.refresh();
    return keys.keys().length > 0;
  }
}

/**
 * Maps the error names of Node and OpenSSL; null when the answer was in another protocol than the address promises. A connection
 * closed without an answer counts as unreachable: a closed port, or a server with too many connections, does the same.
 */
function whyOf(error: unknown): Reply['why'] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return 'name-unknown';
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH/.test(code)) {
    return 'certificate-refused';
  }
  return /^(?:HPE_|EPROTO|ERR_SSL|UND_ERR_(?:HEADERS|RESPONSE))/.test(code) ? null : 'unreachable';
}

function isAcknowledged({ status }: Reply): boolean {
  return status !== null && status < 300;
}

function findingOf({ arrival }: SelfTest, reply: Reply, isRelayed: boolean): SelfTestFinding {
  if (arrival === null) {
    return reply.why ?? (isRelayed ? 'not-forwarded' : 'answered-elsewhere');
  }
  if (arrival !== 'whole') {
    return arrival;
  }
  return isAcknowledged(reply) ? 'came-through' : 'answer-lost';
}
