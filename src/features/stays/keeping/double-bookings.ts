// Finds stays that have the same nights in the same home, also from two calendars.
import type { Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { type Span, SpanIndex } from '../policy/stay-windows.ts';

interface Night extends Span {
  readonly stay: Stay;
}

export class DoubleBookings {
  readonly #calendarOf: (id: string) => StayCalendar | undefined;
  readonly #ofCalendars: ReadonlyMap<string, SpanIndex<Night>>;
  readonly #oneHome = new Map<string, readonly SpanIndex<Night>[]>();

  constructor(stays: readonly Stay[], calendarOf: (id: string) => StayCalendar | undefined) {
    this.#calendarOf = calendarOf;
    const open = Map.groupBy(stays.filter(isOpen), ({ calendarId }) => calendarId);
    this.#ofCalendars = new Map([...open].map(([id, those]) => [id, new SpanIndex(those.map(nightOf))]));
  }

  /** Another stay with some of its nights, the earliest first. */
  of(stay: Stay): Stay | undefined {
    if (!isOpen(stay)) {
      return undefined;
    }
    const found = this.#nightsOf(stay.calendarId)
      .map((nights) => nights.overlapping(nightOf(stay), (one) => one.stay.id === stay.id))
      .filter((one) => one !== undefined);
    return found.toSorted((a, b) => a.opensAt - b.opensAt)[0]?.stay;
  }

  /** The nights of all calendars of the same home. */
  #nightsOf(calendarId: string): readonly SpanIndex<Night>[] {
    const known = this.#oneHome.get(calendarId);
    const nights =
      known ?? [...this.#ofCalendars].filter(([id]) => this.#isOneHome(calendarId, id)).map(([, one]) => one);
    this.#oneHome.set(calendarId, nights);
    return nights;
  }

  /** A door of the whole house is shared by many homes: they are one where the locks of one are all among those of the other. */
  #isOneHome(a: string, b: string): boolean {
    if (a === b) {
      return true;
    }
    const [few = [], many = []] = [this.#calendarOf(a)?.locks ?? [], this.#calendarOf(b)?.locks ?? []].sort(
      (one, other) => one.length - other.length,
    );
    return few.length > 0 && few.every((lock) => many.includes(lock));
  }
}

function isOpen({ isCancelled, isSkipped, endedAt }: Stay): boolean {
  return !isCancelled && !isSkipped && endedAt === null;
}

function nightOf(stay: Stay): Night {
  return { stay, opensAt: stay.window.arrivalAt, closesAt: stay.window.departureAt };
}
