// The calendars of the simulated portals, read as a home reads them: each form and each change.
import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CalendarReader } from '../../../src/calendar/calendar-reader.ts';
import { parseBody } from '../../../src/calendar/parse-calendar.ts';
import type {
  CalendarEntry,
  CalendarReading,
  CalendarValidators,
} from '../../../src/domain/stays/calendar-ports.ts';
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
let clock: ManualClock;
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
}

beforeEach(() => {
  clock = new ManualClock();
  reader = new CalendarReader({
    clock,
    allowed: { insecureLoopback: true, privateHosts: false },
    // How a thread reads, others show.
    parse: async (task) => Promise.resolve(parseBody(task)),
  });
});

afterEach(async () => {
  reader.close();
  await fixture.close();
});

async function read(validators: CalendarValidators | null = null): Promise<CalendarReading> {
  const from = fixture.clock.now() - 30 * 86_400_000;
  return reader.read({ address: portal.url, validators, from, until: from + 1_000 * 86_400_000 });
}

async function entries(): Promise<readonly CalendarEntry[]> {
  const reading = await read();
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

  it('is unchanged until a booking moves, comes or goes', async () => {
    const reading = await read();
    const validators = reading.kind === 'entries' ? reading.validators : null;
    expect(await read(validators)).toEqual({ kind: 'unchanged' });
    const [, moved] = await entries();
    await portal.move({ booking: moved?.uid ?? '', arrival: 4, nights: 1 });
    expect(await read(validators)).toMatchObject({ kind: 'entries' });
    const after = (await entries()).find(({ uid }) => uid === moved?.uid);
    expect(after?.start).toEqual(
      form === 'manager' ? at('2026-04-18', '15:00') : { kind: 'day', day: '2026-04-18' },
    );
    expect(after?.sequence).toBe(form === 'manager' ? 1 : 0);
  });

  it('marks a booking as cancelled, or lets it go', async () => {
    const [, marked, gone] = await entries();
    await portal.cancel(marked?.uid, 'marked');
    await portal.cancel(gone?.uid, 'gone');
    const found = await entries();
    expect(found.find(({ uid }) => uid === marked?.uid)).toMatchObject({ isCancelled: true, sequence: 1 });
    expect(found.map(({ uid }) => uid)).not.toContain(gone?.uid);
  });
});
