// What is believed of a calendar after a reading: what is new counts at once, and a loss by its cost.
import type { Instant } from '../time/instant.ts';
import { folded } from './booking-words.ts';
import { type Booking, bookingKey, sameTime } from './stay.ts';
import { successors } from './stay-identity.ts';
import { type Span, SpanIndex } from './stay-windows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How often in a row, and for how long, a booking must be missing before its loss is believed. */
interface Proof {
  readonly readings: number;
  readonly overMs: number;
}

const AT_ONCE: Proof = { readings: 1, overMs: 0 };
/** A reading that lost more than half of the coming stays, or all of them; or a check-in within two days (specified). */
const THREE_READINGS: Proof = { readings: 3, overMs: 2 * HOUR_MS };
/** A check-in within a day, which a stale copy must not take away (our choice). */
const SIX_READINGS: Proof = { readings: 6, overMs: 4 * HOUR_MS };
/** A person allowed the calendar to end a stay that is under way. */
const END_EARLY: Proof = { readings: 3, overMs: 0 };
/** Portals drop what has begun: its absence proves nothing. */
const NEVER: Proof = { readings: Infinity, overMs: Infinity };

const NEAR_MS = 2 * DAY_MS;
/** Another guest has the nights: in the hour before its check-in, a doubted booking gives way to the one that is there. */
const GIVES_WAY_MS = HOUR_MS;
/** A booking that has come back, or has moved, is doubted for so long: at most two commands a day come of it (specified). */
const WAVERS_FOR_MS = DAY_MS;
const MOST_MOVES = 2;
/** Bookings that were lost are known again for a week, and so many at most. */
const REMEMBERED_MS = 7 * DAY_MS;
const MOST_REMEMBERED = 500;

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
  /** The calendar may end a stay that is under way. */
  readonly endEarly: boolean;
}

interface Known {
  readonly booking: Booking;
  readonly isOpen: boolean;
  readonly watch: Watch | null;
}

interface Present extends Span {
  readonly booking: Booking;
  /** It came back within the last day: it proves nothing about others. */
  readonly wavers: boolean;
}

export function afterReading(before: Belief, reading: readonly Booking[], facts: BeliefFacts): Belief {
  const known = knownOf(before, facts);
  const next = successors(known, reading, facts.hasBegun);
  const formerOf = new Map([...next].map(([former, booking]) => [booking, former]));
  const present = reading.map((booking): Present => {
    const watch = formerOf.get(booking)?.watch ?? null;
    const wavers = watch !== null && (isAway(watch) || isRecent(watch.returnedAt, facts.now));
    return { booking, wavers, ...facts.windowOf(booking) };
  });
  const index = new SpanIndex(present);
  const read = reading.map((booking) => followed(formerOf.get(booking), booking, index, facts));
  const absent = known.filter((one) => one.isOpen && !next.has(one));
  const missing = judged(absent, before, index, facts);
  const kept = missing.filter(({ lostAt }) => lostAt === null);
  return {
    bookings: [...read.map(({ booking }) => booking), ...kept.map(({ booking }) => booking)],
    doubt: doubtOf(kept, facts),
    watched: remembered([...read.map(({ watch }) => watch).filter((watch) => watch !== null), ...missing]),
  };
}

/** The calendar reports no change: it says again what it said last. */
export function afterUnchanged(before: Belief, facts: BeliefFacts): Belief {
  if ((before.watched ?? []).length === 0) {
    return before;
  }
  const watches = new Map((before.watched ?? []).map((watch) => [bookingKey(watch.booking), watch]));
  const read = before.bookings.flatMap((booking) => {
    const watch = watches.get(bookingKey(booking));
    return watch?.missing ? [] : [watch?.read ?? booking];
  });
  return afterReading(before, read, facts);
}

/** Bookings that are believed although the last reading lacks them. */
export function missingIn({ watched = [] }: Belief): ReadonlySet<string> {
  return new Set(watched.filter(({ missing }) => missing !== null).map(({ booking }) => bookingKey(booking)));
}

/** Bookings whose loss is believed. */
export function lostIn({ watched = [] }: Belief): ReadonlySet<string> {
  return new Set(watched.filter(({ lostAt }) => lostAt !== null).map(({ booking }) => bookingKey(booking)));
}

