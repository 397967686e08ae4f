// The calendars of the simulated portals, read as a home reads them: each form.
import { Temporal } from 'temporal-polyfill';
import { expect, it, onTestFinished } from 'vitest';
import type { Booking } from '../../../../../simulator/src/calendars/booking-calendar.ts';
import type { CalendarForm } from '../../../../../simulator/src/calendars/calendar-setup.ts';
import { Fixture } from '../../../../../simulator/test/server/partner.ts';
import { CalendarReader } from '../../../../../src/features/stays/calendar/calendar-reader.ts';
import { parseBody } from '../../../../../src/features/stays/calendar/parse-calendar.ts';
import type { CalendarTime } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import { NOT_STAYS, staysIn } from '../../../../../src/features/stays/policy/stay-entries.ts';
import { TestCalendar } from '../../../../harness/test-calendar.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const ZONE = 'America/New_York';
const DAY_MS = 86_400_000;

const BOOKED = [
  { arrival: -2, nights: 3, guest: 'Anna Berger' },
  { arrival: 1, nights: 3, guest: 'Zoë, of the house; 日本語' },
  { arrival: 9, nights: 4, guest: 'Bernd Meier', phone: null },
  { arrival: 200, nights: 2, blocked: true },
];

const dayOf = (day: string): CalendarTime => ({ kind: 'day', day });
const timeOf = (day: string, time: string): CalendarTime => ({
  kind: 'instant',
  at: Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(ZONE).epochMilliseconds,
});

/** On the fixture's day. */
const TODAY = '2026-04-14';
const daysOf = ({ arrival, departure }: Booking): readonly [CalendarTime, CalendarTime] => [
  dayOf(arrival),
  dayOf(departure),
];

interface Read {
  readonly timesOf: (booking: Booking) => readonly [CalendarTime, CalendarTime];
  /** Of three guests and one blocked span: stays, blocked nights, stays with a name, stays with a number or a phone. */
  readonly found: readonly [stays: number, blocked: number, named: number, marked: number];
}

/** Every form of the simulator: the table in docs/operate/stays.md names the same ones. */
const READ: Readonly<Record<CalendarForm, Read>> = {
  reserved: { timesOf: daysOf, found: [3, 1, 0, 3] },
  closed: { timesOf: daysOf, found: [0, 4, 0, 0] },
  renewing: {
    timesOf: ({ arrival, departure }) => [dayOf(arrival < TODAY ? TODAY : arrival), dayOf(departure)],
    found: [0, 4, 0, 0],
  },
  named: { timesOf: daysOf, found: [3, 1, 3, 0] },
  manager: {
    timesOf: ({ arrival, departure }) => [timeOf(arrival, '15:00'), timeOf(departure, '11:00')],
    found: [3, 1, 3, 3],
  },
  office: { timesOf: daysOf, found: [3, 1, 3, 0] },
  careless: { timesOf: daysOf, found: [3, 1, 3, 0] },
};

it.each(Object.entries(READ) as [CalendarForm, Read][])(
  'a portal of the form "%s" is read as it was booked',
  async (form, { timesOf, found }) => {
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
    const reading = await reader.read(question);
    expect(reading).toMatchObject({
      kind: 'entries',
      leftOut: 0,
      entries: bookings.map((booking) => {
        const [start, end] = timesOf(booking);
        // The careless form has one id for all.
        const uid = form === 'careless' ? 'booking' : booking.uid;
        return { uid: expect.stringContaining(uid) as unknown, start, end, isCancelled: false };
      }),
    });
    const stays = staysIn(reading.kind === 'entries' ? reading.entries : [], NOT_STAYS);
    const marked = stays.bookings.filter(
      ({ phone4, references = [] }) => phone4 !== null || references.length > 0,
    );
    const named = stays.bookings.filter(({ guest }) => guest !== null);
    expect([stays.bookings.length, stays.notStays, named.length, marked.length]).toEqual(found);
  },
);
