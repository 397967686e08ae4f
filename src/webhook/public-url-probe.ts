// Probes the public address: sends a test webhook through it to our own listener, and reports where it got lost.
import type { SelfTestFinding, SelfTestReport } from '../domain/webhook-report.ts';
import { inTime } from '../support/clock.ts';
import { callPublicAddress, type PublicReply } from './public-call.ts';
import type { ReceiverParts } from './receive.ts';
import { type Arrival, SELF_TEST_HEADER, type SelfTests } from './self-test.ts';

export interface PublicUrlProbeParts
  extends Pick<ReceiverParts, 'method' | 'keys' | 'clock' | 'serviceClock'> {
  readonly selfTests: SelfTests;
  readonly signatureHeader: string;
  readonly signal: AbortSignal;
  /** A relay answers before the test arrives: for how long it is waited for then, in milliseconds. Left out: no relay. */
  readonly relayedWithinMs?: number;
}

/** Sends one test to the address and reports its result. Never rejects. */
export async function probePublicUrl(parts: PublicUrlProbeParts, url: string): Promise<SelfTestReport> {
  const { selfTests, signatureHeader, clock, serviceClock, signal, relayedWithinMs } = parts;
  const test = selfTests.begin();
  try {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'latchkey-self-test',
      [SELF_TEST_HEADER]: test.nonce,
      [signatureHeader]: test.nonce,
    };
    const reply = await callPublicAddress({ url, headers, body: test.body, clock, signal });
    if (relayedWithinMs !== undefined && isAcknowledged(reply)) {
      await inTime(clock, relayedWithinMs, test.met, () => new Error('Too late')).catch(() => {});
    }
    const way = findingOf(test.arrival(), reply, relayedWithinMs !== undefined);
    const finding = way === 'came-through' && !(await hasKeys(parts)) ? 'no-keys' : way;
    const status = reply.kind === 'answered' ? reply.status : null;
    return { finding, status, tookMs: Math.round(reply.tookMs), at: serviceClock.now() };
  } finally {
    test.end();
  }
}

function isAcknowledged(reply: PublicReply): boolean {
  return reply.kind === 'answered' && reply.status !== null && reply.status < 300;
}

function findingOf(arrival: Arrival | null, reply: PublicReply, isRelayed: boolean): SelfTestFinding {
  if (arrival === null) {
    return reply.kind === 'failed' ? reply.why : isRelayed ? 'not-forwarded' : 'answered-elsewhere';
  }
  if (arrival !== 'whole') {
    return arrival;
  }
  return isAcknowledged(reply) ? 'came-through' : 'answer-lost';
}

/** Where nothing is signed, no key is needed. */
async function hasKeys({ method, keys }: PublicUrlProbeParts): Promise<boolean> {
  if (method === null || keys.keys().length > 0) {
    return true;
  }
  await keys.refresh();
  return keys.keys().length > 0;
}
