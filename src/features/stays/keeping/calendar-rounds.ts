// Reads each calendar at its time, and stores the believed part of a reading.

import { message } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import type { CancelTimer } from '../../../support/clock.ts';
import { inTurns, nextTurn } from '../../../support/turns.ts';
import {
  type Belief,
  type BeliefFacts,
  lostIn,
  missingIn,
  readingSteps,
  unchangedSteps,
} from '../policy/belief-policy.ts';
import type { CalendarGateway, CalendarReading } from '../policy/calendar-ports.ts';
import { firstReadingMs, HORIZON_MS, nextReadingMs, WHOLE_AFTER_MS } from '../policy/reading-policy.ts';
import type { Booking } from '../policy/stay.ts';
import { isByHand, type StayCalendar } from '../policy/stay-calendar.ts';
import { type FoundStays, foundSteps } from '../policy/stay-entries.ts';
import { beginsBy, hasOddArrival, MS_PER_DAY, NO_OWN_HOURS, windowOf } from '../policy/stay-hours.ts';
import type { CalendarRecord, CalendarSetup } from '../policy/stay-ports.ts';
import { eachOf, type Steps } from '../policy/steps.ts';
import { doubtWords } from '../words/stays.ts';
import { checkSteps, countSteps, nothingRead } from './calendar-check.ts';
import { noticesOf, questionOf, sayNotices } from './calendar-notices.ts';
import { sayTrouble, type Trouble } from './calendar-trouble.ts';
import type { StayBook } from './stay-book.ts';
import type { CalendarCheck, CalendarView } from './stay-views.ts';

export interface CalendarRoundsParts extends Pick<CommonParts, 'clock' | 'serviceClock' | 'log'> {
  readonly setup: CalendarSetup;
  readonly gateway: CalendarGateway;
  readonly book: StayBook;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
  readonly zoneOf: (calendar: StayCalendar) => string;
  readonly isOwner: () => boolean;
  /** The believed state of that calendar has changed. */
  readonly onBelief: (id: string) => void;
  readonly onChange: () => void;
}

interface Rhythm {
  cancel: CancelTimer;
  /** The instant of the next reading, on the service's clock; null: one is under way. */
  nextAt: Instant | null;
  failures: number;
  trouble: Trouble | null;
}

const NO_ADDRESS = message(
  'The calendar has no address yet. Enter the one that the portal gives for exporting it.',
);

const NOT_STORED = message('What the calendar says could not be stored. It is read again.');

/** A reading without a change is written to the disk at most this often, in milliseconds (our choice). */
const NOTED_EVERY_MS = 3_600_000;

export class CalendarRounds {
  readonly #parts: CalendarRoundsParts;
  readonly #rhythms = new Map<string, Rhythm>();
  readonly #reading = new Map<string, Promise<void>>();
  readonly #notedAt = new Map<string, Instant>();
  #isRunning = false;

  constructor(parts: CalendarRoundsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isRunning = true;
    this.resume();
  }

  resume(): void {
    const { setup, random } = this.#parts;
    const ids = new Set(
      setup
        .calendars()
        .filter((one) => !isByHand(one))
        .map(({ id }) => id),
    );
    for (const [id, { cancel }] of this.#rhythms) {
      if (!ids.has(id)) {
        cancel();
        this.#rhythms.delete(id);
      }
    }
    for (const id of ids) {
      if (!this.#rhythms.has(id) && this.#isRunning) {
        this.#wait(id, firstReadingMs(random()), { failures: 0, trouble: null });
      }
    }
  }

  dispose(): void {
    this.#isRunning = false;
    for (const { cancel } of this.#rhythms.values()) {
      cancel();
    }
    this.#rhythms.clear();
  }

  /** All calendars are read soon, because the machine was asleep. */
  soon(): void {
    for (const [id, { failures, trouble }] of this.#rhythms) {
      this.#wait(id, firstReadingMs(this.#parts.random()), { failures, trouble });
    }
  }

  of(id: string): Pick<CalendarView, 'trouble' | 'nextReadingAt' | 'doubt' | 'notices' | 'question'> {
    const record = this.#parts.book.record(id);
    const { doubt } = record;
    const rhythm = this.#rhythms.get(id);
    return {
      trouble: rhythm?.trouble?.words ?? null,
      nextReadingAt: rhythm?.nextAt ?? null,
      doubt,
      notices: noticesOf(record),
      question: questionOf(record),
    };
  }

  /** Reads the calendar now, or waits for the reading under way. Never rejects. */
  async read(calendar: StayCalendar): Promise<void> {
    const { id } = calendar;
    const reading = this.#reading.get(id) ?? this.#readOnce(calendar);
    this.#reading.set(id, reading);
    try {
      await reading;
    } finally {
      this.#reading.delete(id);
    }
  }

