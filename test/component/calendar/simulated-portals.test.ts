// The calendars of the simulated portals, read as a home reads them: each form.
import { Temporal } from 'temporal-polyfill';
import { expect, it, onTestFinished } from 'vitest';
import type { Booking } from '../../../simulator/src/calendars/booking-calendar.ts';
import type { CalendarForm } from '../../../simulator/src/calendars/calendar-setup.ts';
import { Fixture } from '../../../simulator/test/server/partner.ts';
import { CalendarReader } from '../../../src/calendar/calendar-reader.ts';
import { parseBody } from '../../../src/calendar/parse-calendar.ts';
import type { CalendarTime } from '../../../src/domain/stays/calendar-ports.ts';
import { TestCalendar } from '../../harness/test-calendar.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ZONE = 'America/New_York';
const DAY_MS = 86_400_000;

const BOOKED = [
  { arrival: -2, nights: 3 },
  { arrival: 1, nights: 3, guest: 'Zoë, of the house; 日本語' },
  { arrival: 9, nights: 4, phone: null },
  { arrival: 200, nights: 2, blocked: true },
];

const dayOf = (day: string): CalendarTime => ({ kind: 'day', day });
const timeOf = (day: string, time: string): CalendarTime => ({
  kind: 'instant',
  at: Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(ZONE).epochMilliseconds,
});

it.each<readonly [CalendarForm, (booking: Booking) => readonly [CalendarTime, CalendarTime]]>([
  ['reserved', ({ arrival, departure }) => [dayOf(arrival), dayOf(departure)]],
  ['closed', ({ arrival, departure }) => [dayOf(arrival), dayOf(departure)]],
  ['manager', ({ arrival, departure }) => [timeOf(arrival, '15:00'), timeOf(departure, '11:00')]],
])('a portal of the form "%s" is read as it was booked', async (form, timesOf) => {
  const fixture = await Fixture.start({
    scenario: { calendars: [{ name: 'Portal', form, timeZone: ZONE, bookings: [] }] },
  });
  const portal = TestCalendar.of(fixture.simulator);
  const reader = new CalendarReader({
    clock: new ManualClock(),
    allowed: { insecureLoopback: true, privateHosts: false },
    // How a thread reads, others show.
    parse: async (task) => Promise.resolve(parseBody(task)),
  });
  onTestFinished(async () => {
    reader.close();
    await fixture.close();
  });
  const bookings: Booking[] = [];
  for (const booked of BOOKED) {
    bookings.push(await portal.add(booked));
  }
  const from = fixture.clock.now() - 30 * DAY_MS;
  const question = { address: portal.url, validators: null, from, until: from + 1_000 * DAY_MS };
  expect(await reader.read(question)).toMatchObject({
    kind: 'entries',
    leftOut: 0,
    entries: bookings.map((booking) => {
      const [start, end] = timesOf(booking);
      return { uid: booking.uid, start, end, isCancelled: false, sequence: 0 };
    }),
  });
});
