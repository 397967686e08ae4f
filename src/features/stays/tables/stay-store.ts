// Keeps stays and the state of their calendars among the secrets, because they hold digits of codes and phones.

import {
  eraseUnread,
  type UnreadValue,
  unreadUnder,
  type Values,
  valuesUnder,
} from '../../../storage/account/settings.ts';
import { SET_ASIDE } from '../../../storage/database/damaged-row.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { Booking, Stay } from '../policy/stay.ts';
import type { CalendarRecord, StayStore } from '../policy/stay-ports.ts';

const STAY = 'stay:';
const CALENDAR = 'stay-calendar:';
const ENDING = 'stays-ending';

export class KeptStayStore implements StayStore {
  readonly #secrets: Values;

  constructor(secrets: Values) {
    this.#secrets = secrets;
  }

  stays(): readonly Stay[] {
    return valuesUnder(this.#secrets, STAY).filter(isStay);
  }

  saveStay(stay: Stay): void {
    this.#secrets.write(STAY + stay.id, stay);
  }

  eraseStay(id: string): void {
    this.#secrets.erase(STAY + id);
  }

  calendars(): readonly CalendarRecord[] {
    return valuesUnder(this.#secrets, CALENDAR).filter(isRecord).map(withoutFormerDoubt);
  }

  saveCalendar(record: CalendarRecord): void {
    const key = CALENDAR + record.calendarId;
    const former = this.#secrets.read(key);
    if (former !== undefined && !isRecord(former)) {
      // The doctor names it, and nothing of it is lost.
      const row = { key, value: JSON.stringify(former) };
      this.#secrets.write(`${SET_ASIDE}secret:${record.calendarId}`, { columns: ['value'], row });
    }
    this.#secrets.write(key, record);
  }

  unreadStays(): readonly UnreadValue[] {
    return this.#unread(STAY, isStay);
  }

  unreadCalendars(): readonly UnreadValue[] {
    return this.#unread(CALENDAR, isRecord);
  }

  eraseUnread(): void {
    eraseUnread(this.#secrets, [...this.unreadStays(), ...this.unreadCalendars()]);
  }

  #unread(prefix: string, isSound: (value: unknown) => boolean): readonly UnreadValue[] {
    const secrets = this.#secrets;
    return unreadUnder({ [prefix]: isSound }, { table: 'secret', secrets, settings: secrets });
  }

  isEnding(): boolean {
    return this.#secrets.read(ENDING) === true;
  }

  saveEnding(isEnding: boolean): void {
    if (isEnding) {
      this.#secrets.write(ENDING, true);
    } else {
      this.#secrets.erase(ENDING);
    }
  }

  eraseCalendar(id: string): void {
    this.#secrets.erase(CALENDAR + id);
  }
}

/** Only this class writes these values; it leaves those of another version alone. */
function isStay(value: unknown): value is Stay {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['calendarId'] === 'string' &&
    isBooking(value['booking']) &&
    isObject(value['window']) &&
    WINDOW.every((member) => typeof Reflect.get(Object(value['window']), member) === 'number') &&
    isObject(value['hours']) &&
    typeof value['isGiven'] === 'boolean' &&
    (value['gaveWay'] === undefined || Array.isArray(value['gaveWay']))
  );
}

const WINDOW = ['arrivalAt', 'departureAt', 'opensAt', 'closesAt'] as const;

function isBooking(value: unknown): value is Booking {
  return (
    isObject(value) &&
    typeof value['uid'] === 'string' &&
    isObject(value['start']) &&
    isObject(value['end']) &&
    typeof value['summary'] === 'string'
  );
}

function isRecord(value: unknown): value is CalendarRecord {
  return (
    isObject(value) &&
    typeof value['calendarId'] === 'string' &&
    typeof value['addressMark'] === 'string' &&
    Array.isArray(value['bookings']) &&
    value['bookings'].every(isBooking) &&
    (value['byHand'] === undefined || (Array.isArray(value['byHand']) && value['byHand'].every(isBooking))) &&
    isObject(value['counts'])
  );
}

/** A doubt of an earlier version has no end of its own: the next reading begins it anew. */
function withoutFormerDoubt(record: CalendarRecord): CalendarRecord {
  const { doubt } = record;
  return doubt === null || typeof doubt.believedAt === 'number' ? record : { ...record, doubt: null };
}
