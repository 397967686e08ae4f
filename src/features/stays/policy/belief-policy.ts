// What is believed of a calendar after a reading: what is new counts at once, and a loss by its cost.
import type { Instant } from '../../../domain/time/instant.ts';
import { DAY_MS, proofOfLoss } from './loss-policy.ts';
import { type Booking, bookingKey, sameTime } from './stay.ts';
import { successorSteps } from './stay-identity.ts';
import { type Span, SpanIndex } from './stay-windows.ts';
import { eachOf, finished, type Steps } from './steps.ts';
import { steadied } from './wavering-policy.ts';

/** A booking that has come back, or has moved, is doubted for so long: at most two commands a day come of it (specified). */
const WAVERS_FOR_MS = DAY_MS;
/** Bookings that were lost are known again for a week, and so many at most (our choice). */
const REMEMBERED_MS = 7 * DAY_MS;
const MOST_REMEMBERED = 500;
/** So many bookings that are missing are believed at most, the nearest first: an export that renews everything adds up (our choice). */
const MOST_MISSING = 1_000;

/** What is remembered of a booking beside what was read last; most bookings have nothing to remember. */
export interface Watch {
  readonly booking: Booking;
  /** It is still believed, although the last readings lack it. */
  readonly missing: { readonly firstAt: Instant; readonly readings: number } | null;
  /** Its loss was believed. */
  readonly lostAt: Instant | null;
  /** It was missing or lost, and was read again. */
  readonly returnedAt: Instant | null;
  /** When its dates or its title changed within the last day. */
  readonly moves: readonly Instant[];
  /** The booking as it was read, where other dates are believed for now. */
  readonly read: Booking | null;
}

export interface Doubt {
  /** The number of coming stays that are missing. */
  readonly lost: number;
  readonly believedAt: Instant;
}

export interface Belief {
  readonly bookings: readonly Booking[];
  /** Null: the last reading was believed. */
  readonly doubt: Doubt | null;
  readonly watched?: readonly Watch[];
}

export const NOTHING_BELIEVED: Belief = { bookings: [], doubt: null };

export interface BeliefFacts {
  readonly now: Instant;
  /** The calendar cancels these itself: they are not lost. */
  readonly cancelled: ReadonlySet<string>;
  readonly windowOf: (booking: Booking) => Span;
  /** Whether the guest is there, or comes today. */
  readonly hasBegun: (booking: Booking) => boolean;
  readonly beginsSoon?: (booking: Booking) => boolean;
  /** The calendar may end a stay that is under way. */
  readonly endEarly: boolean;
}

interface Known {
  readonly booking: Booking;
  readonly isOpen: boolean;
  readonly isLost: boolean;
  readonly watch: Watch | null;
}

interface Present extends Span {
  readonly booking: Booking;
  /** It came back within the last day: it proves nothing about others. */
  readonly wavers: boolean;
}

export function afterReading(before: Belief, reading: readonly Booking[], facts: BeliefFacts): Belief {
  return finished(readingSteps(before, reading, facts));
}

/** The calendar reports no change: it says again what it said last. */
export function afterUnchanged(before: Belief, facts: BeliefFacts): Belief {
  return finished(unchangedSteps(before, facts));
}

export function* readingSteps(
  before: Belief,
  reading: readonly Booking[],
  facts: BeliefFacts,
): Steps<Belief> {
  const known = yield* knownSteps(before, facts);
  const next = yield* successorSteps(known, reading, facts);
  const formerOf = new Map([...next].map(([former, booking]) => [booking, former]));
  yield undefined;
  const present = yield* eachOf(reading, (booking): Present => {
    const watch = formerOf.get(booking)?.watch ?? null;
    const wavers = watch !== null && (isAway(watch) || isRecent(watch.returnedAt, facts.now));
    return { booking, wavers, ...facts.windowOf(booking) };
  });
  const index = new SpanIndex(present);
  yield undefined;
  const read = yield* eachOf(reading, (booking) => followed(formerOf.get(booking), booking, index, facts));
  const absent = known.filter((one) => one.isOpen && !next.has(one));
  const missing = yield* lossSteps(absent, before, index, facts);
  const kept = nearest(
    missing.filter(({ lostAt }) => lostAt === null),
    facts,
  );
  const lost = missing.filter(({ lostAt }) => lostAt !== null);
  return {
    bookings: [...read.map(({ booking }) => booking), ...kept.map(({ booking }) => booking)],
    doubt: doubtOf(kept, facts),
    watched: [
      ...read.map(({ watch }) => watch).filter((watch) => watch !== null),
      ...kept,
      ...lost.toSorted((a, b) => (b.lostAt ?? 0) - (a.lostAt ?? 0)).slice(0, MOST_REMEMBERED),
    ],
  };
}

