// Actions on booking calendars, by name and with checked details: bookings that come, move and go, and faults.
import { z } from 'zod';
import { calendarFaultSchema } from '../calendars/calendar-faults.ts';
import { calendarPath } from '../calendars/calendar-service.ts';
import {
  bookingSchema,
  bookingUidSchema,
  calendarNameSchema,
  calendarSchema,
  daySchema,
  nightsSchema,
} from '../calendars/calendar-setup.ts';
import { serviceAction as action, clearingAction, type ServiceAction } from './action.ts';

/** The calendar; the only one when left out. */
const calendar = calendarNameSchema.exactOptional();
/** The booking; the next to arrive when left out. */
const booking = bookingUidSchema.exactOptional();

export const CALENDAR_ACTIONS = {
  'add-calendar': action(
    'A new booking calendar appears; answers the path of its address',
    calendarSchema,
    ({ calendars }, setup) => ({ path: calendarPath(calendars.add(setup)) }),
  ),
  'add-booking': action(
    'A booking appears in a calendar; answers it',
    bookingSchema.extend({ calendar }),
    ({ calendars }, { calendar: name, ...setup }) => calendars.find(name).add(setup),
  ),
  'add-turnover': action(
    'A booking begins on the day on which another ends; answers it',
    bookingSchema.omit({ arrival: true, nights: true }).extend({
      calendar,
      /** The uid of the booking that ends. */
      after: bookingUidSchema.exactOptional(),
      nights: nightsSchema.exactOptional(),
    }),
    ({ calendars }, { calendar: name, after, ...setup }) => calendars.find(name).addTurnover(after, setup),
  ),
  'move-booking': action(
    'A booking gets other days and keeps its uid; answers it',
    z.strictObject({
      calendar,
      booking,
      arrival: daySchema.exactOptional(),
      nights: nightsSchema.exactOptional(),
    }),
    ({ calendars }, { calendar: name, booking: uid, ...move }) => calendars.find(name).move(uid, move),
  ),
  'cancel-booking': action(
    'A booking is cancelled: marked in the calendar, or gone from it; answers it',
    z.strictObject({ calendar, booking, shown: z.enum(['marked', 'gone']).exactOptional() }),
    ({ calendars }, { calendar: name, booking: uid, shown }) => calendars.find(name).cancel(uid, shown),
  ),
  'fail-calendar': action(
    'Readings of calendars are late, empty, shortened or no calendar; answers the id of the fault',
    calendarFaultSchema,
    ({ calendars }, fault) => {
      // A name that no calendar has would be a fault that never strikes.
      if (fault.calendar !== undefined) {
        calendars.find(fault.calendar);
      }
      return { id: calendars.faults.arm(fault) };
    },
  ),
  'clear-calendar-faults': clearingAction(
    'Ends one fault of calendars, or all of them',
    ({ calendars }) => calendars.faults,
  ),
} as const satisfies Readonly<Record<string, ServiceAction>>;
