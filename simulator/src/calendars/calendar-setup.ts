// How calendars and bookings are written in scenarios and control calls, as zod schemas.
import { z } from 'zod';
import { localTimeSchema, timeZoneSchema } from '../time/zone.ts';

/** The forms of calendars: what rental portals, property managers, office programs and careless ones commonly write. */
export const CALENDAR_FORMS = [
  'reserved',
  'closed',
  'renewing',
  'named',
  'manager',
  'office',
  'careless',
] as const;
export type CalendarForm = (typeof CALENDAR_FORMS)[number];

/** Ten years, as far as the control API moves the clock. */
const MOST_DAYS = 3660;
const LONGEST_TEXT = 200;

/** Text that stands on one line: iCalendar allows no control characters. */
const text = z
  .string()
  .min(1)
  .max(LONGEST_TEXT)
  .regex(/^\P{Cc}*$/u, 'Text without control characters');

export const calendarNameSchema = text;
export const bookingUidSchema = text;

/** Days from today in the calendar's zone, or a date. */
export const daySchema = z.union(
  [
    z.int().min(-MOST_DAYS).max(MOST_DAYS),
    z.iso.date().refine((day) => day >= '2000' && day < '3000', 'A date between 2000 and 2999'),
  ],
  { error: 'Days from today such as 3, or a date such as "2026-12-24"' },
);
export type DaySetup = z.infer<typeof daySchema>;

export const nightsSchema = z.int().min(1).max(366);

export const bookingSchema = z.strictObject({
  /** The uid; seeded when left out. */
  uid: bookingUidSchema.exactOptional(),
  arrival: daySchema,
  nights: nightsSchema,
  /** The owner keeps these days free; no guest comes. */
  blocked: z.boolean().exactOptional(),
  guest: text.exactOptional(),
  /** The phone number; null: the booking has none. */
  phone: z
    .string()
    .regex(/^\+?\d[\d ()-]{2,28}\d$/u, 'A phone number such as "+44 7700 900123"')
    .nullable()
    .exactOptional(),
});
export type BookingSetup = z.infer<typeof bookingSchema>;

/** Enough bookings to try the limits of any reader; the fault `many-entries` adds more. */
export const MOST_BOOKINGS = 10_000;
export const MOST_CALENDARS = 200;

export const calendarSchema = z.strictObject({
  name: calendarNameSchema,
  form: z.enum(CALENDAR_FORMS).exactOptional(),
  timeZone: timeZoneSchema.exactOptional(),
  /** The hours that the form `manager` writes. */
  checkIn: localTimeSchema.exactOptional(),
  checkOut: localTimeSchema.exactOptional(),
  bookings: z.array(bookingSchema).max(MOST_BOOKINGS).exactOptional(),
});
export type CalendarSetup = z.infer<typeof calendarSchema>;

/**
 * A guest who leaves tomorrow, one who comes on that same day, and one who comes later: a turnover is one day away.
 */
const DEFAULT_BOOKINGS: readonly BookingSetup[] = [
  { arrival: -2, nights: 3 },
  { arrival: 1, nights: 3 },
  { arrival: 9, nights: 4 },
];

export const DEFAULT_CALENDARS: readonly CalendarSetup[] = [
  { name: 'Rental portal', bookings: [...DEFAULT_BOOKINGS] },
];
