// All rules about time: how clocks are compared, what is ahead, late or stale, and the tolerances that this takes.
//
// Three clocks are involved. The service's dates every event of a lock; `time-estimate.ts` estimates it. The
// machine's monotonic clock measures durations, but may stand still while the machine sleeps. Its wall clock runs on, but may be set.
import type { Instant } from './instant.ts';

/** One reading of both clocks of the machine. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The range in which the service's clock can be now. */
export interface TimeBounds {
  /** Our questions are dated by the earliest: a reading is never dated after the truth that it read. */
  readonly earliest: Instant;
  readonly latest: Instant;
  /** How long the machine may have slept since the last answer of the service, in milliseconds. */
  readonly unconfirmedSleepMs: number;
  /** By how much this estimate was ever set back, in total, in milliseconds: earlier dates are too late by that. */
  readonly setBackMs: number;
}

/** The time from one moment to a later one, in milliseconds, by the clock that counted more of it. */
export function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.monotonicMs - from.monotonicMs, to.wallMs - from.wallMs);
}

/** The wall clock gains this much on the monotonic one only in a sleep, or when it is set, in milliseconds (our choice). */
const SUSPENDED_MS = 5_000;

/** How long the machine seems to have slept from one moment to a later one, in milliseconds; mostly 0. */
export function suspendedMs(from: Moment, to: Moment): number {
  const gainedMs = to.wallMs - from.wallMs - (to.monotonicMs - from.monotonicMs);
  return gainedMs > SUSPENDED_MS ? gainedMs : 0;
}

/** Smaller differences of the two clocks are no sleep: a wall clock is corrected in small steps all the time. */
const NO_SLEEP_MS = 50;

/** The same as `elapsedMs`, for sums of many short stretches of time. */
export function countedMs(from: Moment, to: Moment): number {
  const monotonicMs = to.monotonicMs - from.monotonicMs;
  const elapsed = elapsedMs(from, to);
  return elapsed - monotonicMs > NO_SLEEP_MS ? elapsed : monotonicMs;
}

/** A request read this soon after the process was held up may have come in meanwhile, in milliseconds (our choice). */
export const HELD_UP_COUNTS_FOR_MS = 1_000;

/** Without a look at the clocks for longer, this process or its machine stood still, in milliseconds (our choice): looks are 6 s apart. */
export const STOOD_STILL_MS = 7_500;

/** Events that waited meanwhile are taken in within this, in milliseconds (our choice): reads that waited with them come after. */
export const CATCHES_UP_WITHIN_MS = 400;

/** Whether an event that is so dated has its place: one from ahead of the service's clock causes a reading and changes no state. */
export function isPlaceable(at: Instant, { latest }: TimeBounds): boolean {
  return at <= latest;
}

/** The age of an instant in milliseconds, never negative; null when it is ahead of the service's clock. */
export function ageOf(at: Instant, bounds: TimeBounds): number | null {
  return isPlaceable(at, bounds) ? Math.max(bounds.earliest + bounds.unconfirmedSleepMs - at, 0) : null;
}

/** An outage counts once it has lasted this long, in milliseconds (our choice). */
export const OUTAGE_GRACE_MS = 60_000;

/**
 * From then on a belief may have been unconfirmed for this long, in milliseconds (our choice): five minutes, less the time between
 * two looks. A shorter outage changes nothing in Home.
 */
const OUTAGE_MAX_AGE_MS = 290_000;

/** Once a command met the outage, what was known before it is not shown for longer than this, in milliseconds (our choice). */
export const SHOWN_AFTER_UNHEARD_COMMAND_MS = 30_000;

/** A command without an answer for this long met an outage, in milliseconds (our choice). */
export const COMMAND_UNHEARD_AFTER_MS = 10_000;

/** A question without a good answer for this long, repeated or not, shows that the service is away, in milliseconds (our choice). */
export const AWAY_AFTER_MS = 15_000;

export interface StalenessLimits {
  /** How long a belief may go unconfirmed while the service answers, in milliseconds. */
  readonly maxAgeMs: number;
  /** For how long the service has not answered, in milliseconds, and whether it was asked at all; null while it answers. */
  readonly failing: { readonly forMs: number; readonly isAsked: boolean } | null;
}

/**
 * The instant before which a confirmation no longer counts: beliefs age faster in an outage, and faster still where a broken disk
 * keeps the service from being asked. A possible sleep counts as age.
 */
