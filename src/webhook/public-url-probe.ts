// Probes the public address: sends a test webhook through it to our own listener, and reports where it got lost.
import type { ServiceClock } from '../domain/ports.ts';
import type { SigningKeys } from '../domain/webhook-ports.ts';
import type { SelfTestFinding, SelfTestReport } from '../domain/webhook-report.ts';
import { type Clock, inTime } from '../support/clock.ts';
import { callPublicAddress, type PublicReply } from './public-call.ts';
import { type Arrival, SELF_TEST_HEADER, type SelfTests } from './self-test.ts';

export interface PublicUrlProbeParts {
  readonly selfTests: SelfTests;
  /** Null when nothing is signed: then no key is needed. */
  readonly keys: SigningKeys | null;
  readonly signatureHeader: string;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly signal: AbortSignal;
  /** A relay answers before the test arrives: for how long it is waited for then, in milliseconds. Left out: no relay. */
  readonly relayedWithinMs?: number;
}

/** Sends one test to the address and reports its result. Never rejects. */
export async function probePublicUrl(parts: PublicUrlProbeParts, url: string): Promise<SelfTestReport> {
  const { selfTests, keys, signatureHeader, clock, serviceClock, signal, relayedWithinMs } = parts;
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
    const finding = way === 'came-through' && !(await hasKeys(keys)) ? 'no-keys' : way;
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

async function hasKeys(keys: SigningKeys | null): Promise<boolean> {
  if (keys === null || keys.keys().length > 0) {
    return true;
  }
  await keys.refresh();
  return keys.keys().length > 0;
}
