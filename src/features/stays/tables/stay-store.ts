// Keeps stays and the state of their calendars among the secrets, because they hold digits of codes and phones.

import { type Values, valuesUnder } from '../../../storage/account/settings.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { Stay } from '../policy/stay.ts';
import type { CalendarRecord, StayStore } from '../policy/stay-ports.ts';

const STAY = 'stay:';
const CALENDAR = 'stay-calendar:';

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
    this.#secrets.write(CALENDAR + record.calendarId, record);
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
    isObject(value['booking']) &&
    isObject(value['window']) &&
    isObject(value['hours']) &&
    typeof value['isGiven'] === 'boolean'
  );
}

function isRecord(value: unknown): value is CalendarRecord {
  return (
    isObject(value) &&
    typeof value['calendarId'] === 'string' &&
    typeof value['addressMark'] === 'string' &&
    Array.isArray(value['bookings']) &&
    isObject(value['counts'])
  );
}

/** A doubt of an earlier version has no end of its own: the next reading begins it anew. */
function withoutFormerDoubt(record: CalendarRecord): CalendarRecord {
  const { doubt } = record;
  return doubt === null || typeof doubt.believedAt === 'number' ? record : { ...record, doubt: null };
}
