// Estimates the service's clock from the dates of its answers, carried on by the machine's own clocks.
import type { Instant } from './instant.ts';
import { type Moment, suspendedMs, type TimeBounds } from './time.ts';

/** All offsets from the time that passed here to the service's clock that an answer allows, and when it came. */
export interface OffsetRange {
  readonly low: number;
  readonly high: number;
  /** An instant of the time that passed here: the monotonic clock and all sleeps. */
  readonly measuredAt: number;
}

/** A sleep, and the monotonic time at which it was noticed. */
interface Sleep {
  readonly noticedAt: number;
  readonly ms: number;
}

export interface TimeEstimate {
  readonly seen: Moment;
  /** The latest sleeps; anything requested before one is dated before it. */
  readonly sleeps: readonly Sleep[];
  readonly sleptMs: number;
  readonly known: OffsetRange;
  /** False until the first answer: the machine's wall clock is taken for the service's. */
  readonly isMeasured: boolean;
  /** An answer's claim that contradicts the estimate, kept until a later answer agrees with either. */
  readonly contradiction: OffsetRange | null;
  readonly unconfirmedSleepMs: number;
  readonly setBackMs: number;
  /** The latest date of all received events and questions; anything asked later is true for a later instant. */
  readonly datedUntil: Instant;
}

/** A Date header counts whole seconds (RFC 9110, 5.6.7). */
const DATE_RESOLUTION_MS = 1_000;

/** How far two quartz clocks may drift apart: a tenth of a millisecond a second each (our choice, twice the usual). */
const DRIFT = 0.000_2;

/** How exactly an unmeasured clock is known, in milliseconds (our choice): a second, and a slow answer. */
const UNMEASURED_MS = 2_000;

/** A first date further ahead of the machine's clock needs a second answer that agrees, in milliseconds (our choice). */
const BELIEVED_AHEAD_MS = 60_000;

/** A question is under way for less than this, in milliseconds. */
const LONGEST_QUESTION_MS = 60_000;

export function unmeasured(moment: Moment): TimeEstimate {
  const low = moment.wallMs - moment.monotonicMs;
  return {
    seen: moment,
    sleeps: [],
    sleptMs: 0,
    known: { low, high: low + UNMEASURED_MS, measuredAt: moment.monotonicMs },
    isMeasured: false,
    contradiction: null,
    unconfirmedSleepMs: 0,
    setBackMs: 0,
    datedUntil: Number.NEGATIVE_INFINITY,
  };
}

/** Notices a sleep. To be called before anything else is asked of the estimate. */
export function noticeSleep(estimate: TimeEstimate, moment: Moment): TimeEstimate {
  const ms = suspendedMs(estimate.seen, moment);
  if (ms === 0) {
    return { ...estimate, seen: moment };
  }
  const noticedAt = moment.monotonicMs;
  const recent = estimate.sleeps.filter((sleep) => noticedAt - sleep.noticedAt < LONGEST_QUESTION_MS);
  return {
    ...estimate,
    seen: moment,
    sleeps: [...recent, { noticedAt, ms }],
    sleptMs: estimate.sleptMs + ms,
    unconfirmedSleepMs: estimate.unconfirmedSleepMs + ms,
  };
}

/** How much time had passed here at that monotonic time, sleeps included. */
function passedAt({ sleeps, sleptMs }: TimeEstimate, monotonicMs: number): number {
  const laterMs = sleeps.reduce((sum, { noticedAt, ms }) => (noticedAt > monotonicMs ? sum + ms : sum), 0);
  return monotonicMs + sleptMs - laterMs;
}

/** The service's clock now, if the machine did not sleep since it was last measured. */
function rangeNow(estimate: TimeEstimate): { readonly earliest: number; readonly latest: number } {
  const { seen, unconfirmedSleepMs, isMeasured, known } = estimate;
  const passed = passedAt(estimate, seen.monotonicMs) - unconfirmedSleepMs;
  const { low, high } = isMeasured ? widened(known, passed) : known;
  return { earliest: passed + low, latest: passed + high };
}

export function boundsOf(estimate: TimeEstimate): TimeBounds {
  const { earliest, latest } = rangeNow(estimate);
  const { unconfirmedSleepMs, setBackMs } = estimate;
  return {
    earliest: Math.floor(earliest),
    latest: Math.ceil(latest),
    unconfirmedSleepMs,
    setBackMs: Math.ceil(setBackMs),
  };
}

