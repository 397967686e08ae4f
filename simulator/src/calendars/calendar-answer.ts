// The answer to a reading of a calendar: the text with its validators, 304, or the result of a fault.
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { FaultAnswer } from '../faults/fault-answers.ts';
import type { Booking, BookingCalendar } from './booking-calendar.ts';
import { addDays, dayAt } from './calendar-day.ts';
import type { CalendarFaultOf, ReplacingFault } from './calendar-faults.ts';
import {
  CALENDAR_END,
  type CalendarFacts,
  type CalendarText,
  calendarText,
  eventText,
  STAMPED_ANEW,
} from './calendar-forms.ts';

/** The headers with which a reader asks whether anything is new. */
export interface Conditions {
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
}

const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** The page of a portal that wants its host to sign in again. */
const SIGN_IN_PAGE =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n';

const OTHER_DOCUMENT = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Bookings\r\nEND:VCARD\r\n';

/** The entries of `many-entries` begin this many days ahead, beyond the calendar's own, and lie in one year. */
const FILLER_FIRST_DAY = 400;
const FILLER_DAYS = 365;
const FILLER_LINE = `X-FILLER:${'x'.repeat(66)}\r\n`;
const FILLER_LINES = 1000;

/** Answers one reading. `now` is the simulator's time, epoch milliseconds. */
export function answerReading(
  calendar: BookingCalendar,
  fault: ReplacingFault | null,
  conditions: Conditions,
  now: number,
): FaultAnswer {
  if (fault === null) {
    return conditionalAnswer(calendar, calendar.listedAt(now), conditions, now, calendar.lastModifiedAt(now));
  }
  switch (fault.kind) {
    case 'status':
      return plain(fault.status, TEXT_TYPE, `${STATUS_CODES[fault.status] ?? 'Error'}\n`);
    case 'html':
      return plain(fault.status, HTML_TYPE, fault.page ?? SIGN_IN_PAGE);
    case 'empty-body':
      return plain(200, calendarType(calendar), '');
    case 'entries-gone':
      // A wrong list has no date, so that no reader takes it for the last one unchanged.
      return conditionalAnswer(calendar, remaining(calendar, fault, now), conditions, now, null);
    case 'truncated': {
      const text = whole(calendarText(factsOf(calendar, now)));
      return plain(200, calendarType(calendar), text.slice(0, Math.floor(text.length / 2)));
    }
    case 'other-document':
      return plain(200, calendarType(calendar), OTHER_DOCUMENT);
    case 'redirect':
      return { status: fault.status, headers: { location: fault.location }, payload: '' };
    case 'huge-body':
    case 'many-entries':
      return {
        ...plain(200, calendarType(calendar), ''),
        payload: Readable.from(overfull(calendar, fault, now)),
      };
  }
}

function plain(status: number, type: string, payload: string): FaultAnswer {
  return { status, headers: { 'content-type': type }, payload };
}

/** RFC 5545, 8.1: the parameter `method` repeats METHOD. */
function calendarType({ form }: BookingCalendar): string {
  return `text/calendar; charset=utf-8${form === 'manager' || form === 'office' ? '; method=PUBLISH' : ''}`;
}

function factsOf(calendar: BookingCalendar, now: number): CalendarFacts {
  return { calendar, bookings: calendar.listedAt(now), stampAt: now };
}

const whole = ({ properties, components }: CalendarText): string =>
  `${properties}${components}${CALENDAR_END}`;

function conditionalAnswer(
  calendar: BookingCalendar,
  bookings: readonly Booking[],
  conditions: Conditions,
  now: number,
  modifiedAt: number | null,
): FaultAnswer {
  const isStampedAnew = STAMPED_ANEW.has(calendar.form);
  const unchanged = whole(calendarText({ calendar, bookings, stampAt: calendar.lastModifiedAt(now) }));
  const tag = `${isStampedAnew ? 'W/' : ''}"${createHash('sha256').update(unchanged).digest('base64url').slice(0, 22)}"`;
  const headers = {
    etag: tag,
    'cache-control': 'private, no-cache',
    ...(modifiedAt === null ? {} : { 'last-modified': new Date(modifiedAt).toUTCString() }),
  };
  if (isNotModified(conditions, tag, modifiedAt)) {
    return { status: 304, headers, payload: '' };
  }
  const text = isStampedAnew ? whole(calendarText({ calendar, bookings, stampAt: now })) : unchanged;
  return { status: 200, headers: { ...headers, 'content-type': calendarType(calendar) }, payload: text };
}

/** RFC 9110, 13.1: If-Modified-Since counts only where there is no If-None-Match, and tags are compared weakly. */
function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Conditions,
  tag: string,
  modifiedAt: number | null,
): boolean {
  if (ifNoneMatch !== undefined) {
    const named = new Set(ifNoneMatch.split(',').map((one) => opaqueTag(one.trim())));
    return named.has('*') || named.has(opaqueTag(tag));
  }
  const since = Date.parse(ifModifiedSince ?? '');
  return modifiedAt !== null && !Number.isNaN(since) && Math.floor(modifiedAt / 1000) * 1000 <= since;
}

const opaqueTag = (tag: string): string => tag.replace(/^W\//u, '');

/** The bookings without the soonest of those that have not ended. */
function remaining(
  calendar: BookingCalendar,
  { share }: CalendarFaultOf<'entries-gone'>,
  now: number,
): readonly Booking[] {
  const listed = calendar.listedAt(now);
  const today = dayAt(calendar.timeZone, now);
  const coming = listed.filter(({ departure }) => departure >= today);
  const gone = new Set(coming.slice(0, Math.ceil(coming.length * share)));
  return listed.filter((booking) => !gone.has(booking));
}

/** A calendar that goes on and on, made as it is read. */
function* overfull(
  calendar: BookingCalendar,
  fault: CalendarFaultOf<'huge-body' | 'many-entries'>,
  now: number,
): Generator<string> {
  const facts = factsOf(calendar, now);
  const { properties, components } = calendarText(facts);
  yield properties;
  // RFC 5545, 3.6: properties of the calendar stand before its components.
  if (fault.kind === 'huge-body') {
    yield* fillerLines(fault.bytes);
  }
  yield components;
  if (fault.kind === 'many-entries') {
    yield* fillerEntries(fault.count, facts, now);
  }
  yield CALENDAR_END;
}

function* fillerLines(bytes: number): Generator<string> {
  let left = Math.ceil(bytes / FILLER_LINE.length);
  while (left > 0) {
    yield FILLER_LINE.repeat(Math.min(left, FILLER_LINES));
    left -= FILLER_LINES;
  }
}

function* fillerEntries(count: number, facts: CalendarFacts, now: number): Generator<string> {
  const today = dayAt(facts.calendar.timeZone, now);
  for (let index = 0; index < count; index += 1) {
    const arrival = addDays(today, FILLER_FIRST_DAY + (index % FILLER_DAYS));
    yield eventText(
      {
        uid: `filler-${String(index + 1)}@portal.example`,
        arrival,
        departure: addDays(arrival, 1),
        isBlocked: false,
        guest: `Filler ${String(index + 1)}`,
        phone: null,
        reference: `FILLER${String(index + 1)}`,
        createdAt: now,
        changedAt: now,
        sequence: 0,
        isCancelled: false,
      },
      facts,
    );
  }
}
