// Stays and their calendars as the pages and the command line show them: never an address, never the digits of a code.

import type { StayPhase } from '../../../domain/codes/booked-stays.ts';
import type { GuestLanguage } from '../../../domain/codes/guest-language.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { localDay, localHour } from '../../../domain/time/local-hours.ts';
import type { GuestOnLock, GuestView } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { bookingKey, type Stay, type StayWindow } from '../policy/stay.ts';
import type { CalendarSettings, StayCalendar } from '../policy/stay-calendar.ts';
import { beginsBy, windowOf } from '../policy/stay-hours.ts';
import { wantedName } from '../policy/stay-name.ts';
import { codeFromAt, hasEnded, isNear } from '../policy/stay-plan-policy.ts';
import type { EntryCounts } from '../policy/stay-ports.ts';
import { obstacleWords } from '../words/stays.ts';
import { DoubleBookings } from './double-bookings.ts';
import type { StayBook } from './stay-book.ts';
import { isReadyOn, readinessOf } from './stay-readiness.ts';
import type { ReserveState, StayReserves } from './stay-reserves.ts';

/** Days and hours are those of `timeZone`, such as `2026-12-12` and `15:00`. */
export interface StayView
  extends StayWindow,
    Pick<
      Stay,
      'id' | 'calendarId' | 'isSkipped' | 'isCancelled' | 'readyAt' | 'arrivedAt' | 'endedAt' | 'goneAt'
    > {
  readonly calendarName: string;
  /** The name of the code on the locks, and in the history: `Stay 12-15 Dec`. */
  readonly name: string;
  /** The words of the booking, at most 60 characters. Foreign text. */
  readonly booking: string;
  readonly arrivalDay: string;
  readonly departureDay: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly timeZone: string;
  /** A person entered it: it can be removed. */
  readonly isByHand: boolean;
  /** A person set other hours than those of the calendar. */
  readonly hasOwnHours: boolean;
  /** Hours of it are those that stand in the text of the booking. */
  readonly hasBookingHours: boolean;
  readonly phase: StayPhase;
  /** `hidden`: there are digits, which `stays.reveal` shows. `none`: they are chosen later. */
  readonly code: 'hidden' | 'none';
  /** When the code is put on the locks. */
  readonly codeFromAt: Instant;
  /** The guest has left before the end; null: not so. */
  readonly checkedOutAt: Instant | null;
  /** The guest seems to have left, and only a person knows; null: nothing says so. */
  readonly seemsLeftAt: Instant | null;
  /** The guest that keeps the code on the locks; null before and after. */
  readonly guestId: string | null;
  readonly onLocks: readonly GuestOnLock[];
  /** The obstacle, with what to do; empty: none. */
  readonly obstacles: readonly Message[];
  /** It is on all locks of the calendar. */
  readonly isCodeReady: boolean;
  /** It is not, and the host was told so a day before the check-in. */
  readonly isCodeLate: boolean;
  /** Why the guest may stand before a closed door, from a day before the check-in; empty: they will come in. */
  readonly alarms: readonly Message[];
  /** The code in reserve: what can be had instead of a code that is missing at the check-in, and whether the guest has it. */
  readonly reserve: ReserveState;
  /** The language of the message to the guest, as chosen for this stay; null: that of the calendar. */
  readonly language: GuestLanguage | null;
}

export interface CalendarView extends CalendarSettings {
  readonly id: string;
  /**
   * Where the calendar was set up. One of config.json is changed there; only its missing address may come from a page. `hand`:
   * locks without a portal; nothing is read.
   */
  readonly from: 'config' | 'page' | 'hand';
  readonly addressFrom: 'config' | 'page' | null;
  /** The host of the address; null without one. */
  readonly host: string | null;
  readonly lockNames: readonly string[];
  /** Others can read its stays at a secret address. */
  readonly hasFeed: boolean;
  readonly timeZone: string;
  /** The last reading that was understood and believed; null: none yet. */
  readonly lastGoodAt: Instant | null;
  readonly nextReadingAt: Instant | null;
  /** Why the last reading changed nothing, with what to do; null when it succeeded. */
  readonly trouble: Message | null;
  /** A reading that lost too much at once: the number of lost stays, and when the loss is believed if it persists. */
  readonly doubt: { readonly lost: number; readonly believedAt: Instant } | null;
  /** What the host should know although the calendar is read well. */
  readonly notices: readonly Message[];
  /** There is no stay, but entries in the words of blocked nights: only the host knows what they are. */
  readonly question: { readonly titles: readonly string[] } | null;
  /** Entries of the last good reading: stays, those that are none by their words, and those not understood. */
  readonly counts: EntryCounts;
}