/** The likeliest time of the service's clock and how exactly it is known; null before the first answer. */
export function likeliest(
  estimate: TimeEstimate,
): { readonly at: number; readonly uncertaintyMs: number } | null {
  const { known, isMeasured, contradiction, seen } = estimate;
  const range = isMeasured ? known : contradiction;
  if (range === null) {
    return null;
  }
  const passed = passedAt(estimate, seen.monotonicMs);
  const { low, high } = widened(range, passed);
  return { at: passed + (low + high) / 2, uncertaintyMs: Math.ceil((high - low) / 2) };
}

/** The earliest that the service's clock can have shown when a question was asked, at that monotonic time. */
export function askedAt(estimate: TimeEstimate, monotonicMs: number): Instant {
  const { known, isMeasured, unconfirmedSleepMs } = estimate;
  const passed = passedAt(estimate, monotonicMs);
  const { low } = isMeasured ? widened(known, Math.max(passed, known.measuredAt)) : known;
  return Math.floor(passed + low - unconfirmedSleepMs);
}

/** An event that is so dated was received. One that cannot be placed says nothing of the service's clock. */
export function eventReceived(estimate: TimeEstimate, at: Instant): TimeEstimate {
  return at > estimate.datedUntil && at <= boundsOf(estimate).latest
    ? { ...estimate, datedUntil: at }
    : estimate;
}

/** A question is asked: true for a later instant than every event received and every question asked before it. */
export function questionAsked(estimate: TimeEstimate): TimeEstimate {
  return { ...estimate, datedUntil: estimate.datedUntil + 1 };
}

/** An answer with its date in epoch milliseconds, or null for none; both times are monotonic. */
export interface Answer {
  readonly dateMs: number | null;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * Learns from an answer, whose date was written between request and answer. A date that agrees sharpens the estimate, and
 * shows whether the machine slept or its clock was set. One that contradicts counts only when a later answer agrees: a
 * single wrong date would outrank the truth.
 */
export function answered(estimate: TimeEstimate, { dateMs, sentAt, receivedAt }: Answer): TimeEstimate {
  if (dateMs === null) {
    // The wall clock gained for an unknown reason: a sleep is likelier than a clock that was set.
    return { ...estimate, unconfirmedSleepMs: 0 };
  }
  const received = passedAt(estimate, receivedAt);
  const claimed: OffsetRange = {
    low: dateMs - received,
    high: dateMs + DATE_RESOLUTION_MS - passedAt(estimate, sentAt),
    measuredAt: received,
  };
  const agreed = estimate.isMeasured ? common(hullOf(estimate), claimed) : firstOf(estimate, claimed);
  if (agreed !== null) {
    return adopt(estimate, agreed);
  }
  const { contradiction } = estimate;
  if (contradiction !== null && passedAt(estimate, sentAt) < contradiction.measuredAt) {
    // Both were under way at once, through the same strange hour: no second witness.
    return estimate;
  }
  const second = contradiction === null ? null : common(contradiction, claimed);
  return second === null ? { ...estimate, contradiction: claimed } : adopt(estimate, second);
}

/** The offsets that are possible whether the machine slept or its wall clock was set. */
function hullOf({ known, unconfirmedSleepMs }: TimeEstimate): OffsetRange {
  return { ...known, low: known.low - unconfirmedSleepMs };
}

function firstOf({ known, unconfirmedSleepMs }: TimeEstimate, claimed: OffsetRange): OffsetRange | null {
  return claimed.low <= known.low - unconfirmedSleepMs + BELIEVED_AHEAD_MS ? claimed : null;
}

function adopt(estimate: TimeEstimate, known: OffsetRange): TimeEstimate {
  const next = { ...estimate, known, isMeasured: true, contradiction: null, unconfirmedSleepMs: 0 };
  const backMs = rangeNow(estimate).earliest - rangeNow(next).earliest;
  const setBackMs = backMs >= 1 ? backMs : 0;
  return {
    ...next,
    setBackMs: estimate.setBackMs + setBackMs,
    datedUntil: setBackMs > 0 ? Number.NEGATIVE_INFINITY : estimate.datedUntil,
  };
}

/** The range that two answers allow together; null when they contradict each other. */
function common(earlier: OffsetRange, claimed: OffsetRange): OffsetRange | null {
  const known = widened(earlier, claimed.measuredAt);
  const low = Math.max(known.low, claimed.low);
  const high = Math.min(known.high, claimed.high);
  return low <= high ? { low, high, measuredAt: claimed.measuredAt } : null;
}

/** The range of the offset at a later time, when both clocks may have drifted. */
function widened(range: OffsetRange, passed: number): OffsetRange {
  const driftMs = Math.max(passed - range.measuredAt, 0) * DRIFT;
  return { low: range.low - driftMs, high: range.high + driftMs, measuredAt: passed };
}
