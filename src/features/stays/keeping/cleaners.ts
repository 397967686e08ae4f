// Keeps the hours of guests who come in between stays: on each lock the gap under way, or the next one.
import { type CodeDraft, type CodeSchedule, toTheMinute } from '../../../domain/codes/access-code.ts';
import { type BetweenStays, type HoursOn, sameHours } from '../../../domain/codes/guest.ts';
import type { CodeChanges } from '../../../domain/codes/operation.ts';
import { message } from '../../../domain/language/message.ts';
import { type LockId, lockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { AccessCodes } from '../../../engine/codes/access-codes.ts';
import type { GuestAnswer, GuestBetween, GuestChanges, Guests } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { FinalError } from '../../../support/errors.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import { t } from '../../../words/translate.ts';
import { calendarsOf, cleaningHours, takenBy } from '../policy/cleaning-hours.ts';
import { isReadLately } from '../policy/reading-policy.ts';
import { isByHand, type StayCalendar } from '../policy/stay-calendar.ts';
import { HOUR_FORM, NO_HOUR } from '../policy/stay-hours.ts';
import type { CalendarSetup } from '../policy/stay-ports.ts';
import type { StayBook } from './stay-book.ts';

export interface CleanersParts extends Pick<CommonParts, 'store' | 'serviceClock' | 'log'> {
  readonly book: StayBook;
  readonly guests: Guests;
  readonly setup: CalendarSetup;
  readonly codes: Pick<AccessCodes, 'zoneOf'>;
  /** The hours have to be looked at again. */
  readonly onDecision: () => void;
}

export type BetweenChanges = Omit<CodeChanges, 'schedule'>;

const TROUBLE = message('The hours of a guest who comes between stays could not be kept');
const NO_GAP = message(
  'No check-out of these calendars is known that was read within the last hour. Read the calendars, then try again.',
);

export class Cleaners {
  readonly #parts: CleanersParts;

  constructor(parts: CleanersParts) {
    this.#parts = parts;
  }

  /** Throws as `Guests.add` does, and final where no gap is known: a code without hours would open always. */
  add(draft: Pick<CodeDraft, 'name' | 'pin'>, between: BetweenStays): GuestAnswer {
    this.#assertValid(between);
    const hoursOn = this.#hours(between, {});
    const schedule = firstOf(hoursOn);
    if (schedule === undefined) {
      throw new FinalError('bad-request', NO_GAP);
    }
    const locks = Object.keys(hoursOn).map(lockId);
    const answer = this.#parts.guests.add({ ...draft, schedule }, locks, { between, hoursOn });
    this.#parts.onDecision();
    return answer;
  }

  /** Absent changes stay. Throws as `Guests.update` does, and final for a guest whose hours a person chooses. */
  change(id: string, changes: BetweenChanges, between: BetweenStays, revision: number): GuestAnswer {
    const { guests, onDecision } = this.#parts;
    this.#assertValid(between);
    const known = guests.between().find((guest) => guest.id === id);
    if (known === undefined) {
      throw new FinalError('not-found', message('There is no such guest. Look at the list again.'));
    }
    const hoursOn = this.#hours(between, known.hoursOn ?? {});
    const answer = guests.update(id, { ...changes, between, ...timesOf(hoursOn) }, revision, 'stay');
    onDecision();
    return answer;
  }

  #assertValid({ calendars, until }: BetweenStays): void {
    if (until !== null && !HOUR_FORM.test(until)) {
      throw new FinalError('bad-request', NO_HOUR);
    }
    const known = new Set(this.#parts.setup.calendars().map(({ id }) => id));
    if (calendars.length === 0 || calendars.some((id) => !known.has(id))) {
      throw new FinalError('not-found', message('There is no such calendar. Look at the list again.'));
    }
  }

  /** Whether there is one, whose hours have to be looked at also where no stay is known. */
  get isAny(): boolean {
    return this.#parts.guests.between().length > 0;
  }

  pass(): void {
    for (const guest of this.#parts.guests.between()) {
      this.#reconcile(guest);
    }
  }

  #reconcile({ id, name, revision, between, hoursOn: former = {} }: GuestBetween): void {
    const { guests, setup, book, log } = this.#parts;
    if (book.isEnding || setup.unread().length > 0 || book.hasUnreadIn(this.#countedIn(between))) {
      // A stay that cannot be read may lie in the hours of a cleaner, so they do not move.
      return;
    }
    const isOver = !setup.calendars().some((one) => between.calendars.includes(one.id));
    const hoursOn = this.#hours(between, former);
    tryDisk(log, t(TROUBLE), () => {
      if (isOver) {
        guests.remove(id);
      } else if (!sameHours(hoursOn, former)) {
        // Each lock has hours of its own, so that those of the draft count nowhere.
        const answer = guests.update(id, timesOf(hoursOn), revision, 'stay');
        if (answer.kind === 'invalid') {
          log.warn(`${t(TROUBLE)}: ${name}. ${answer.faults.map(({ words }) => t(words)).join(' ')}`);
        }
      }
    });
  }

  #countedIn(between: BetweenStays): readonly string[] {
    return calendarsOf(between, this.#parts.setup.calendars()).map(({ id }) => id);
  }

  #hours(between: BetweenStays, former: HoursOn): HoursOn {
    const { book, setup, serviceClock, store, codes } = this.#parts;
    const now = serviceClock.now();
    const counted = calendarsOf(between, setup.calendars());
    const chosen = counted.filter(({ id }) => between.calendars.includes(id));
    const all = [...new Set(chosen.flatMap(({ locks }) => locks))];
    const found = all.flatMap((lock): readonly (readonly [LockId, CodeSchedule])[] => {
      const opening = counted.filter(({ locks }) => locks.includes(lock));
      const taken = opening.flatMap((one) => book.ofCalendar(one.id).flatMap((stay) => takenBy(stay, one)));
      const facts = { taken, until: between.until, zone: codes.zoneOf(lock), now };
      const known = former[lock];
      const before = known?.kind === 'temporary' ? { opensAt: known.from, closesAt: known.until } : null;
      const hours = cleaningHours(before, this.#unreadSince(opening), facts);
      const isHere = store.get(lock) !== undefined || before !== null;
      // As a guest is stored: a guest of a stay is checked out at any second.
      return hours === null || !isHere
        ? []
        : [[lock, toTheMinute({ kind: 'temporary', from: hours.opensAt, until: hours.closesAt })]];
    });
    return Object.fromEntries(found);
  }

  /** When the one of these that was not read for the longest time was read last; null: all were read lately. */
  #unreadSince(calendars: readonly StayCalendar[]): Instant | null {
    const { book, serviceClock } = this.#parts;
    const now = serviceClock.now();
    const old = calendars
      .filter((one) => !isByHand(one))
      .map(({ id }) => book.record(id).lastGoodAt)
      .filter((at) => !isReadLately(at, now));
    return old.length === 0 ? null : Math.min(...old.map((at) => at ?? 0));
  }
}

/** A lock without hours loses the code. */
function timesOf(hoursOn: HoursOn): Pick<GuestChanges, 'hoursOn' | 'locks'> {
  return { hoursOn, locks: Object.keys(hoursOn).map(lockId) };
}

function firstOf(hoursOn: HoursOn): CodeSchedule | undefined {
  return Object.values<CodeSchedule>(hoursOn)[0];
}
