// Reports the events of stays: one line in the log, and an event for Home, brokers and pages.

import type { StayMark } from '../../../domain/codes/booked-stays.ts';
import type { Message } from '../../../domain/language/message.ts';
import { speakableName } from '../../../domain/locks/access.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import type { EventBus, StayEventType } from '../../../engine/locks/event-bus.ts';
import { oneLine } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { wantedName } from '../policy/stay-name.ts';
import { changeWords } from '../words/stays.ts';
import type { StayBook } from './stay-book.ts';

export interface StayNewsParts extends Pick<CommonParts, 'serviceClock' | 'log'> {
  readonly bus: Pick<EventBus, 'publish'>;
  readonly book: StayBook;
  readonly calendarOf: (id: string) => StayCalendar | undefined;
  readonly zoneOf: (calendar: StayCalendar | undefined) => string;
}

/** `isReady`: the code is on all locks, and a battery is low. */
export interface LateCode {
  readonly hours: number;
  readonly isReady: boolean;
  readonly locks: readonly LockId[];
  readonly reasons: readonly Message[];
}

export class StayNews {
  readonly #parts: StayNewsParts;

  constructor(parts: StayNewsParts) {
    this.#parts = parts;
  }

  /** The code is on all locks. Reported once. */
  ready(stay: Stay): void {
    const { book, serviceClock } = this.#parts;
    if (stay.readyAt === null && book.note({ ...stay, readyAt: serviceClock.now() })) {
      this.#say(stay, t('the code is on all locks.'));
      this.#publish('stay-code-ready', stay, serviceClock.now());
    }
  }

  /** A guest could not come in. Reported once for these hours before the code should open. */
  notReady(stay: Stay, { hours, isReady, locks, reasons }: LateCode): void {
    const { book, serviceClock, log } = this.#parts;
    if (!book.note({ ...stay, warnedHours: hours })) {
      return;
    }
    const facts = { hours, why: reasons.map((words) => t(words)).join(' ') };
    const words = isReady
      ? t('a battery is low, and the check-in is in less than {hours} hours. {why}', facts)
      : t('the code is not on every lock, and the check-in is in less than {hours} hours. {why}', facts);
    log.warn(this.#lineOf(stay, words));
    for (const lock of locks) {
      this.#publish('stay-not-ready', stay, serviceClock.now(), lock);
    }
  }

  /** The code was used. The first time counts. */
  used(stay: Stay, lock: LockId, at: Instant): void {
    if (stay.arrivedAt === null && this.#parts.book.note({ ...stay, arrivedAt: at })) {
      this.#say(stay, t('the code was used for the first time.'));
      this.#publish('stay-arrived', stay, at, lock);
    }
  }

  /** The guest seems to have left, and the calendar ends the code then. */
  left(stay: Stay): void {
    if (this.#parts.book.note({ ...stay, checkedOutAt: this.#parts.serviceClock.now() })) {
      this.#say(stay, t('the guest seems to have left, so the code ends.'));
    }
  }

  /** The stay is over or cancelled, and the code is gone from all locks. */
  gone(stay: Stay): void {
    if (stay.name !== null) {
      this.#say(stay, t('the stay has ended, and its code is gone from all locks.'));
      this.#publish('stay-ended', stay, stay.goneAt ?? this.#parts.serviceClock.now());
    }
  }

  skipped(stay: Stay): void {
    this.#say(stay, t('its guest was removed, so the stay is skipped.'));
  }

  recoded(stay: Stay): void {
    this.#say(stay, t('a lock refused the code, so another one was chosen.'));
  }

  planned(calendar: StayCalendar, before: readonly Stay[], after: readonly Stay[]): void {
    const known = new Map(before.map((stay) => [stay.id, stay]));
    const added = after.filter(({ id }) => !known.has(id)).length;
    const moved = after.filter((stay) => isMoved(known.get(stay.id), stay)).length;
    const cancelled = after.filter(
      ({ id, isCancelled }) => isCancelled && known.get(id)?.isCancelled === false,
    ).length;
    const changes = changeWords({ added, moved, cancelled });
    if (changes !== '') {
      this.#parts.log.info(
        oneLine(t('Calendar "{name}", stays: {changes}.', { name: calendar.name, changes })),
      );
    }
  }

  #say(stay: Stay, words: string): void {
    this.#parts.log.info(this.#lineOf(stay, words));
  }

  #lineOf(stay: Stay, news: string): string {
    const calendar = this.#parts.calendarOf(stay.calendarId)?.name ?? t('a former calendar');
    const name = this.#nameOf(stay) ?? t('a stay');
    return oneLine(t('Calendar "{calendar}", {name}: {news}', { calendar, name, news }));
  }

  #publish(type: StayEventType, stay: Stay, at: Instant, lock: LockId | null = null): void {
    this.#parts.bus.publish({ type, stay: this.#markOf(stay), at, lock });
  }

  /** Before its code is chosen, the name that it would have. */
  #nameOf({ name, calendarId, booking, window }: Stay): string | null {
    const { calendarOf, zoneOf } = this.#parts;
    const calendar = calendarOf(calendarId);
    const facts = { names: calendar?.names ?? 'dates', zone: zoneOf(calendar) } as const;
    return speakableName(name ?? wantedName(booking, window, facts));
  }

  #markOf(stay: Stay): StayMark {
    const { id, calendarId, window } = stay;
    const calendar = this.#parts.calendarOf(calendarId);
    return {
      id,
      calendar: calendar?.name ?? '',
      name: this.#nameOf(stay) ?? 'Stay',
      locks: calendar?.locks ?? [],
      arrivalAt: window.arrivalAt,
      departureAt: window.departureAt,
    };
  }
}

function isMoved(before: Stay | undefined, after: Stay): boolean {
  return before !== undefined && JSON.stringify(before.window) !== JSON.stringify(after.window);
}
