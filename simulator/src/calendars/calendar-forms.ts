// The forms of booking calendars: the members of a booking that each kind of portal writes, and those that it hides.
import { minutesOfDay } from '../time/zone.ts';
import type { Booking, BookingCalendar } from './booking-calendar.ts';
import { dayAt, wallMsOfDay } from './calendar-day.ts';
import type { CalendarForm } from './calendar-setup.ts';
import { contentLine, dateValue, localValue, textLine, utcValue } from './ical-text.ts';
import { timeZoneText } from './time-zone-text.ts';

const MINUTE_MS = 60_000;
const PHONE_DIGITS_SHOWN = 4;
/** A VTIMEZONE reaches this far beyond the last booking, to include the entries that a fault may add. */
const FURTHER_YEARS = 4;

export interface CalendarFacts {
  readonly calendar: BookingCalendar;
  readonly bookings: readonly Booking[];
  /** When this text came to be, for DTSTAMP. */
  readonly stampAt: number;
}

/** A calendar in two parts without its end: a fault can put something after each of them. */
export interface CalendarText {
  readonly properties: string;
  readonly components: string;
}

export const CALENDAR_END = contentLine('END', 'VCALENDAR');

/** Forms that are written anew for each reader: DTSTAMP differs each time. */
export const STAMPED_ANEW: ReadonlySet<CalendarForm> = new Set(['closed', 'renewing', 'careless']);

/** These come with the rules of their zone, under this name; null: under its own. */
const ZONE_NAMES: Partial<Readonly<Record<CalendarForm, string | null>>> = {
  manager: null,
  office: 'Customized Time Zone',
};

export function calendarText(facts: CalendarFacts): CalendarText {
  const events = facts.bookings.map((booking) => eventText(booking, facts));
  return {
    properties: PROPERTIES[facts.calendar.form](facts),
    components: [...(facts.calendar.form in ZONE_NAMES ? [zoneText(facts)] : []), ...events].join(''),
  };
}

export function eventText(booking: Booking, facts: CalendarFacts): string {
  const lines = EVENTS[facts.calendar.form](booking, facts);
  return [contentLine('BEGIN', 'VEVENT'), ...lines, contentLine('END', 'VEVENT')].join('');
}

const opening = (product: string): string =>
  contentLine('BEGIN', 'VCALENDAR') +
  textLine('PRODID', `-//Simulated bookings//${product}//EN`) +
  contentLine('VERSION', '2.0') +
  contentLine('CALSCALE', 'GREGORIAN');

const PROPERTIES: Readonly<Record<CalendarForm, (facts: CalendarFacts) => string>> = {
  reserved: () => opening('Rental portal'),
  closed: () => opening('Room portal'),
  renewing: () => opening('Room portal'),
  named: () => opening('Holiday homes'),
  manager: ({ calendar }) =>
    opening('Property manager') + contentLine('METHOD', 'PUBLISH') + textLine('X-WR-CALNAME', calendar.name),
  office: ({ calendar }) =>
    opening('Office program') + contentLine('METHOD', 'PUBLISH') + textLine('X-WR-CALNAME', calendar.name),
  careless: () => opening('Careless program'),
};

/** Whole years, so that the text changes once a year at most without a booking. */
function zoneText({ calendar, bookings, stampAt }: CalendarFacts): string {
  const days = [
    new Date(stampAt).toISOString(),
    ...bookings.flatMap(({ arrival, departure }) => [arrival, departure]),
  ];
  const years = days.map((day) => Number(day.slice(0, 4))).toSorted((left, right) => left - right);
  const first = years.at(0) ?? 0;
  const name = ZONE_NAMES[calendar.form] ?? calendar.timeZone;
  return timeZoneText(calendar.timeZone, first - 1, (years.at(-1) ?? first) + FURTHER_YEARS, name);
}

