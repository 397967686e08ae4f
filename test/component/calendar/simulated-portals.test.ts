// The calendars of the simulated portals, read as a home reads them: each form.
import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CalendarReader } from '../../../src/calendar/calendar-reader.ts';
import { parseBody } from '../../../src/calendar/parse-calendar.ts';
import type { CalendarEntry } from '../../../src/domain/stays/calendar-ports.ts';
import type { CalendarForm } from '../../../src/simulator/calendars/calendar-setup.ts';
import { TestCalendar } from '../../harness/test-calendar.ts';
import { call, Fixture } from '../../simulator/server/partner.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const FORMS: readonly CalendarForm[] = ['reserved', 'closed', 'manager'];
const ZONE = 'America/New_York';
const bookingsOf = z.object({
  calendars: z.array(
    z.object({
      bookings: z.array(
        z.object({
          uid: z.string(),
          arrival: z.string(),
          departure: z.string(),
          isBlocked: z.boolean(),
          isCancelled: z.boolean(),
          sequence: z.number(),
          guest: z.string(),
          phone: z.string().nullable(),
        }),
      ),
    }),
  ),
});

let fixture: Fixture;
let portal: TestCalendar;
let reader: CalendarReader;

async function start(form: CalendarForm): Promise<void> {
  const booked = [
    { arrival: -2, nights: 3 },
    { arrival: 1, nights: 3, guest: 'Zoë, of the house; 日本語' },
    { arrival: 9, nights: 4, phone: null },
    { arrival: 200, nights: 2, blocked: true },
  ];
  fixture = await Fixture.start({
    scenario: { calendars: [{ name: 'Portal', form, timeZone: ZONE, bookings: booked }] },
  });
  portal = TestCalendar.of(fixture.simulator);
  reader = new CalendarReader({
    clock: new ManualClock(),
    allowed: { insecureLoopback: true, privateHosts: false },
    // How a thread reads, others show.
    parse: async (task) => Promise.resolve(parseBody(task)),
  });
}

afterEach(async () => {
  reader.close();
  await fixture.close();
});

async function entries(): Promise<readonly CalendarEntry[]> {
  const from = fixture.clock.now() - 30 * 86_400_000;
  const until = from + 1_000 * 86_400_000;
  const reading = await reader.read({ address: portal.url, validators: null, from, until });
  if (reading.kind !== 'entries') {
    throw new Error(JSON.stringify(reading));
  }
  expect(reading.leftOut).toBe(0);
  return reading.entries;
}

async function bookings() {
  const { json } = await call(`${fixture.simulator.controlUrl}/state`);
  return bookingsOf.parse(json).calendars.flatMap((calendar) => calendar.bookings);
}

const at = (day: string, time: string) => ({
  kind: 'instant',
  at: Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(ZONE).epochMilliseconds,
});

describe.each(FORMS)('a portal of the form "%s"', (form) => {
  beforeEach(async () => {
    await start(form);
  });

  it('is read as it was booked', async () => {
    const booked = await bookings();
    expect(booked.length).toBe(4);
    const isTimed = form === 'manager';
    expect(
      (await entries()).map(({ uid, start: begins, end, isCancelled, sequence }) => ({
        uid,
        begins,
        end,
        isCancelled,
        sequence,
      })),
    ).toEqual(
      booked.map(({ uid, arrival, departure }) => ({
        uid,
        begins: isTimed ? at(arrival, '15:00') : { kind: 'day', day: arrival },
        end: isTimed ? at(departure, '11:00') : { kind: 'day', day: departure },
        isCancelled: false,
        sequence: 0,
      })),
    );
  });

  it('names the facts that it knows of its guests', async () => {
    const [first, second, third, blocked] = await entries();
    const [, booked] = await bookings();
    const digits = booked?.phone?.slice(-4) ?? 'none';
    const said: Readonly<Record<CalendarForm, readonly unknown[]>> = {
      reserved: [
        'Reserved',
        'Reserved',
        expect.stringContaining(`Phone Number (Last 4 Digits): ${digits}`),
        'Portal (Not available)',
      ],
      closed: ['CLOSED - Not available', 'CLOSED - Not available', '', 'CLOSED - Not available'],
      manager: [
        'Guest 1',
        'Zoë, of the house; 日本語',
        expect.stringContaining(`Phone: ${booked?.phone ?? 'none'}`),
        'Blocked',
      ],
    };
    expect([first?.summary, second?.summary, second?.description, blocked?.summary]).toEqual(said[form]);
    expect(third?.description).not.toContain('Phone');
  });
});