  /** The host says what entries in the words of blocked nights are. Throws retry (`storage-failed`). */
  async answer(calendar: StayCalendar, are: 'bookings' | 'blocked'): Promise<void> {
    const { book } = this.#parts;
    const record = book.record(calendar.id);
    const known = are === 'bookings' ? record.bookingMarks : record.blockedMarks;
    const marks = [...new Set([...(known ?? []), ...(record.blocked?.marks ?? [])])];
    // Without its validators the calendar is read completely again.
    book.saveRecord({
      ...record,
      validators: null,
      [are === 'bookings' ? 'bookingMarks' : 'blockedMarks']: marks,
    });
    await this.read(calendar);
  }

  /** The same, without storing the result. */
  async check(calendar: StayCalendar): Promise<CalendarCheck> {
    const said = await this.#ask(calendar, { whole: true });
    if (said.kind !== 'entries') {
      return nothingRead(calendar, said);
    }
    const { book, serviceClock } = this.#parts;
    const found = await this.#found(calendar, said);
    const facts = this.#facts(calendar, found.cancelled, serviceClock.now());
    const before = book.record(calendar.id);
    const seen = await this.#seenIn(calendar, found, said, facts);
    const check = await inTurns(this.#parts.clock, checkSteps(calendar, found, seen.counts, before, facts));
    return { ...check, notices: noticesOf(seen), question: questionOf({ ...before, ...seen }) };
  }

  #wait(id: string, ms: number, state: Pick<Rhythm, 'failures' | 'trouble'>): void {
    const { clock, serviceClock, setup } = this.#parts;
    this.#rhythms.get(id)?.cancel();
    const cancel = clock.after(ms, () => {
      const calendar = setup.calendars().find((one) => one.id === id);
      if (calendar !== undefined) {
        void this.read(calendar);
      }
    });
    this.#rhythms.set(id, { ...state, cancel, nextAt: serviceClock.now() + ms });
  }

  async #readOnce(calendar: StayCalendar): Promise<void> {
    const { id } = calendar;
    const before = this.#rhythms.get(id) ?? { failures: 0, trouble: null };
    if (this.#parts.isOwner()) {
      const said = await this.#ask(calendar, { whole: false });
      const trouble = await this.#saveBelieved(calendar, said);
      const failures = said.kind === 'failed' ? before.failures + 1 : 0;
      sayTrouble(this.#parts.log, calendar, before.trouble, trouble);
      this.#goOn(id, { failures, trouble }, said.kind === 'failed' ? said.retryAfterMs : undefined);
    } else {
      this.#goOn(id, before);
    }
    this.#parts.onChange();
  }

