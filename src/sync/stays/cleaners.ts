// Keeps the hours of guests who come in between stays: on each lock the gap under way, or the next one.
import type { CodeDraft, CodeSchedule } from '../../domain/codes/access-code.ts';
import { type BetweenStays, type HoursOn, sameHours } from '../../domain/codes/guest.ts';
import { message } from '../../domain/language/message.ts';
import { type LockId, lockId } from '../../domain/locks/lock.ts';
import { calendarsOf, cleaningHours, takenBy } from '../../domain/stays/cleaning-hours.ts';
import { isReadLately } from '../../domain/stays/reading-policy.ts';
import { isByHand, type StayCalendar } from '../../domain/stays/stay-calendar.ts';
import { HOUR_FORM, NO_HOUR } from '../../domain/stays/stay-hours.ts';
import type { CalendarSetup } from '../../domain/stays/stay-ports.ts';
import { FinalError } from '../../support/errors.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { t } from '../../words/translate.ts';
import type { AccessCodes } from '../codes/access-codes.ts';
import type { GuestAnswer, Guests, GuestView } from '../codes/guests.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { StayBook } from './stay-book.ts';

export interface CleanersParts extends Pick<CommonParts, 'store' | 'serviceClock' | 'log'> {
  readonly book: StayBook;
  readonly guests: Guests;
  readonly setup: CalendarSetup;
  readonly codes: Pick<AccessCodes, 'zoneOf'>;
}

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
    if (between.until !== null && !HOUR_FORM.test(between.until)) {
      throw new FinalError('bad-request', NO_HOUR);
    }
    const hoursOn = this.#hours(between, {});
    const schedule = firstOf(hoursOn);
    if (schedule === undefined) {
      throw new FinalError('bad-request', NO_GAP);
    }
    return this.#parts.guests.addBetween({ ...draft, schedule }, between, hoursOn);
  }

  pass(): void {
    for (const guest of this.#parts.guests.list()) {
      if (guest.between !== undefined && !guest.isLeaving) {
        this.#keep(guest, guest.between);
      }
    }
  }

  #keep({ id, revision, hoursOn: former = {} }: GuestView, between: BetweenStays): void {
    const { guests, setup, log } = this.#parts;
    const isOver = !setup.calendars().some((one) => between.calendars.includes(one.id));
    const hoursOn = this.#hours(between, former);
    const schedule = firstOf(hoursOn);
    tryDisk(log, t(TROUBLE), () => {
      if (isOver || schedule === undefined) {
        // No lock is left: its calendars were removed, or open other locks by now.
        guests.remove(id);
      } else if (!sameHours(hoursOn, former)) {
        // Each lock has hours of its own, so that those of the draft count nowhere.
        guests.update(id, { hoursOn, locks: Object.keys(hoursOn).map(lockId) }, revision, 'stay');
      }
    });
  }

  #hours(between: BetweenStays, former: HoursOn): HoursOn {
    const { book, setup, serviceClock, store, codes } = this.#parts;
    const now = serviceClock.now();
    const counted = calendarsOf(between, setup.calendars());
    const isRead = (calendar: StayCalendar): boolean =>
      isByHand(calendar) || isReadLately(book.record(calendar.id).lastGoodAt, now);
    const chosen = counted.filter(({ id }) => between.calendars.includes(id));
    const all = [...new Set(chosen.flatMap(({ locks }) => locks))];
    const found = all.flatMap((lock): readonly (readonly [LockId, CodeSchedule])[] => {
      const opening = counted.filter(({ locks }) => locks.includes(lock));
      const taken = opening.flatMap((one) => book.ofCalendar(one.id).flatMap((stay) => takenBy(stay, one)));
      const facts = { taken, until: between.until, zone: codes.zoneOf(lock), now };
      const known = former[lock];
      const before = known?.kind === 'temporary' ? { opensAt: known.from, closesAt: known.until } : null;
      const hours = cleaningHours(before, opening.every(isRead), facts);
      const isHere = store.get(lock) !== undefined || before !== null;
      return hours === null || !isHere
        ? []
        : [[lock, { kind: 'temporary', from: hours.opensAt, until: hours.closesAt }]];
    });
    return Object.fromEntries(found);
  }
}

function firstOf(hoursOn: HoursOn): CodeSchedule | undefined {
  return Object.values<CodeSchedule>(hoursOn)[0];
}