function knownOf({ bookings, watched = [] }: Belief, facts: BeliefFacts): readonly Known[] {
  const isOpen = (booking: Booking): boolean => facts.windowOf(booking).closesAt > facts.now;
  const live = new Map(watched.filter(({ lostAt }) => lostAt === null).map((watch) => [bookingKey(watch.booking), watch]));
  const lost = watched.filter(({ lostAt }) => lostAt !== null && facts.now - lostAt < REMEMBERED_MS);
  return [
    ...bookings.map((booking) => ({ booking, isOpen: isOpen(booking), watch: live.get(bookingKey(booking)) ?? null })),
    ...lost.map((watch) => ({ booking: watch.booking, isOpen: isOpen(watch.booking), watch })),
  ];
}

const isAway = ({ missing, lostAt }: Watch): boolean => missing !== null || lostAt !== null;

const isRecent = (at: Instant | null, now: Instant): boolean => at !== null && now - at < WAVERS_FOR_MS;

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
  const { now } = facts;
  const { watch } = former;
  const returnedAt = watch !== null && isAway(watch) ? now : isRecent(watch?.returnedAt ?? null, now) ? (watch?.returnedAt ?? null) : null;
  const { booking, moves } = steadied(former, withMarksOf(former.booking, read), index, facts);
  const isHeld = !(sameTime(booking.start, read.start) && sameTime(booking.end, read.end));
  const isPlain = returnedAt === null && moves.length === 0;
  return {
    booking,
    watch: isPlain ? null : { booking, missing: null, lostAt: null, returnedAt, moves, read: isHeld ? read : null },
  };
}

/** What the text no longer says stays known, so that another guest is told from this one later. */
function withMarksOf(former: Booking, read: Booking): Booking {
  const hasReferences = (read.references ?? []).length > 0;
  return {
    ...read,
    phone4: read.phone4 ?? (read.isPhoneShared === true ? null : former.phone4),
    references: (hasReferences ? read.references : former.references) ?? [],
    guest: read.guest ?? former.guest ?? null,
  };
}

/** A booking that moves again within a day keeps the longer span: two servers that answer in turn would move it all day. */
function steadied(
  { booking: former, watch }: Known,
  read: Booking,
  index: SpanIndex<Present>,
  facts: BeliefFacts,
): { readonly booking: Booking; readonly moves: readonly Instant[] } {
  const moves = (watch?.moves ?? []).filter((at) => isRecent(at, facts.now));
  const hasMoved = !(sameTime(former.start, read.start) && sameTime(former.end, read.end));
  const isRenamed = folded(former.summary) !== folded(read.summary);
  if (facts.windowOf(former).opensAt <= facts.now) {
    // The guest is there: portals that cut off what has begun say nothing of the arrival.
    const isLater = facts.windowOf(read).opensAt > facts.windowOf(former).opensAt;
    return { booking: isLater ? { ...read, start: former.start } : read, moves };
  }
  if (!(hasMoved || isRenamed)) {
    return { booking: read, moves };
  }
  if (moves.length === 0) {
    return { booking: read, moves: [facts.now] };
  }
  const held = { ...read, start: former.start, end: former.end, summary: former.summary };
  const wide = widest(former, read, facts);
  const isInTheWay = wide !== null && index.overlapping(facts.windowOf(wide), ({ booking }) => booking.uid === read.uid) !== undefined;
  const wanted = wide === null || isInTheWay ? read : wide;
  const changes = !(sameTime(former.start, wanted.start) && sameTime(former.end, wanted.end)) || isRenamed;
  if (!changes) {
    return { booking: wanted, moves };
  }
  return moves.length < MOST_MOVES ? { booking: wanted, moves: [...moves, facts.now] } : { booking: held, moves };
}

/** From the earlier start to the later end; null where the two do not touch. */
function widest(a: Booking, b: Booking, { windowOf }: BeliefFacts): Booking | null {
  const [first, second] = [windowOf(a), windowOf(b)];
  if (first.opensAt >= second.closesAt || second.opensAt >= first.closesAt) {
    return null;
  }
  return {
    ...b,
    start: first.opensAt < second.opensAt ? a.start : b.start,
    end: first.closesAt > second.closesAt ? a.end : b.end,
  };
}

