// Booked stays of an account: reads the calendars, keeps the codes of stays on the locks, and reports what happens.
import type { Message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { AccountLink, HistoryArchive } from '../../../domain/ports.ts';
import type { AccessCodes } from '../../../engine/codes/access-codes.ts';
import type { Guests } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import type { CancelTimer } from '../../../support/clock.ts';
import { Emitter } from '../../../support/emitter.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import { UNREAD_ROWS } from '../../../words/guests.ts';
import { t } from '../../../words/translate.ts';
import type { CalendarGateway } from '../policy/calendar-ports.ts';
import type { HandBooking, HandField } from '../policy/hand-booking.ts';
import { isByHand, type StayCalendar } from '../policy/stay-calendar.ts';
import type { CalendarSetup, StayStore } from '../policy/stay-ports.ts';
import { ArrivalWatch } from './arrival-watch.ts';
import { CalendarRounds } from './calendar-rounds.ts';
import { Cleaners } from './cleaners.ts';
import { DepartureWatch } from './departure-watch.ts';
import { HandStays } from './hand-stays.ts';
import { StayBook } from './stay-book.ts';
import { StayCodeChoice, type StayCodeChoiceParts } from './stay-code-choice.ts';
import { StayDecisions } from './stay-decisions.ts';
import { guestFactsOf, type StayGuestFacts } from './stay-guest-facts.ts';
import { StayKeeper } from './stay-keeper.ts';
import { StayLoop } from './stay-loop.ts';
import { StayNews } from './stay-news.ts';
import { StayPlaces } from './stay-places.ts';
import { StayReserves } from './stay-reserves.ts';
import {
  type CalendarCheck,
  type CalendarView,
  MOST_LISTED,
  type StayView,
  StayViews,
} from './stay-views.ts';

export interface StayAdapters extends Pick<StayCodeChoiceParts, 'randomDigits'> {
  readonly gateway: CalendarGateway;
  readonly stayStore: StayStore;
  readonly setup: CalendarSetup;
}

export interface StaysParts
  extends StayAdapters,
    Pick<CommonParts, 'bus' | 'store' | 'clock' | 'serviceClock' | 'log'> {
  readonly link: Pick<AccountLink, 'state'>;
  readonly codes: Pick<AccessCodes, 'facts' | 'zoneOf' | 'isZoneAwaited'>;
  readonly guests: Guests;
  readonly archive: Pick<HistoryArchive, 'newest'>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** After a start the locks are listed first, in milliseconds (our choice). */
const START_PAUSE_MS = 5_000;
/** After a disk that failed at the start, in milliseconds (our choice). */
const READ_AGAIN_MS = 60_000;

const isOfPortal = (calendar: StayCalendar): boolean => !isByHand(calendar);

export class Stays {
  readonly #parts: StaysParts;
  readonly #changes: Emitter<null>;
  readonly #book: StayBook;
  readonly decisions: StayDecisions;
  /** Guests who come in between stays. */
  readonly cleaners: Cleaners;
  readonly #hand: HandStays;
  readonly #rounds: CalendarRounds;
  readonly #loop: StayLoop;
  readonly #views: StayViews;
  readonly #guestFacts: (id: string) => StayGuestFacts;
  readonly #unsubscribe: () => void;
  #cancelStart: CancelTimer = () => {};
  #isWaitingToBegin = false;

  constructor(parts: StaysParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.log);
    const onChange = (): void => this.#changes.emit(null);
    this.#book = new StayBook({ ...parts, onChange });
    const common = {
      ...parts,
      book: this.#book,
      choice: new StayCodeChoice({ ...parts, book: this.#book }),
      calendarOf: (id: string) => parts.setup.calendars().find((one) => one.id === id),
      zoneOf: (calendar?: StayCalendar) => this.zoneOf(calendar),
      isZoneAwaited: (calendar: StayCalendar) => this.#isZoneAwaited(calendar),
      isOwner: () => parts.link.state() !== 'other-process',
      onChange,
      onBelief: (id: string) => this.#loop.plan(id),
      onDecision: () => this.#loop.reconcile(),
      onEnd: ({ calendarId }: { readonly calendarId: string }) => this.#loop.plan(calendarId),
    };
    const news = new StayNews(common);
    const reserves = new StayReserves(common);
    const keeper = new StayKeeper({ ...common, news, reserves, places: new StayPlaces(common) });
    const arrivals = new ArrivalWatch({ ...common, news, reserves });
    const departures = new DepartureWatch({ ...common, news, onMove: common.onDecision });
    this.#hand = new HandStays(common);
    this.decisions = new StayDecisions({ ...common, reserves });
    this.#rounds = new CalendarRounds(common);
    this.#views = new StayViews({
      ...common,
      reserves,
      obstacleOf: (id) => keeper.obstacleOf(id),
      leftAt: (id) => departures.leftAt(id),
    });
    this.#guestFacts = (id) => guestFactsOf(id, { ...common, reserves });
    this.cleaners = new Cleaners(common);
    this.#loop = new StayLoop({ ...common, keeper, cleaners: this.cleaners, arrivals, departures, news });
    this.#unsubscribe = this.#listen(onChange);
  }

  start(): void {
    this.#book.load();
    if (this.isUnread) {
      this.#parts.log.warn(t(UNREAD_ROWS));
    }
    this.#cancelStart();
    this.#isWaitingToBegin = true;
    this.#cancelStart = this.#parts.clock.after(START_PAUSE_MS, () => this.#begin());
  }

  /** Not while stays or guests cannot be read: a guest without a stay, and a stay without a guest, would look like a decision. */
  #begin(): void {
    this.#cancelStart();
    const isRead = (this.#book.isRead || this.#book.load()) && this.#parts.guests.ensureRead();
    if (!isRead) {
      this.#cancelStart = this.#parts.clock.after(READ_AGAIN_MS, () => this.#begin());
      return;
    }
    this.#isWaitingToBegin = false;
    this.#loop.start();
    this.#rounds.start();
  }

  dispose(): void {
    this.#unsubscribe();
    this.#cancelStart();
    this.#isWaitingToBegin = false;
    this.#rounds.dispose();
    this.#loop.dispose();
  }

  /** Calls `listener` whenever stays, calendars or the standing of a code change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  setUpAnew(): void {
    this.#rounds.resume();
    this.#loop.planAll();
    this.#changes.emit(null);
  }

  /** A new lock has the place of an old one on which stays gave way. Returns how many. Throws retry (`storage-failed`). */
  replaceLock(old: LockId, by: LockId): number {
    const concerned = this.#book.stays().filter(({ gaveWay = [] }) => gaveWay.includes(old));
    for (const stay of concerned) {
      const gaveWay = (stay.gaveWay ?? []).map((id) => (id === old ? by : id));
      this.#book.save({ ...stay, gaveWay });
    }
    return concerned.length;
  }

  /** Whether rows of stays or calendars cannot be read. */
  get isUnread(): boolean {
    return this.#book.hasUnread || this.#parts.setup.unread().length > 0;
  }

  /** A person uses the account again: it does not end. */
  goOn(): void {
    tryDisk(this.#parts.log, t('That the account goes on could not be stored'), () =>
      this.#book.setEnding(false),
    );
    this.#loop.reconcile();
  }

  /** Forgets the state of a calendar. Throws retry (`storage-failed`). */
  forget(calendarId: string): void {
    this.#book.eraseRecord(calendarId);
  }

  /** Another account is linked: the stays do not belong to its locks. Throws as `forget` does. */
  forgetAll(): void {
    this.#book.eraseAll();
  }

  calendars(): readonly StayCalendar[] {
    return this.#parts.setup.calendars();
  }

  /** The first ones; `later`: how many come after them. */
  list(): readonly StayView[] {
    return this.#views.list();
  }

  /** All of one calendar. */
  ofCalendar(id: string): readonly StayView[] {
    return this.#views.ofCalendar(id);
  }

  get later(): number {
    return Math.max(0, this.#book.count - MOST_LISTED);
  }

  calendar(
    id: string,
  ): Pick<
    CalendarView,
    'trouble' | 'nextReadingAt' | 'doubt' | 'notices' | 'question' | 'lastGoodAt' | 'counts'
  > {
    const { lastGoodAt, counts } = this.#book.record(id);
    return { ...this.#rounds.of(id), lastGoodAt, counts };
  }

  /** What a message to the guest says. Throws final for a stay that is unknown, over or skipped. */
  guestFacts(id: string): StayGuestFacts {
    return this.#guestFacts(id);
  }

  /** The time zone of the calendar's first lock. */
  zoneOf(calendar: StayCalendar | undefined): string {
    const first = this.#firstLock(calendar);
    return first === undefined ? 'UTC' : this.#parts.codes.zoneOf(first);
  }

  #isZoneAwaited(calendar: StayCalendar): boolean {
    const first = this.#firstLock(calendar);
    return first !== undefined && this.#parts.codes.isZoneAwaited(first);
  }

  /** One that was listed says its zone. */
  #firstLock(calendar: StayCalendar | undefined): LockId | undefined {
    const { store } = this.#parts;
    const locks = (calendar?.locks ?? []).map((id) => store.get(id)).filter((lock) => lock !== undefined);
    return (locks.find(({ device }) => device !== null) ?? locks[0] ?? store.all()[0])?.id;
  }

  /** The first fault of what a person entered; null: it can be added. */
  faultByHand(calendar: StayCalendar, typed: HandBooking): readonly [HandField, Message] | null {
    return this.#hand.faultOf(calendar, typed);
  }

  /** Adds a stay without a fault; resolves when it is planned. Rejects with retry (`storage-failed`). */
  async addByHand(calendar: StayCalendar, typed: HandBooking): Promise<void> {
    this.#hand.add(calendar, typed);
    this.goOn();
    await this.#loop.settled();
  }

  /** Removes such a stay. Rejects final for one of a calendar, and for one that is under way. */
  async removeByHand(id: string): Promise<void> {
    this.#hand.remove(id);
    await this.#loop.settled();
  }

  /** Reads these calendars now, and resolves when their bookings have been taken up. Never rejects. */
  async read(calendars: readonly StayCalendar[]): Promise<void> {
    if (this.#isWaitingToBegin) {
      // A command without a plugin ends before the pause does: what it reads, and what fails, counts now.
      this.#begin();
    }
    await Promise.all(calendars.filter(isOfPortal).map(async (calendar) => this.#rounds.read(calendar)));
    await this.#loop.settled();
  }

  /** What entries in the words of blocked nights are. Throws retry (`storage-failed`). */
  async answer(calendar: StayCalendar, are: 'bookings' | 'blocked'): Promise<void> {
    await this.#rounds.answer(calendar, are);
    await this.#loop.settled();
  }

  /** The same, without storing the result. */
  async check(calendars: readonly StayCalendar[]): Promise<readonly CalendarCheck[]> {
    return Promise.all(calendars.filter(isOfPortal).map(async (calendar) => this.#rounds.check(calendar)));
  }

  #listen(onChange: () => void): () => void {
    const { guests, bus } = this.#parts;
    bus.on('suspended', () => {
      this.#rounds.soon();
      this.#loop.reconcile();
    });
    bus.on('listed', () => this.#loop.listed());
    return guests.subscribe(() => {
      this.#loop.reconcile();
      onChange();
    });
  }
}