export function staleBefore(
  { earliest, unconfirmedSleepMs }: Pick<TimeBounds, 'earliest' | 'unconfirmedSleepMs'>,
  { maxAgeMs, failing }: StalenessLimits,
): Instant {
  const outlasted = failing !== null && failing.forMs >= Math.min(OUTAGE_GRACE_MS, maxAgeMs);
  const outageAgeMs = failing?.isAsked === true ? OUTAGE_MAX_AGE_MS : OUTAGE_GRACE_MS;
  return earliest + unconfirmedSleepMs - (outlasted ? Math.min(outageAgeMs, maxAgeMs) : maxAgeMs);
}

/** An event later than this is a repeat after an outage: it belongs to the history only, in milliseconds (our choice). */
export const LATE_AFTER_MS = 120_000;

/** Whether an event is received so late that it starts no automation and raises no alert. */
export function isLate(at: Instant, now: Instant): boolean {
  return now - at > LATE_AFTER_MS;
}

/** Whether an event has just happened; while the service's time is unknown, none has. */
export function isRecent(at: Instant, now: Instant | null): boolean {
  return now !== null && !isLate(at, now);
}

/** The service gives up a delivery after 24 hours (wire contract 7); an hour is for clocks that disagree. */
const OLDEST_DELIVERY_MS = 25 * 3_600_000;

/** Whether an event is older than any that the service still delivers. */
export function isTooOldToDeliver(at: Instant, now: Instant): boolean {
  return now - at > OLDEST_DELIVERY_MS;
}

/** No clock at a lock or the service is credibly ahead by more, in milliseconds (our choice). */
const CREDIBLY_AHEAD_MS = 5 * 60_000;

/** Whether a date can be meant: one from far ahead would otherwise let an event be repeated until then. */
export function isCredible(at: Instant, now: Instant): boolean {
  return at <= now + CREDIBLY_AHEAD_MS;
}

/**
 * An event, its history entry and the listing date one thing alike to within this, in milliseconds (our choice). An event
 * that is slower was overtaken by the poll that saw the same; a delivery has 30 s (wire contract 7).
 */
export const REPORTED_WITHIN_MS = 30_000;

/** Two reports of one move, by webhook and by history, differ by no more, in milliseconds (our choice). */
export const SAME_WITHIN_MS = 2_000;

/** A lock in another time zone that dates entries by its local time is not further ahead than this, in milliseconds. */
const HISTORY_AHEAD_MS = 24 * 3_600_000;

/** The latest date that a history entry can have: one from years ahead would displace all others (faults#87). */
function latestInHistory(now: Instant): Instant {
  return now + HISTORY_AHEAD_MS;
}

/** Whether a history entry can be kept: not years ahead, and not older than the archive keeps. */
export function isKeepable(at: Instant, now: Instant, keptMs: number): boolean {
  return at <= latestInHistory(now) && at > now - keptMs;
}

/** "Unlocked" counts for "already there" only when confirmed within this, in milliseconds (our choice). */
export const POSITION_COUNTS_FOR_MS = 5_000;

/** An unlock that could not be sent within this is dropped, in milliseconds (our choice). */
export const UNLOCK_MAY_WAIT_MS = 10_000;

/** "Lock" may wait out the longest command of another client: 60 s (wire contract 3) and the service's delays. */
export const LOCK_MAY_WAIT_MS = 65_000;

/**
 * Longer than most bolts travel, in milliseconds (our choice): only a later reading of the old position proves that a lost command
 * did not move it.
 */
export const TRAVEL_MS = 10_000;

/** A listing may lag behind what was reported or commanded by so much, in milliseconds (our choice). */
export const LISTED_WITHIN_MS = 10_000;

/** A lock that a part of a list leaves out is unknown so long after it, unless another list has it, in milliseconds (our choice). */
export const LEFT_OUT_FOR_MS = 2_000;

/** The service's report that a command is pending counts for this long (our choice): an unlock behind it can still be sent. */
export const PENDING_COUNTS_FOR_MS = 3_000;

/** An unlock this soon after locking by itself shows that a person wants the lock open (our choice). */
export const UNLOCKED_AGAIN_WITHIN_MS = 10 * 60_000;

/** A reading is recent enough to lock by within this (our choice): a listing takes a moment. */
export const CONFIRMED_TO_LOCK_WITHIN_MS = 10_000;

/** After a request for a reading, look again within this (our choice). */
export const CONFIRMING_TAKES_MS = 15_000;