export interface StaysView {
  /** Rows of stays or calendars cannot be read: they are missing here, and their codes stay. Absent: all are read. */
  readonly isUnread?: true;
  readonly calendars: readonly CalendarView[];
  /** The stays by arrival, the earliest first; those that are over stay for 30 days. */
  readonly stays: readonly StayView[];
  /** So many stays that come after these are not listed; absent: none. */
  readonly later?: number;
}

/** More stays than these are not listed: those that come first are (our choice). */
export const MOST_LISTED = 1_000;

export interface CalendarCheck {
  readonly calendarId: string;
  readonly calendarName: string;
  readonly kind: 'read' | 'unchanged' | 'failed';
  /** The fault, with what to do; null when the calendar was read. */
  readonly words: Message | null;
  readonly counts: CalendarView['counts'];
  readonly notices?: CalendarView['notices'];
  readonly question?: CalendarView['question'];
  /** The changes that storing it would make. `doubted`: missing stays that are believed only after equal readings. */
  readonly changes: {
    readonly added: number;
    readonly moved: number;
    readonly cancelled: number;
    readonly doubted: number;
  };
}

export interface StayViewsParts extends Pick<CommonParts, 'store' | 'serviceClock'> {
  readonly book: StayBook;
  readonly guests: { list(): readonly GuestView[] };
  readonly reserves: Pick<StayReserves, 'stateOf'>;
  readonly calendarOf: (id: string) => StayCalendar | undefined;
  readonly zoneOf: (calendar: StayCalendar | undefined) => string;
  /** Why a stay can have no guest, in words; null: it can. */
  readonly obstacleOf: (id: string) => Message | null;
  /** When the guest of a stay seems to have left. */
  readonly leftAt: (id: string) => Instant | null;
}

interface ListFacts {
  readonly doubles: DoubleBookings;
  readonly all: readonly GuestView[];
}

export class StayViews {
  readonly #parts: StayViewsParts;

  constructor(parts: StayViewsParts) {
    this.#parts = parts;
  }

  list(): readonly StayView[] {
    return this.#viewsOf(this.#parts.book.stays().slice(0, MOST_LISTED));
  }

  ofCalendar(id: string): readonly StayView[] {
    return this.#viewsOf(this.#parts.book.ofCalendar(id));
  }

  #viewsOf(stays: readonly Stay[]): readonly StayView[] {
    const { book, guests } = this.#parts;
    const all = guests.list();
    const ofStays = new Map(
      all
        .toSorted((a, b) => Number(b.isLeaving) - Number(a.isLeaving))
        .map((guest) => [guest.stay?.id ?? '', guest]),
    );
    const doubles = new DoubleBookings(book.stays(), this.#parts.calendarOf);
    return stays.map((stay) => this.#viewOf(stay, ofStays.get(stay.id), { doubles, all }));
  }

  #viewOf(stay: Stay, guest: GuestView | undefined, { doubles, all }: ListFacts): StayView {
    const { calendarOf, zoneOf, reserves, leftAt } = this.#parts;
    const { id, booking, hours, window, isSkipped, isCancelled } = stay;
    const { readyAt, arrivedAt, endedAt, goneAt } = stay;
    const calendar = calendarOf(stay.calendarId);
    const timeZone = zoneOf(calendar);
    const reserve = reserves.stateOf(stay, guest, all);
    const isCodeReady = isReadyOn(guest, calendar);
    return {
      id,
      calendarId: stay.calendarId,
      calendarName: calendar?.name ?? '',
      name: stay.name ?? wantedName(booking, window, { names: calendar?.names ?? 'dates', zone: timeZone }),
      booking: booking.summary,
      ...window,
      arrivalDay: localDay(window.arrivalAt, timeZone),
      departureDay: localDay(window.departureAt, timeZone),
      checkIn: localHour(window.arrivalAt, timeZone),
      checkOut: localHour(window.departureAt, timeZone),
      timeZone,
      isByHand: booking.isByHand === true,
      hasOwnHours: hours.checkIn !== null || hours.checkOut !== null,
      hasBookingHours: hasBookingHours(stay, calendar, timeZone),
      phase: this.#phaseOf(stay, guest, isCodeReady),
      isSkipped,
      isCancelled,
      code: hasDigits(stay, reserve) ? 'hidden' : 'none',
      codeFromAt: codeFromAt(stay, calendar?.daysAhead ?? 0),
      guestId: guest?.id ?? null,
      onLocks: guest?.onLocks ?? [],
      readyAt,
      arrivedAt,
      endedAt,
      goneAt,
      isCodeReady,
      isCodeLate: this.#isCodeLate(stay, isCodeReady),
      obstacles: this.#obstaclesOf(stay, guest, doubles),
      alarms: this.#alarmsOf(stay, guest),
      reserve,
      seemsLeftAt: leftAt(id),
      ...saidFor(stay),
    };
  }

