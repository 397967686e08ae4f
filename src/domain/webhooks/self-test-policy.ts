// When to test the delivery path of webhooks, and when its silence is a reason for doubt.
//
// All times are milliseconds of a clock that never jumps.
import { type BackOff, backOffMs } from '../polling/backoff-policy.ts';

export interface DeliveryPathFacts {
  readonly now: number;
  /** When the last event of the service came in, and the last self-test; null when none has since the listener opened. */
  readonly lastEventAt: number | null;
  readonly lastThroughAt: number | null;
  /** When the last self-test ended, however it ended; null before the first. */
  readonly lastTestAt: number | null;
  /** How many self-tests in a row were lost. */
  readonly failures: number;
  /** Whether a test can find anything: a public address is set, and the service has it. */
  readonly testable: boolean;
}

/** A quiet path is tested this often (our choice): a loss is noticed within two listings of a healthy account (faults#54). */
const TEST_AFTER_SILENCE_MS = 300_000;

/** The pauses after tests that were lost (our choice). */
const BACK_OFF: BackOff = { firstMs: 30_000, longestMs: 900_000 };

/** One lost test may be chance; this many in a row are not (our choice). */
const LOST_IN_A_ROW = 2;

/** How long an event proves the path where no test ever came through (our choice): many routers block calls to their own address. */
export const EVENT_VOUCHES_MS = 12 * 3_600_000;

/** When the next self-test is due; null when it could find nothing. */
export function nextTestAt(facts: DeliveryPathFacts): number | null {
  const { now, lastEventAt, lastThroughAt, lastTestAt, failures, testable } = facts;
  if (!testable) {
    return null;
  }
  if (lastTestAt === null) {
    return now;
  }
  return failures > 0
    ? lastTestAt + backOffMs(failures, BACK_OFF)
    : Math.max(lastEventAt ?? 0, lastThroughAt ?? 0) + TEST_AFTER_SILENCE_MS;
}

/** When a healthy path is to be doubted because it has fallen silent; null while there is no reason to. */
export function silentAt({
  lastEventAt,
  lastThroughAt,
  lastTestAt,
  failures,
}: DeliveryPathFacts): number | null {
  if (lastThroughAt === null || lastTestAt === null) {
    return lastEventAt === null ? null : lastEventAt + EVENT_VOUCHES_MS;
  }
  const vouchedUntil = (lastEventAt ?? Number.NEGATIVE_INFINITY) + TEST_AFTER_SILENCE_MS;
  return failures >= LOST_IN_A_ROW ? Math.max(lastTestAt, vouchedUntil) : null;
}

/** Events came in although tests did not: here a test shows nothing, and an earlier one that came through does not count. */
export function testsAreInconclusive({ lastEventAt, lastTestAt, failures }: DeliveryPathFacts): boolean {
  return failures >= LOST_IN_A_ROW && lastEventAt !== null && lastTestAt !== null && lastEventAt > lastTestAt;
}
