// When a guest who cleans may come in: from a check-out to the next check-in, on one lock.
import type { BetweenStays } from '../../../domain/codes/guest.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { foundAt, localDay } from '../../../domain/time/local-hours.ts';
import type { Stay } from './stay.ts';
import type { StayCalendar } from './stay-calendar.ts';
import { dayAfter, hoursOnLock, MS_PER_DAY } from './stay-hours.ts';
import type { Span } from './stay-windows.ts';

const MS_PER_MINUTE = 60_000;
/** Without a next check-in and without an hour, a gap ends so many days after the check-out (our choice). */
const LONGEST_DAYS = 7;

export interface CleaningFacts {
  /** The nights of all calendars that count on this lock. */
  readonly taken: readonly Span[];
  /** `HH:mm`, on the clocks of the lock; null: none. */
  readonly until: string | null;
  readonly zone: string;
  readonly now: Instant;
}

/** The calendars that count: those that were chosen, and those of the same home, whose guests are behind the same doors. */
export function calendarsOf(
  { calendars }: BetweenStays,
  all: readonly StayCalendar[],
): readonly StayCalendar[] {
  const chosen = all.filter(({ id }) => calendars.includes(id));
  return all.filter((one) => chosen.some((other) => containsLocks(one, other) || containsLocks(other, one)));
}

function containsLocks(outer: StayCalendar, inner: StayCalendar): boolean {
  return inner.locks.every((id) => outer.locks.includes(id));
}

/** The time that a stay takes: while its code opens every door, until a check-out. A guest who was seen counts, cancelled or not. */
export function takenBy(stay: Stay, calendar: StayCalendar): readonly Span[] {
  if (stay.isCancelled && stay.arrivedAt === null) {
    return [];
  }
  const { arrivalAt, departureAt } = stay.window;
  const onLocks = calendar.locks.map((id) => hoursOnLock(stay.window, id, calendar));
  const opensAt = Math.min(arrivalAt, Math.max(...onLocks.map(({ from }) => from)));
  const closesAt = Math.max(departureAt, Math.min(...onLocks.map(({ until }) => until)));
  const leftAt = Math.max(opensAt, stay.checkedOutAt ?? closesAt);
  return [{ opensAt, closesAt: Math.min(closesAt, leftAt) }];
}

/** The gap under way, or the next one; null: no check-out is known after which it lies. */
export function nextGap({ taken, until, zone, now }: CleaningFacts): Span | null {
  const blocks = joined(taken);
  for (const [index, { closesAt: opensAt }] of blocks.entries()) {
    const next = blocks[index + 1]?.opensAt ?? Infinity;
    const closesAt = Math.min(next, latestEnd(opensAt, until, zone));
    if (closesAt > now && closesAt > opensAt) {
      return { opensAt, closesAt };
    }
  }
  return null;
}

/** What was read of a calendar counts for a day: a gap that lies later is not known to be free (our choice). */
const TRUSTED_DAYS = 1;

/**
 * The hours to be kept on the lock; null: none, and the code is taken off it. `known`: those that it has. `unreadSince`:
 * when the calendars were read last, where that is not lately; then hours only become shorter, and end a day after it.
 */
export function cleaningHours(
  known: Span | null,
  unreadSince: Instant | null,
  facts: CleaningFacts,
): Span | null {
  const gap = nextGap(facts);
  if (unreadSince === null) {
    // Without a check-out to come, the gap under way stays until its end.
    return gap ?? (known !== null && known.opensAt <= facts.now ? known : null);
  }
  if (known === null || known.closesAt <= facts.now) {
    return known;
  }
  const opensAt = Math.max(known.opensAt, gap?.opensAt ?? -Infinity);
  const trustedUntil = wholeMinute(unreadSince + TRUSTED_DAYS * MS_PER_DAY);
  const closesAt = Math.min(known.closesAt, gap?.closesAt ?? Infinity, trustedUntil);
  return closesAt > Math.max(opensAt, facts.now) ? { opensAt, closesAt } : null;
}

/** Locks keep hours and minutes. */
function wholeMinute(at: Instant): Instant {
  return Math.floor(at / MS_PER_MINUTE) * MS_PER_MINUTE;
}

/** Spans in order; those that touch are one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const blocks: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.opensAt - b.opensAt)) {
    const last = blocks.at(-1);
    if (last !== undefined && span.opensAt <= last.closesAt) {
      blocks[blocks.length - 1] = { ...last, closesAt: Math.max(last.closesAt, span.closesAt) };
    } else {
      blocks.push(span);
    }
  }
  return blocks;
}

/** The hour next comes on the day of the check-out, or on the day after. */
function latestEnd(from: Instant, until: string | null, zone: string): Instant {
  if (until === null) {
    return from + LONGEST_DAYS * MS_PER_DAY;
  }
  const day = localDay(from, zone);
  const today = foundAt(zone, day, until).at;
  // The next day of the calendar: a day may have 25 hours.
  return today > from ? today : foundAt(zone, dayAfter(day), until).at;
}
