// The dates that are believed of a booking that moves: one that moves again within a day keeps the longer span.
import type { Instant } from '../../../domain/time/instant.ts';
import { folded } from './booking-terms.ts';
import { type Booking, sameTime } from './stay.ts';
import type { Span } from './stay-windows.ts';

/** Two servers that answer in turn would move it all day: two changes are followed (specified). */
const MOST_MOVES = 2;

/** Longer than from a check-out to the check-in of the same day, shorter than to that of the next, in milliseconds (our choice). */
const SAME_DAY_MS = 12 * 3_600_000;

export interface MoveFacts {
  readonly now: Instant;
  readonly windowOf: (booking: Booking) => Span;
  /** Whether the guest is there, or comes today. */
  readonly hasBegun: (booking: Booking) => boolean;
  /** As it was read last: other dates may be believed for now. */
  readonly lastRead: Pick<Booking, 'start'>;
  /** Whether another booking has some of these nights. */
  readonly isTaken: (booking: Booking) => boolean;
}

export interface Moved {
  readonly booking: Booking;
  /** When it moved within the last day. */
  readonly moves: readonly Instant[];
}

/** `moves`: those within the last day. */
export function steadied(former: Booking, read: Booking, moves: readonly Instant[], facts: MoveFacts): Moved {
  const [before, after] = [facts.windowOf(former), facts.windowOf(read)];
  if (before.opensAt <= facts.now) {
    // The guest is there: portals that cut off what has begun say nothing of the arrival. Nights far behind the end are others.
    const isCutOff = after.opensAt > before.opensAt && after.opensAt < before.closesAt + SAME_DAY_MS;
    return { booking: isCutOff ? { ...read, start: former.start } : read, moves };
  }
  // At the portal the next day may have begun: what it cuts off is the night for which the guest comes today.
  const whole = { ...read, start: former.start };
  if (
    facts.hasBegun(former) &&
    sameTime(facts.lastRead.start, former.start) &&
    after.opensAt > before.opensAt &&
    after.opensAt < before.closesAt &&
    after.closesAt === before.closesAt &&
    !facts.isTaken(whole)
  ) {
    return { booking: whole, moves };
  }
  const isSame = (one: Booking): boolean => isAlike(former, one, facts);
  const wanted = isSame(read) || moves.length === 0 ? read : widest(former, read, facts);
  if (isSame(wanted)) {
    return { booking: wanted, moves };
  }
  return moves.length < MOST_MOVES
    ? { booking: wanted, moves: [...moves, facts.now] }
    : { booking: { ...read, start: former.start, end: former.end, summary: former.summary }, moves };
}

/** The same hours, in whatever form they are written. A title may be the name of the code. */
function isAlike(a: Booking, b: Booking, { windowOf }: MoveFacts): boolean {
  const [one, other] = [windowOf(a), windowOf(b)];
  return (
    one.opensAt === other.opensAt &&
    one.closesAt === other.closesAt &&
    folded(a.summary) === folded(b.summary)
  );
}

/** From the earlier start to the later end, where the two touch and nobody else has these nights. */
function widest(a: Booking, b: Booking, { windowOf, isTaken }: MoveFacts): Booking {
  const [first, second] = [windowOf(a), windowOf(b)];
  const wide = {
    ...b,
    start: first.opensAt < second.opensAt ? a.start : b.start,
    end: first.closesAt > second.closesAt ? a.end : b.end,
  };
  const touches = first.opensAt < second.closesAt && second.opensAt < first.closesAt;
  return touches && !isTaken(wide) ? wide : b;
}
