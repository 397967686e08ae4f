// When to ask the service next: the listing of all locks, and the end of one command.
//
// All times are milliseconds of a clock that never jumps: a wrong wall clock must not silence the house for a day.
import { type BackOff, backOffMs } from './backoff-policy.ts';

/** `absent`: no webhooks are expected; `proven`: they arrive; `doubted`: a poll found what none announced. */
export type WebhookHealth = 'absent' | 'healthy' | 'degraded';

export interface ListingFacts {
  readonly now: number;
  /** When the last listing was asked for, successful or not; null before the first. */
  readonly lastAskedAt: number | null;
  /** How many listings in a row have failed. */
  readonly failures: number;
  /** When the last command ended, or the last doubt was raised; null when there was none. */
  readonly lastPollSoonAt: number | null;
  /** The service asked us to stay away until then; null when it did not. */
  readonly notBefore: number | null;
  readonly webhooks: WebhookHealth;
  /** Our own intervals, in milliseconds. */
  readonly idleMs: number;
  readonly healthyMs: number;
}

/** After a command the door is watched closely: these long after it, in milliseconds (our choice). */
const CLOSE_WATCH_MS: readonly number[] = [1_500, 6_000, 15_000];

/** After listings that failed (our choice). */
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 120_000 };

/** When the next listing is due, before jitter. Never earlier than the service allows. */
export function nextListingAt(facts: ListingFacts): number {
  const due =
    facts.lastAskedAt === null ? facts.now : facts.lastAskedAt + intervalMs(facts, facts.lastAskedAt);
  return Math.max(due, facts.notBefore ?? due);
}

function intervalMs(facts: ListingFacts, lastAskedAt: number): number {
  if (facts.failures > 0) {
    return backOffMs(facts.failures, BACK_OFF);
  }
  const wide = facts.webhooks === 'healthy' ? facts.healthyMs : facts.idleMs;
  const close = closeWatchAt(facts.lastPollSoonAt, lastAskedAt);
  return close === null ? wide : Math.min(wide, close - lastAskedAt);
}

function closeWatchAt(lastPollSoonAt: number | null, lastAskedAt: number): number | null {
  if (lastPollSoonAt === null) {
    return null;
  }
  const next = CLOSE_WATCH_MS.map((afterMs) => lastPollSoonAt + afterMs).find((at) => at > lastAskedAt);
  return next ?? null;
}

/**
 * The first reading of a command's end, in milliseconds after it was accepted: soon enough for a bolt that jams at once
 * to be seen within half a second.
 */
export const FIRST_OUTCOME_READ_MS = 480;

/**
 * The next ones are at least so far apart, and so large a share of what has passed: whoever waited five seconds can wait
 * one more. Of all schedules that cover a travel of eight seconds with twelve readings, this one has the fewest travels
 * (log-uniform from 0.2 s) whose end is read later than 400 ms or a fifth of the travel: 3 in 100.
 */
const OUTCOME_READS_APART_MS = 392;
const OUTCOME_STRETCH = 0.215;
const LONGEST_OUTCOME_READ_MS = 5_000;

/**
 * How long to wait after a reading that was asked `elapsedMs` after the command was sent, and answered `tookMs` later.
 * Questions keep their distance however long answers take, but a slow service is given as much time as it took.
 */
export function nextOutcomeReadMs(elapsedMs: number, tookMs: number): number {
  const apartMs = Math.min(
    Math.max(OUTCOME_READS_APART_MS, elapsedMs * OUTCOME_STRETCH),
    LONGEST_OUTCOME_READ_MS,
  );
  return Math.max(apartMs - tookMs, Math.min(tookMs, apartMs));
}