/** Each absent booking as it is remembered now: missing, or lost. */
function judged(
  absent: readonly Known[],
  before: Belief,
  index: SpanIndex<Present>,
  facts: BeliefFacts,
): readonly Watch[] {
  const { now, cancelled } = facts;
  const believed = absent.filter(({ watch }) => watch === null || watch.lostAt === null);
  const isComing = (booking: Booking): boolean => facts.windowOf(booking).opensAt > now && !cancelled.has(booking.uid);
  const lost = believed.filter(({ booking }) => isComing(booking)).length;
  const coming = before.bookings.filter(isComing).length;
  const isMass = lost > 0 && (2 * lost > coming || lost === coming);
  const wasMissing = missingIn(before);
  const isSameLoss = believed.length === wasMissing.size && believed.every(({ booking }) => wasMissing.has(bookingKey(booking)));
  return absent.map(({ booking, watch }): Watch => {
    if (watch !== null && watch.lostAt !== null) {
      return watch;
    }
    const counted = isMass && !isSameLoss ? null : (watch?.missing ?? null);
    const missing = { firstAt: counted?.firstAt ?? now, readings: (counted?.readings ?? 0) + 1 };
    const returnedAt = isRecent(watch?.returnedAt ?? null, now) ? (watch?.returnedAt ?? null) : null;
    const proof = proofFor(booking, { returnedAt, isMass: isMass && lost > 1, isAlone: isMass, index }, facts);
    const isProven = missing.readings >= proof.readings && now - missing.firstAt >= proof.overMs;
    const base = { booking, returnedAt, moves: watch?.moves ?? [], read: null };
    return isProven ? { ...base, missing: null, lostAt: now } : { ...base, missing, lostAt: null };
  });
}

interface LossFacts {
  readonly returnedAt: Instant | null;
  /** Several were lost, and they are more than half. */
  readonly isMass: boolean;
  /** The same, also where the lost one was the only one. */
  readonly isAlone: boolean;
  readonly index: SpanIndex<Present>;
}

function proofFor(booking: Booking, { returnedAt, isMass, isAlone, index }: LossFacts, facts: BeliefFacts): Proof {
  const { now, cancelled, hasBegun, windowOf, endEarly } = facts;
  const window = windowOf(booking);
  const aheadMs = window.opensAt - now;
  const isUnderWay = aheadMs <= 0;
  // Two guests cannot have the same nights: the one that is there speaks against the one that is not.
  const rival = index.overlapping(window, ({ wavers }) => wavers);
  const isReplaced = rival !== undefined && (!isUnderWay || rival.opensAt <= now);
  const isSaid = isReplaced || (cancelled.has(booking.uid) && (!isUnderWay || endEarly));
  if (returnedAt !== null) {
    return isSaid ? THREE_READINGS : NEVER;
  }
  if (isSaid) {
    return isReplaced && isMass && aheadMs > GIVES_WAY_MS ? THREE_READINGS : AT_ONCE;
  }
  if (isUnderWay || hasBegun(booking)) {
    return isUnderWay && endEarly ? END_EARLY : NEVER;
  }
  if (aheadMs <= DAY_MS) {
    return SIX_READINGS;
  }
  return aheadMs <= NEAR_MS || isAlone ? THREE_READINGS : AT_ONCE;
}

function doubtOf(kept: readonly Watch[], facts: BeliefFacts): Doubt | null {
  const waiting = kept.flatMap(({ booking, missing, returnedAt }) => {
    const aheadMs = facts.windowOf(booking).opensAt - facts.now;
    if (missing === null || aheadMs <= 0 || (facts.hasBegun(booking) && returnedAt === null)) {
      return [];
    }
    const { overMs } = aheadMs <= DAY_MS ? SIX_READINGS : THREE_READINGS;
    return [returnedAt === null ? missing.firstAt + overMs : returnedAt + WAVERS_FOR_MS];
  });
  return waiting.length === 0 ? null : { lost: waiting.length, believedAt: Math.min(...waiting) };
}

/** Those that are missing come first; of the others the latest. */
function remembered(watches: readonly Watch[]): readonly Watch[] {
  const [live, lost] = [watches.filter(({ lostAt }) => lostAt === null), watches.filter(({ lostAt }) => lostAt !== null)];
  return [...live, ...lost.toSorted((a, b) => (b.lostAt ?? 0) - (a.lostAt ?? 0)).slice(0, MOST_REMEMBERED)];
}