export function* unchangedSteps(before: Belief, facts: BeliefFacts): Steps<Belief> {
  if ((before.watched ?? []).length === 0) {
    return before;
  }
  const watches = new Map((before.watched ?? []).map((watch) => [bookingKey(watch.booking), watch]));
  const read = before.bookings.flatMap((booking) => {
    const watch = watches.get(bookingKey(booking));
    return watch?.missing ? [] : [watch?.read ?? booking];
  });
  return yield* readingSteps(before, read, facts);
}

/** Keys of bookings that are believed although the last reading lacks them. */
export function missingIn({ watched = [] }: Pick<Belief, 'watched'>): ReadonlySet<string> {
  return new Set(watched.filter(({ missing }) => missing !== null).map(({ booking }) => bookingKey(booking)));
}

/** Keys of bookings whose loss is believed. */
export function lostIn({ watched = [] }: Pick<Belief, 'watched'>): ReadonlySet<string> {
  return new Set(watched.filter(({ lostAt }) => lostAt !== null).map(({ booking }) => bookingKey(booking)));
}

function* knownSteps({ bookings, watched = [] }: Belief, facts: BeliefFacts): Steps<readonly Known[]> {
  const isOpen = (booking: Booking): boolean => facts.windowOf(booking).closesAt > facts.now;
  const live = new Map(
    watched.filter(({ lostAt }) => lostAt === null).map((watch) => [bookingKey(watch.booking), watch]),
  );
  const lost = watched.filter(({ lostAt }) => lostAt !== null && facts.now - lostAt < REMEMBERED_MS);
  const believed = yield* eachOf(bookings, (booking) => ({
    booking,
    isOpen: isOpen(booking),
    isLost: false,
    watch: live.get(bookingKey(booking)) ?? null,
  }));
  return [
    ...believed,
    ...lost.map((watch) => ({
      booking: watch.booking,
      isOpen: isOpen(watch.booking),
      isLost: true,
      watch,
    })),
  ];
}

const isAway = ({ missing, lostAt }: Watch): boolean => missing !== null || lostAt !== null;

const isRecent = (at: Instant | null, now: Instant): boolean => at !== null && now - at < WAVERS_FOR_MS;

const recentReturn = (watch: Watch | null, now: Instant): Instant | null =>
  watch !== null && isRecent(watch.returnedAt, now) ? watch.returnedAt : null;

interface Followed {
  readonly booking: Booking;
  readonly watch: Watch | null;
}

function followed(
  former: Known | undefined,
  read: Booking,
  index: SpanIndex<Present>,
  facts: BeliefFacts,
): Followed {
  if (former === undefined) {
    return { booking: read, watch: null };
  }
  const { now, windowOf, hasBegun } = facts;
  const { watch } = former;
  const returnedAt = watch !== null && isAway(watch) ? now : recentReturn(watch, now);
  const recent = (watch?.moves ?? []).filter((at) => isRecent(at, now));
  const isTaken = (wide: Booking): boolean =>
    index.overlapping(windowOf(wide), ({ booking }) => booking === read) !== undefined;
  const whole = withMarksOf(former.booking, read);
  const lastRead = watch?.read ?? former.booking;
  const move = { now, windowOf, hasBegun, lastRead, isTaken };
  const { booking, moves } = steadied(former.booking, whole, recent, move);
  if (returnedAt === null && moves.length === 0) {
    return { booking, watch: null };
  }
  const isHeld = !(sameTime(booking.start, read.start) && sameTime(booking.end, read.end));
  return {
    booking,
    watch: { booking, missing: null, lostAt: null, returnedAt, moves, read: isHeld ? read : null },
  };
}

/** What the text no longer says stays known, so that another guest is told from this one later. */
function withMarksOf(former: Booking, read: Booking): Booking {
  const { references = [], guest, isPhoneShared = false } = read;
  return {
    ...read,
    phone4: read.phone4 ?? (isPhoneShared ? null : former.phone4),
    references: references.length > 0 ? references : (former.references ?? []),
    guest: guest ?? former.guest ?? null,
  };
}