const EVENTS: Readonly<Record<CalendarForm, (booking: Booking, facts: CalendarFacts) => readonly string[]>> =
  {
    reserved: (booking, { stampAt }) => [
      contentLine('DTSTAMP', utcValue(stampAt)),
      ...allDay(booking),
      textLine('SUMMARY', booking.isBlocked ? 'Portal (Not available)' : 'Reserved'),
      textLine('UID', booking.uid),
      ...(booking.isBlocked ? [] : [textLine('DESCRIPTION', reservation(booking))]),
      ...cancellation(booking),
    ],
    closed: (booking, { stampAt }) => [
      ...allDay(booking),
      contentLine('DTSTAMP', utcValue(stampAt)),
      textLine('UID', booking.uid),
      textLine('SUMMARY', 'CLOSED - Not available'),
      ...cancellation(booking),
    ],
    renewing: renewed,
    named: (booking, { stampAt }) => [
      textLine('UID', booking.uid),
      contentLine('DTSTAMP', utcValue(stampAt)),
      ...allDay(booking),
      textLine('SUMMARY', booking.isBlocked ? 'Blocked' : `Reserved - ${booking.guest}`),
      ...cancellation(booking),
    ],
    manager: (booking, { calendar, stampAt }) => [
      textLine('UID', booking.uid),
      contentLine('DTSTAMP', utcValue(stampAt)),
      contentLine('CREATED', utcValue(booking.createdAt)),
      contentLine('LAST-MODIFIED', utcValue(booking.changedAt)),
      contentLine('SEQUENCE', String(booking.sequence)),
      contentLine('STATUS', booking.isCancelled ? 'CANCELLED' : 'CONFIRMED'),
      contentLine('ORGANIZER;CN=Bookings', 'mailto:bookings@manager.example'),
      timed('DTSTART', calendar, booking.arrival, calendar.checkIn),
      timed('DTEND', calendar, booking.departure, calendar.checkOut),
      textLine('SUMMARY', booking.isBlocked ? 'Blocked' : booking.guest),
      ...(booking.isBlocked ? [] : [textLine('DESCRIPTION', managed(booking))]),
      contentLine('TRANSP', 'OPAQUE'),
    ],
    office: (booking, { calendar, stampAt }) => [
      textLine('UID', booking.uid),
      contentLine('DTSTAMP', utcValue(stampAt)),
      contentLine('SEQUENCE', String(booking.sequence)),
      contentLine('STATUS', booking.isCancelled ? 'CANCELLED' : 'CONFIRMED'),
      timed('DTSTART', calendar, booking.arrival, '00:00'),
      timed('DTEND', calendar, booking.departure, '00:00'),
      textLine('SUMMARY', booking.isBlocked ? 'Owner' : booking.guest),
      contentLine('X-MICROSOFT-CDO-BUSYSTATUS', 'BUSY'),
    ],
    careless: (booking, { stampAt }) => [
      contentLine('UID', 'booking'),
      contentLine('DTSTAMP', 'now'),
      contentLine('SEQUENCE', String(Math.floor(stampAt / 1_000))),
      contentLine('DTSTART', dateValue(booking.arrival)),
      contentLine('DTEND', dateValue(booking.departure)),
      textLine('SUMMARY', booking.isBlocked ? 'Blocked' : booking.guest),
      ...(booking.isCancelled ? [contentLine('STATUS', 'CANCELLED')] : []),
    ],
  };

/** Each day another id, and once the guest is there another start. */
function renewed(booking: Booking, { calendar, stampAt }: CalendarFacts): readonly string[] {
  const today = dayAt(calendar.timeZone, stampAt);
  const arrival = booking.arrival < today && today < booking.departure ? today : booking.arrival;
  return [
    ...allDay({ arrival, departure: booking.departure }),
    contentLine('DTSTAMP', utcValue(stampAt)),
    textLine('UID', `${dateValue(today)}-${booking.uid}`),
    textLine('SUMMARY', 'CLOSED - Not available'),
    ...cancellation(booking),
  ];
}

const allDay = ({ arrival, departure }: Pick<Booking, 'arrival' | 'departure'>): readonly string[] => [
  contentLine('DTSTART;VALUE=DATE', dateValue(arrival)),
  contentLine('DTEND;VALUE=DATE', dateValue(departure)),
];

function timed(name: string, { form, timeZone }: BookingCalendar, day: string, time: string): string {
  return contentLine(
    `${name};TZID=${ZONE_NAMES[form] ?? timeZone}`,
    localValue(wallMsOfDay(day) + minutesOfDay(time) * MINUTE_MS),
  );
}

/** Portals leave SEQUENCE out where it is zero; a reported change must grow (RFC 5545, 3.8.7.4). */
function cancellation({ isCancelled, sequence }: Booking): readonly string[] {
  return isCancelled ? [contentLine('SEQUENCE', String(sequence)), contentLine('STATUS', 'CANCELLED')] : [];
}

function reservation({ reference, phone }: Booking): string {
  const address = `Reservation URL: https://portal.example/hosting/reservations/details/${reference}`;
  const digits = phone?.replace(/\D/gu, '').slice(-PHONE_DIGITS_SHOWN);
  return digits === undefined ? address : `${address}\nPhone Number (Last 4 Digits): ${digits}`;
}

function managed({ guest, phone, reference, arrival, departure }: Booking): string {
  const lines = [`Guest: ${guest}`, `Stay: ${arrival} to ${departure}, booking ${reference}`];
  return (phone === null ? lines : [...lines, `Phone: ${phone}`]).join('\n');
}