  #phaseOf(stay: Stay, guest: GuestView | undefined, isCodeReady: boolean): StayPhase {
    const now = this.#parts.serviceClock.now();
    if (hasEnded(stay, now)) {
      // Where the guest of an ended stay cannot be read, its code may still be on a lock.
      return guest === undefined && !stay.isGiven ? 'gone' : 'leaving';
    }
    if (stay.isSkipped) {
      return 'skipped';
    }
    if (guest === undefined) {
      const daysAhead = this.#parts.calendarOf(stay.calendarId)?.daysAhead ?? 0;
      return codeFromAt(stay, daysAhead) > now ? 'planned' : 'preparing';
    }
    if (stay.arrivedAt !== null) {
      return 'arrived';
    }
    return isCodeReady ? 'ready' : 'preparing';
  }

  #obstaclesOf(stay: Stay, guest: GuestView | undefined, doubles: DoubleBookings): readonly Message[] {
    const { obstacleOf, zoneOf, calendarOf } = this.#parts;
    const own = obstacleOf(stay.id);
    const twice = doubles.of(stay);
    const zone = zoneOf(calendarOf(stay.calendarId));
    const isMissing = this.#isMissing(stay);
    return [
      ...(own === null ? [] : [own]),
      ...(isMissing ? [MISSING] : []),
      ...(twice === undefined
        ? []
        : [doubledWords(stay, twice, localDay(twice.window.arrivalAt, zone), calendarOf)]),
      ...(guest?.onLocks ?? []).flatMap(({ lockName, standing }) => {
        const words = obstacleWords(standing, stay.endedAt !== null);
        return words === null ? [] : [message('{lock}: {words}', { lock: lockName, words })];
      }),
    ];
  }

  /** The host was told of it, or a battery has become low since. */
  #alarmsOf(stay: Stay, guest: GuestView | undefined): readonly Message[] {
    const { calendarOf, obstacleOf, store, serviceClock } = this.#parts;
    const now = serviceClock.now();
    if (hasEnded(stay, now) || stay.isSkipped || !isNear(stay, now)) {
      return [];
    }
    const calendar = calendarOf(stay.calendarId);
    const { isReady, reasons, batteries } = readinessOf({
      guest,
      calendar,
      obstacle: obstacleOf(stay.id),
      store,
    });
    const isLate = this.#isCodeLate(stay, isReady);
    return [...(isLate ? [NOT_ON_EVERY_LOCK, ...reasons] : []), ...batteries];
  }

  #isCodeLate(stay: Stay, isReady: boolean): boolean {
    const now = this.#parts.serviceClock.now();
    const isDue = isNear(stay, now) && !hasEnded(stay, now) && !stay.isSkipped;
    return isDue && !isReady && stay.warnedHours !== undefined;
  }

  /** Before the day of the check-in, a missing booking is the calendar's doubt; from then on only a person knows. */
  #isMissing(stay: Stay): boolean {
    const { book, calendarOf, zoneOf, serviceClock } = this.#parts;
    const calendar = calendarOf(stay.calendarId);
    const now = serviceClock.now();
    const isOpen = calendar !== undefined && !hasEnded(stay, now) && !stay.isSkipped;
    return (
      isOpen &&
      book.missing(stay.calendarId).has(bookingKey(stay.booking)) &&
      beginsBy(stay.booking, now, { settings: calendar, zone: zoneOf(calendar) })
    );
  }
}

function hasBookingHours(
  { booking, hours, window }: Stay,
  calendar: StayCalendar | undefined,
  zone: string,
): boolean {
  if (calendar?.bookingHours !== true || booking.said === undefined) {
    return false;
  }
  const plain = windowOf(booking, hours, { ...calendar, bookingHours: false }, zone);
  return plain.arrivalAt !== window.arrivalAt || plain.departureAt !== window.departureAt;
}

/** What a person said of the stay. */
function saidFor({ language, checkedOutAt }: Stay): Pick<StayView, 'language' | 'checkedOutAt'> {
  return { language: language ?? null, checkedOutAt: checkedOutAt ?? null };
}

const hasDigits = ({ pin }: Stay, reserve: ReserveState): boolean => pin !== null || reserve === 'taken';

const NOT_ON_EVERY_LOCK = message('The code is not on every lock.');
const MISSING = message(
  'The calendar no longer has this booking. Its code stays for now; skip the stay if it was cancelled.',
);

function doubledWords(
  stay: Stay,
  { calendarId }: Stay,
  day: string,
  calendarOf: StayViewsParts['calendarOf'],
): Message {
  const calendar = calendarId === stay.calendarId ? undefined : calendarOf(calendarId)?.name;
  return calendar === undefined
    ? message('Another booking has {day} as well. Skip one of the two stays.', { day })
    : message(
        'Another booking, in the calendar "{calendar}", has {day} as well. Skip one of the two stays.',
        {
          day,
          calendar,
        },
      );
}