  #goOn(id: string, { failures, trouble }: Pick<Rhythm, 'failures' | 'trouble'>, askedForMs = 0): void {
    const isThere = this.#parts.setup.calendars().some((one) => one.id === id);
    if (this.#isRunning && isThere) {
      this.#wait(id, nextReadingMs(failures, this.#parts.random(), askedForMs), { failures, trouble });
    }
  }

  async #ask({ id }: StayCalendar, { whole }: { readonly whole: boolean }): Promise<CalendarReading> {
    const { setup, book, gateway, serviceClock } = this.#parts;
    const place = setup.addressOf(id);
    if (place === null) {
      return { kind: 'failed', failure: 'address-refused', words: NO_ADDRESS };
    }
    const now = serviceClock.now();
    const { validators, addressMark, wholeAt } = book.record(id);
    // Time alone brings further bookings within reach, also where the calendar is unchanged.
    const isOld = wholeAt === null || now - wholeAt >= WHOLE_AFTER_MS || addressMark !== place.mark;
    return gateway.read({
      address: place.address,
      validators: whole || isOld ? null : validators,
      from: now - MS_PER_DAY,
      until: now + HORIZON_MS,
    });
  }

  /** Stores the believed part; returns why nothing, or not everything, is believed. */
  async #saveBelieved(calendar: StayCalendar, said: CalendarReading): Promise<Trouble | null> {
    if (said.kind === 'failed') {
      return { kind: 'failed', words: said.words };
    }
    const { book, serviceClock } = this.#parts;
    const before = book.record(calendar.id);
    const now = serviceClock.now();
    if (said.kind === 'unchanged') {
      const repeated = unchangedSteps(before, this.#facts(calendar, new Set(), now));
      const belief = await inTurns(this.#parts.clock, repeated);
      const isSame = await inTurns(this.#parts.clock, sameBookingsSteps(before, belief));
      return this.#adopt({ ...book.record(calendar.id), ...belief }, before, isSame);
    }
    const found = await this.#found(calendar, said);
    const facts = this.#facts(calendar, found.cancelled, now);
    const belief = await inTurns(this.#parts.clock, readingSteps(before, found.bookings, facts));
    const addressMark = this.#parts.setup.addressOf(calendar.id)?.mark ?? '';
    const { validators } = said;
    const seen = await this.#seenIn(calendar, found, said, facts);
    const isSame = await inTurns(this.#parts.clock, sameBookingsSteps(before, belief));
    if (belief.bookings.length > MANY_BOOKINGS) {
      await nextTurn();
    }
    sayNotices(this.#parts.log, calendar, before, { ...before, ...seen });
    // A person may have answered meanwhile, and digits may have been spent.
    const present = book.record(calendar.id);
    return this.#adopt(
      { ...present, ...belief, ...seen, validators, addressMark, wholeAt: now },
      before,
      isSame,
    );
  }

  #found(
    { id, notStays }: StayCalendar,
    { entries }: CalendarReading & { readonly kind: 'entries' },
  ): Promise<FoundStays> {
    return inTurns(this.#parts.clock, foundSteps(entries, notStays, this.#parts.book.record(id)));
  }

  async #seenIn(
    calendar: StayCalendar,
    found: FoundStays,
    said: CalendarReading & { readonly kind: 'entries' },
    facts: BeliefFacts,
  ): Promise<
    Pick<
      CalendarRecord,
      'counts' | 'blocked' | 'commonNames' | 'leftOut' | 'unknownZones' | 'badRules' | 'oddArrivals'
    >
  > {
    const { clock, zoneOf } = this.#parts;
    const zone = zoneOf(calendar);
    const isOdd = (one: Booking): boolean => hasOddArrival(one, calendar, zone);
    const odd = await inTurns(clock, eachOf(found.bookings, isOdd));
    return {
      counts: await inTurns(clock, countSteps(found, said, facts)),
      blocked: found.blocked,
      commonNames: found.commonNames,
      leftOut: said.leftOutNames ?? [],
      unknownZones: said.unknownZones ?? [],
      badRules: said.badRules ?? [],
      oddArrivals: odd.filter(Boolean).length,
    };
  }

  #facts(calendar: StayCalendar, cancelled: ReadonlySet<string>, now: Instant): BeliefFacts {
    const zone = this.#parts.zoneOf(calendar);
    return {
      now,
      cancelled,
      endEarly: calendar.endEarly,
      windowOf: remembered((booking) => windowOf(booking, NO_OWN_HOURS, calendar, zone)),
      hasBegun: remembered((booking) => beginsBy(booking, now, { settings: calendar, zone })),
      beginsSoon: remembered((booking) => beginsBy(booking, now + MS_PER_DAY, { settings: calendar, zone })),
    };
  }

  /** `isSame`: the bookings are those from before. */
  #adopt(next: CalendarRecord, before: CalendarRecord, isSame: boolean): Trouble | null {
    const { book, serviceClock, onBelief } = this.#parts;
    const now = serviceClock.now();
    const record = next.doubt === null ? { ...next, lastGoodAt: now } : next;
    const isOld = isSame && sameDoubts(before, record) && before.validators?.etag === record.validators?.etag;
    const isNoted = now - (this.#notedAt.get(record.calendarId) ?? 0) < NOTED_EVERY_MS;
    if (isOld && isNoted) {
      book.remember(record);
    } else if (book.noteRecord(record)) {
      this.#notedAt.set(record.calendarId, now);
    } else {
      return { kind: 'failed', words: NOT_STORED };
    }
    if (!isSame || !sameLosses(before, record) || before.lastGoodAt === null) {
      onBelief(record.calendarId);
    }
    return record.doubt === null ? null : { kind: 'doubted', words: doubtWords(record.doubt.lost) };
  }
}

/** Time zones are slow to ask. */
function remembered<T extends object | boolean>(work: (booking: Booking) => T): (booking: Booking) => T {
  const known = new WeakMap<Booking, T>();
  return (booking) => {
    const result = known.get(booking) ?? work(booking);
    known.set(booking, result);
    return result;
  };
}

function* sameBookingsSteps({ bookings: before }: Belief, { bookings: after }: Belief): Steps<boolean> {
  if (before === after || before.length !== after.length) {
    return before === after;
  }
  for (const [index, booking] of after.entries()) {
    if (JSON.stringify(before[index]) !== JSON.stringify(booking)) {
      return false;
    }
    if (index % BOOKINGS_A_STEP === 0) {
      yield undefined;
    }
  }
  return true;
}

/** Storing more of them takes a turn of its own (our choice). */
const MANY_BOOKINGS = 1_000;

/** Far less than a turn (our choice). */
const BOOKINGS_A_STEP = 64;

function sameLosses(a: Belief, b: Belief): boolean {
  const wordsOf = (one: Belief): string => JSON.stringify([...missingIn(one), '', ...lostIn(one)]);
  return wordsOf(a) === wordsOf(b);
}

function sameDoubts(a: Belief, b: Belief): boolean {
  const wordsOf = ({ doubt, watched }: Belief): string => JSON.stringify([doubt, watched ?? []]);
  return wordsOf(a) === wordsOf(b);
}
