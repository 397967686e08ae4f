// Works on stays one pass after another: plans them by their bookings, keeps their codes, and looks again when it is time.
import { LIST_PAUSE_MS } from '../../../domain/codes/retry-policy.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import type { CancelTimer } from '../../../support/clock.ts';
import { nextId } from '../../../support/dated-ids.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import { inTurns, Turns } from '../../../support/turns.ts';
import { t } from '../../../words/translate.ts';
import { lostIn, missingIn } from '../policy/belief-policy.ts';
import { isUnderWay, type Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { nextInstant, planSteps } from '../policy/stay-plan-policy.ts';
import type { CalendarSetup } from '../policy/stay-ports.ts';
import type { ArrivalWatch } from './arrival-watch.ts';
import type { Cleaners } from './cleaners.ts';
import type { DepartureWatch } from './departure-watch.ts';
import type { StayBook } from './stay-book.ts';
import type { StayKeeper } from './stay-keeper.ts';
import type { StayNews } from './stay-news.ts';

export interface StayLoopParts extends Pick<CommonParts, 'clock' | 'serviceClock' | 'log'> {
  readonly setup: CalendarSetup;
  readonly book: StayBook;
  readonly keeper: StayKeeper;
  readonly cleaners: Cleaners;
  readonly arrivals: ArrivalWatch;
  readonly departures: DepartureWatch;
  readonly news: StayNews;
  readonly zoneOf: (calendar: StayCalendar) => string;
  /** The zone is known only once its lock was listed. */
  readonly isZoneAwaited: (calendar: StayCalendar) => boolean;
  readonly isOwner: () => boolean;
}

/** The longest time between two passes: an obstacle may pass, the history may show an arrival, a clock may be set (our choice). */
const AGAIN_MS = { blocked: LIST_PAUSE_MS, longest: 15 * 60_000 } as const;

export class StayLoop {
  readonly #parts: StayLoopParts;
  /** Calendars whose stays are to be planned anew. */
  readonly #unplanned = new Set<string>();
  /** The zones by which they were planned. */
  readonly #zones = new Map<string, string>();
  #awaitsZones = false;
  #cancel: CancelTimer = () => {};
  #isRunning = false;
  #isDue = false;
  #working: Promise<void> | null = null;
  #lastId = '0';

  constructor(parts: StayLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isRunning = true;
    this.planAll();
  }

  dispose(): void {
    this.#isRunning = false;
    this.#cancel();
  }

  planAll(): void {
    for (const { id } of this.#parts.setup.calendars()) {
      this.#unplanned.add(id);
    }
    this.reconcile();
  }

  plan(calendarId: string): void {
    this.#unplanned.add(calendarId);
    this.reconcile();
  }

  /** The locks were listed, and may have said their zones. */
  listed(): void {
    if (this.#awaitsZones) {
      this.reconcile();
    }
  }

  reconcile(): void {
    this.#isDue = true;
    if (this.#working === null && this.#isRunning) {
      this.#working = this.#work();
    }
  }

  /** Resolves once nothing is due. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    // Several changes of one turn cause one pass.
    await Promise.resolve();
    while (this.#isDue && this.#isRunning && this.#parts.isOwner()) {
      this.#isDue = false;
      await this.#planDue();
      tryDisk(this.#parts.log, t('The history could not be read'), () => this.#parts.departures.judge());
      await this.#parts.keeper.pass();
      this.#parts.cleaners.pass();
    }
    this.#working = null;
    this.#remind();
  }

  async #planDue(): Promise<void> {
    const { setup, book, zoneOf, isZoneAwaited } = this.#parts;
    const calendars = new Map(setup.calendars().map((calendar) => [calendar.id, calendar]));
    // By the zone of this machine, the hours of all stays would shift until the lock has said its own.
    const placed = [...calendars.values()].filter((calendar) => !isZoneAwaited(calendar));
    this.#awaitsZones = placed.length < calendars.size;
    for (const calendar of placed) {
      const { id } = calendar;
      const zone = zoneOf(calendar);
      if (this.#zones.get(id) !== zone) {
        this.#zones.set(id, zone);
        this.#unplanned.add(id);
      }
      // Before the first reading of a calendar, nothing is known of it.
      const { lastGoodAt, byHand } = book.record(id);
      if (this.#unplanned.has(id) && (lastGoodAt !== null || byHand !== undefined)) {
        await this.#planOne(calendar);
      }
    }
    const now = this.#parts.serviceClock.now();
    for (const stay of book.stays()) {
      const isRemoved = !calendars.has(stay.calendarId) && !setup.unread().includes(stay.calendarId);
      if (isRemoved && !isUnderWay(stay, now) && stay.endedAt === null) {
        book.note({ ...stay, isCancelled: true });
      }
    }
  }

  async #planOne(calendar: StayCalendar): Promise<void> {
    const { book, news, serviceClock, zoneOf, clock } = this.#parts;
    const { id } = calendar;
    const record = book.record(id);
    const { byHand = [] } = record;
    // Until the calendar was read, nothing is known of its own bookings.
    const before = book
      .ofCalendar(id)
      .filter(({ booking }) => record.lastGoodAt !== null || booking.isByHand === true);
    this.#unplanned.delete(id);
    this.#lastId = nextId(
      [this.#lastId, ...book.stays().map((stay) => stay.id), ...book.unreadIds],
      serviceClock.now(),
    );
    const after = await inTurns(
      clock,
      planSteps(before, [...record.bookings, ...byHand], {
        settings: calendar,
        calendarId: id,
        zone: zoneOf(calendar),
        now: serviceClock.now(),
        newId: () => this.#newId(),
        missing: missingIn(record),
        lost: lostIn(record),
      }),
    );
    const known = new Map(before.map((stay) => [stay.id, stay]));
    const kept: Stay[] = [];
    const turns = new Turns(clock);
    for (const stay of after) {
      if (!known.has(stay.id) && book.isOfUnread(stay.booking)) {
        // It has a stay already, of which nothing more is known.
        continue;
      }
      // A person may have decided otherwise meanwhile: then it is planned again.
      const isCurrent = book.get(stay.id) === known.get(stay.id);
      if (isCurrent && this.#noted(stay)) {
        kept.push(stay);
      } else {
        this.#unplanned.add(id);
        this.#isDue ||= !isCurrent;
      }
      if (turns.isOver) {
        await turns.next();
      }
    }
    news.planned(calendar, before, kept);
  }

  /** A stay that is cancelled before it had a code or a decision of a person is forgotten at once. */
  #noted(stay: Stay): boolean {
    const { book } = this.#parts;
    const isPlain =
      stay.pin === null &&
      !stay.isGiven &&
      !stay.isSkipped &&
      stay.hours.checkIn === null &&
      stay.hours.checkOut === null;
    if (stay.isCancelled && isPlain) {
      book.erase(stay.id);
      return true;
    }
    return book.note(stay);
  }

  #remind(): void {
    const { book, keeper, cleaners, setup, serviceClock, clock, arrivals, departures, log } = this.#parts;
    const now = serviceClock.now();
    const ahead = new Map(setup.calendars().map(({ id, daysAhead }) => [id, daysAhead]));
    const instants = [
      ...book.stays().map((stay: Stay) => nextInstant(stay, ahead.get(stay.calendarId) ?? 0, now)),
      departures.nextAt(now),
    ].filter((at) => at !== null);
    const longest = keeper.isBlocked ? AGAIN_MS.blocked : AGAIN_MS.longest;
    const ms = instants.reduce((least, at) => Math.min(least, at - now), longest);
    this.#cancel();
    if (this.#isRunning && (instants.length > 0 || cleaners.isAny)) {
      this.#cancel = clock.after(ms, () => {
        tryDisk(log, t('The history could not be read'), () => arrivals.search());
        this.reconcile();
      });
    }
  }

  /** An id that no stay ever had, forgotten ones included. */
  #newId(): string {
    this.#lastId = nextId([this.#lastId], this.#parts.serviceClock.now());
    return this.#lastId;
  }
}