/** Each absent booking as it is remembered now: missing, or lost. */
function* lossSteps(
  absent: readonly Known[],
  before: Belief,
  index: SpanIndex<Present>,
  facts: BeliefFacts,
): Steps<readonly Watch[]> {
  const { now, cancelled, windowOf } = facts;
  const believed = absent.filter(({ watch }) => watch === null || watch.lostAt === null);
  const isComing = (booking: Booking): boolean =>
    windowOf(booking).opensAt > now && !cancelled.has(booking.uid);
  const lost = believed.filter(({ booking }) => isComing(booking)).length;
  const coming = before.bookings.filter(isComing).length;
  const isMass = lost > 0 && (2 * lost > coming || lost === coming);
  const wasMissing = missingIn(before);
  const isSameLoss =
    believed.length === wasMissing.size &&
    believed.every(({ booking }) => wasMissing.has(bookingKey(booking)));
  const reading = { isMass, isOnly: lost === 1, isCounted: !isMass || isSameLoss, index };
  yield undefined;
  return yield* eachOf(absent, ({ booking, watch }) =>
    watch !== null && watch.lostAt !== null ? watch : missed(booking, watch, reading, facts),
  );
}

interface LossOfReading {
  readonly isMass: boolean;
  readonly isOnly: boolean;
  /** The readings before this one count. */
  readonly isCounted: boolean;
  readonly index: SpanIndex<Present>;
}

function missed(booking: Booking, watch: Watch | null, reading: LossOfReading, facts: BeliefFacts): Watch {
  const { now, cancelled, windowOf } = facts;
  const counted = reading.isCounted ? watch?.missing : undefined;
  const missing = { firstAt: counted?.firstAt ?? now, readings: (counted?.readings ?? 0) + 1 };
  const returnedAt = recentReturn(watch, now);
  const window = windowOf(booking);
  const aheadMs = window.opensAt - now;
  // Two guests cannot have the same nights: the one that is there speaks against the one that is not.
  const rival = reading.index.overlapping(window, ({ wavers }) => wavers);
  const proof = proofOfLoss({
    aheadMs,
    hasBegun: facts.hasBegun(booking),
    isReplaced: rival !== undefined && (aheadMs > 0 || rival.opensAt <= now),
    isCancelled: cancelled.has(booking.uid),
    cameBack: returnedAt !== null,
    isMass: reading.isMass,
    isOnly: reading.isOnly,
    endEarly: facts.endEarly,
  });
  const isProven = missing.readings >= proof.readings && now - missing.firstAt >= proof.overMs;
  const remembered = { booking, returnedAt, moves: watch?.moves ?? [], read: null };
  return isProven ? { ...remembered, missing: null, lostAt: now } : { ...remembered, missing, lostAt: null };
}

function nearest(missing: readonly Watch[], { windowOf }: BeliefFacts): readonly Watch[] {
  return missing.length <= MOST_MISSING
    ? missing
    : missing
        .toSorted((a, b) => windowOf(a.booking).opensAt - windowOf(b.booking).opensAt)
        .slice(0, MOST_MISSING);
}

function doubtOf(kept: readonly Watch[], facts: BeliefFacts): Doubt | null {
  const waiting = kept.flatMap(({ booking, missing, returnedAt }) => {
    const aheadMs = facts.windowOf(booking).opensAt - facts.now;
    const cameBack = returnedAt !== null;
    if (missing === null || aheadMs <= 0 || (facts.hasBegun(booking) && !cameBack)) {
      return [];
    }
    const { overMs } = proofOfLoss({ ...AHEAD, aheadMs });
    return [cameBack ? returnedAt + WAVERS_FOR_MS : missing.firstAt + overMs];
  });
  // Not by spreading: there may be a thousand.
  const believedAt = waiting.reduce((least, at) => Math.min(least, at), Infinity);
  return waiting.length === 0 ? null : { lost: waiting.length, believedAt };
}

const AHEAD = {
  hasBegun: false,
  isReplaced: false,
  isCancelled: false,
  cameBack: false,
  isMass: true,
  isOnly: false,
  endEarly: false,
} as const;
