// When to ask the service next: the listing of all locks, and the end of one command.
//
// All times are milliseconds of a clock that never jumps: a wrong wall clock must not stop polling for a day.
import { type Outage, outagePauseMs } from './outage-policy.ts';

/** `absent`: no webhooks are expected; `healthy`: they arrive; `degraded`: a poll found a change that none announced. */
export type WebhookHealth = 'absent' | 'healthy' | 'degraded';

export interface ListingFacts {
  readonly now: number;
  /** When the last listing was asked for, successful or not; null before the first. */
  readonly lastAskedAt: number | null;
  /** Null while the service answers. */
  readonly outage: Outage | null;
  /** When the close watches began that are not over, the earliest first. */
  readonly watchedSince: readonly number[];
  /** The last listing was empty although locks are known: another one decides. */
  readonly emptyInDoubt: boolean;
  readonly webhooks: WebhookHealth;
  /** The configured intervals, in milliseconds. */
  readonly idleMs: number;
  readonly healthyMs: number;
  /** A random number from 0 up to 1. */
  readonly random: number;
}

/** This listing of a close watch shows within 10 s what lists show 9 s late, in milliseconds: the pace never holds it up (faults#140). */
const LATE_LISTING_MS = 9_500;

/**
 * After a command, or news of a change without a position, listings come this long after it, in milliseconds (our choice). The
 * last two follow what may travel or lag for ten seconds each.
 */
const CLOSE_WATCH_MS: readonly number[] = [1_500, 6_000, LATE_LISTING_MS, 15_000, 21_000];

/** The next listing after an empty one comes this soon, in milliseconds: both are within the 10 s that a person waits. */
const EMPTY_AGAIN_MS = 5_000;

/**
 * Intervals are shortened by up to this share, so that many homes do not ask in step (our choice). Never lengthened: with
 * 60 s a lost webhook is healed within 60 s, by 66 listings an hour at most.
 */
const JITTER = 0.08;

/** No more than `PACED_LISTINGS` listings in any such window, in milliseconds, from every cause (our choice; the service counts bursts as abuse). */
const PACE_WINDOW_MS = 5_000;
export const PACED_LISTINGS = 2;

/** So many close watches go on at once: of more, the latest replaces the one before it. */
const CLOSE_WATCHES = 8;

/** A close watch serves what happens so soon after it began, too, in milliseconds: its late listing shows that as well. */
const SERVES_FOR_MS = 500;

/** The close watches with one that begins now: earlier ones go on, so that a stream of changes puts off none of their listings. */
export function watchedClosely(watchedSince: readonly number[], now: number): readonly number[] {
  const lastMs = CLOSE_WATCH_MS.at(-1) ?? 0;
  const going = watchedSince.filter((at) => at + lastMs > now);
  const isServed = now - (going.at(-1) ?? Number.NEGATIVE_INFINITY) <= SERVES_FOR_MS;
  return isServed ? going : [...going.slice(0, CLOSE_WATCHES - 1), now];
}

/**
 * How long a listing has to wait for its turn. `askedAt`: when the latest `PACED_LISTINGS` were asked, the oldest first. The late
 * listing of a close watch is no part of the pace.
 */
export function paceMs(askedAt: readonly number[], now: number, watchedSince: readonly number[]): number {
  const [oldest] = askedAt;
  if (oldest === undefined || askedAt.length < PACED_LISTINGS) {
    return 0;
  }
  const lateAt = watchedSince.map((at) => at + LATE_LISTING_MS).filter((at) => at > (askedAt.at(-1) ?? 0));
  return Math.max(Math.min(oldest + PACE_WINDOW_MS, ...lateAt) - now, 0);
}

/** When the next listing is due. Never earlier than the service allows. */
export function nextListingAt(facts: ListingFacts): number {
  const { now, lastAskedAt, random, outage } = facts;
  const due = lastAskedAt === null ? now : lastAskedAt + intervalMs(facts, lastAskedAt);
  const notBefore = outage?.notBefore ?? null;
  return notBefore === null ? due : Math.max(due, notBefore + Math.max(notBefore - now, 0) * JITTER * random);
}

function intervalMs(facts: ListingFacts, lastAskedAt: number): number {
  const byChance = 1 - JITTER * facts.random;
  if (facts.outage !== null) {
    return outagePauseMs(facts.outage) * byChance;
  }
  const wide = (facts.webhooks === 'healthy' ? facts.healthyMs : facts.idleMs) * byChance;
  // Infinity where the close watch is over.
  const closeAt = facts.watchedSince
    .flatMap((since) => CLOSE_WATCH_MS.map((ms) => since + ms))
    .filter((at) => at > lastAskedAt);
  return Math.min(wide, Math.min(...closeAt) - lastAskedAt, facts.emptyInDoubt ? EMPTY_AGAIN_MS : wide);
}

/** The first reading of a command's end, in milliseconds after it was accepted: a bolt that jams at once is seen within half a second. */
export const FIRST_OUTCOME_READ_MS = 480;

/**
 * The next pauses grow with the time already waited: after five seconds, one more matters little. Of all schedules that
 * cover a travel of eight seconds with twelve readings, this one has the fewest travels (log-uniform from 0.2 s) whose end
 * is read later than 400 ms or a fifth of the travel: 3 in 100.
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

/** A read-back is missed after this long, though its answer may still come, in milliseconds (our choice). */
export const READ_BACK_MISSED_AFTER_MS = 1_000;

/**
 * A read-back that is refused or missed says nothing of the listing: limits are per operation. While the bolt may travel, the locks are
 * listed instead, first so long after the command and then so often (our choice), as often as listings are paced: "locked" is
 * shown no longer than 3 s after an unlock of ours.
 */
export const FIRST_LISTED_INSTEAD_MS = 1_500;
export const LISTED_INSTEAD_EVERY_MS = PACE_WINDOW_MS / PACED_LISTINGS;

/** In an outage an event causes a listing at once, at most this often, in milliseconds (our choice). */
export const HEARD_AGAIN_AFTER_MS = 10_000;
