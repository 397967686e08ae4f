// The text of each portal's booking calendars, to the letter of RFC 5545.
import { afterEach, describe, expect, test } from 'vitest';
import { TestCalendar } from '../../../test/harness/test-calendar.ts';
import type { CalendarForm } from '../../src/calendars/calendar-setup.ts';
import { contentLine, textLine } from '../../src/calendars/ical-text.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { Fixture } from '../server/partner.ts';
import { componentOf, eventsOf, linesOf, read, spansOf, textOf, valueOf } from './read-calendar.ts';

let fixture: Fixture;

afterEach(async () => {
  await fixture.close();
});

async function calendarOf(scenario: Scenario = {}, name?: string): Promise<TestCalendar> {
  fixture = await Fixture.start({ scenario });
  return TestCalendar.of(fixture.simulator, name);
}

const textAt = async (calendar: TestCalendar): Promise<string> => (await read(calendar.url)).text;

/** The clock of the fixture begins on 14 April 2026, 08:00 in New York. */
const booking = { uid: 'b-1', arrival: 2, nights: 3, guest: 'Guest of May', phone: '+44 7700 900042' };

describe('a calendar of a first run', () => {
  test('has three bookings, and two of them meet on one day', async () => {
    const text = await textAt(await calendarOf());
    expect(spansOf(text)).toEqual(['20260412 to 20260415', '20260415 to 20260418', '20260423 to 20260427']);
  });

  test('is the same for the same seed, address included, and another for another', async () => {
    const seen: string[][] = [];
    for (const seed of ['a', 'a', 'b']) {
      const calendar = await calendarOf({ seed });
      seen.push([new URL(calendar.url).pathname, await textAt(calendar)]);
      await fixture.close();
    }
    await calendarOf();
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]?.[0]).not.toBe(seen[0]?.[0]);
    expect(seen[2]?.[1]).not.toBe(seen[0]?.[1]);
  });

  test('is left out where a scenario wants none', async () => {
    fixture = await Fixture.start({ scenario: { calendars: [] } });
    expect(fixture.simulator.calendars).toEqual([]);
  });
});

describe('a portal that writes "Reserved"', () => {
  const scenario: Scenario = { calendars: [{ name: 'Portal', form: 'reserved', bookings: [booking] }] };

  test('gives days, the address of the reservation and the last digits of the phone', async () => {
    const [event] = eventsOf(await textAt(await calendarOf(scenario)));
    expect(event?.lines).toEqual([
      { name: 'DTSTAMP', value: '20260414T120000Z' },
      { name: 'DTSTART;VALUE=DATE', value: '20260416' },
      { name: 'DTEND;VALUE=DATE', value: '20260419' },
      { name: 'SUMMARY', value: 'Reserved' },
      { name: 'UID', value: 'b-1' },
      {
        name: 'DESCRIPTION',
        value: expect.stringMatching(
          /^Reservation URL: https:\/\/portal\.example\/hosting\/reservations\/details\/[A-Z2-9]{8}\\nPhone Number \(Last 4 Digits\): 0042$/u,
        ) as unknown,
      },
    ]);
  });

  test('names itself without a brand, as version 2.0', async () => {
    expect(componentOf(await textAt(await calendarOf(scenario)))).toMatchObject({
      kind: 'VCALENDAR',
      lines: [
        { name: 'PRODID', value: '-//Simulated bookings//Rental portal//EN' },
        { name: 'VERSION', value: '2.0' },
        { name: 'CALSCALE', value: 'GREGORIAN' },
      ],
    });
  });

  test('leaves out a phone that the booking lacks, and all guests on blocked days', async () => {
    const calendar = await calendarOf({ calendars: [{ name: 'Portal' }] });
    await calendar.add({ arrival: 1, nights: 1, phone: null });
    await calendar.add({ arrival: 3, nights: 1, blocked: true });
    const [stay, block] = eventsOf(await textAt(calendar));
    expect(textOf(valueOf(stay, 'DESCRIPTION'))).toMatch(/^Reservation URL: \S+$/u);
    expect([valueOf(block, 'SUMMARY'), valueOf(block, 'DESCRIPTION')]).toEqual([
      'Portal (Not available)',
      undefined,
    ]);
  });
});

describe('a portal that writes "CLOSED - Not available"', () => {
  test('does not distinguish guests from blocked days', async () => {
    const calendar = await calendarOf({
      calendars: [
        { name: 'Rooms', form: 'closed', bookings: [booking, { arrival: 9, nights: 1, blocked: true }] },
      ],
    });
    const events = eventsOf(await textAt(calendar));
    expect(events.map((event) => event.lines.map(({ name }) => name))).toEqual(
      Array.from({ length: 2 }, () => [
        'DTSTART;VALUE=DATE',
        'DTEND;VALUE=DATE',
        'DTSTAMP',
        'UID',
        'SUMMARY',
      ]),
    );
    expect(events.map((event) => valueOf(event, 'SUMMARY'))).toEqual([
      'CLOSED - Not available',
      'CLOSED - Not available',
    ]);
  });
});

describe('other programs', () => {
  const linesIn = async (form: CalendarForm): Promise<readonly string[]> => {
    const calendar = await calendarOf({ calendars: [{ name: 'Other', form, bookings: [booking] }] });
    const [event] = eventsOf(await textAt(calendar));
    return (event?.lines ?? []).map(({ name, value }) => `${name}:${value}`);
  };

  test('renew each id every day, and the start of a stay that has begun', async () => {
    const bookings = [{ ...booking, arrival: -2, nights: 5 }];
    const calendar = await calendarOf({ calendars: [{ name: 'Other', form: 'renewing', bookings }] });
    const before = await textAt(calendar);
    await fixture.clock.advance(86_400_000);
    const after = await textAt(calendar);
    expect([spansOf(before), spansOf(after)]).toEqual([['20260414 to 20260417'], ['20260415 to 20260417']]);
    expect([before, after].map((text) => valueOf(eventsOf(text)[0], 'UID'))).toEqual([
      '20260414-b-1',
      '20260415-b-1',
    ]);
  });

  test('write the name of the guest into the title', async () => {
    expect(await linesIn('named')).toContain('SUMMARY:Reserved - Guest of May');
  });

  test('write nights as midnights, in a zone of a name that only the calendar explains', async () => {
    expect(await linesIn('office')).toEqual(
      expect.arrayContaining([
        'DTSTART;TZID=Customized Time Zone:20260416T000000',
        'DTEND;TZID=Customized Time Zone:20260419T000000',
      ]),
    );
  });

  test('write one id for all, a time as SEQUENCE, and a stamp that is none', async () => {
    expect(await linesIn('careless')).toEqual(
      expect.arrayContaining(['UID:booking', 'SEQUENCE:1776168000', 'DTSTAMP:now', 'DTSTART:20260416']),
    );
  });
});

describe('a property manager', () => {
  const managed = async () =>
    calendarOf({
      calendars: [
        {
          name: 'Manager',
          form: 'manager',
          timeZone: 'Europe/Berlin',
          checkIn: '16:00',
          bookings: [booking],
        },
      ],
    });

  test('gives hours in the zone, the name of the guest and the whole phone number', async () => {
    const text = await textAt(await managed());
    const [event] = eventsOf(text);
    expect(event?.lines.filter(({ name }) => name.startsWith('DT'))).toEqual([
      { name: 'DTSTAMP', value: '20260414T120000Z' },
      { name: 'DTSTART;TZID=Europe/Berlin', value: '20260416T160000' },
      { name: 'DTEND;TZID=Europe/Berlin', value: '20260419T110000' },
    ]);
    expect(valueOf(event, 'SUMMARY')).toBe('Guest of May');
    expect(textOf(valueOf(event, 'DESCRIPTION'))).toMatch(
      /^Guest: Guest of May\nStay: 2026-04-16 to 2026-04-19, booking [A-Z2-9]{8}\nPhone: \+44 7700 900042$/u,
    );
    expect(valueOf(componentOf(text), 'METHOD')).toBe('PUBLISH');
    expect([valueOf(event, 'SEQUENCE'), valueOf(event, 'STATUS')]).toEqual(['0', 'CONFIRMED']);
  });

  test("has the changes of the zone's clocks", async () => {
    const [zone] = componentOf(await textAt(await managed())).parts;
    const changes = zone?.parts.map((part) => [part.kind, ...part.lines.map(({ value }) => value)]) ?? [];
    expect([zone?.kind, valueOf(zone, 'TZID')]).toEqual(['VTIMEZONE', 'Europe/Berlin']);
    expect(changes.slice(0, 5)).toEqual([
      ['STANDARD', '20250101T000000', '+0100', '+0100'],
      ['DAYLIGHT', '20250330T020000', '+0100', '+0200'],
      ['STANDARD', '20251026T030000', '+0200', '+0100'],
      ['DAYLIGHT', '20260329T020000', '+0100', '+0200'],
      ['STANDARD', '20261025T030000', '+0200', '+0100'],
    ]);
  });

  test('counts the changes of a booking, with the instants of its creation and change', async () => {
    const calendar = await managed();
    await fixture.clock.advance(3_600_000);
    await calendar.move({ booking: 'b-1', arrival: 5 });
    const [event] = eventsOf(await textAt(calendar));
    expect(
      ['UID', 'SEQUENCE', 'CREATED', 'LAST-MODIFIED', 'DTSTART'].map((name) => valueOf(event, name)),
    ).toEqual(['b-1', '1', '20260414T120000Z', '20260414T130000Z', '20260419T160000']);
  });

  test('marks a booking as cancelled instead of dropping it', async () => {
    const calendar = await managed();
    await calendar.cancel('b-1');
    const [event] = eventsOf(await textAt(calendar));
    expect([valueOf(event, 'STATUS'), valueOf(event, 'SEQUENCE')]).toEqual(['CANCELLED', '1']);
  });
});

describe('lines', () => {
  const strange =
    'Ünïcode 𝒢uest; a, b \\ c and a name that is much longer than one line of a calendar may be 日本語日本語日本語';

  test('are folded at 75 octets, between characters', async () => {
    const calendar = await calendarOf({
      calendars: [{ name: 'Manager', form: 'manager', bookings: [{ ...booking, guest: strange }] }],
    });
    const [event] = eventsOf(await textAt(calendar));
    expect(textOf(valueOf(event, 'SUMMARY'))).toBe(strange);
  });

  test.each([73, 74, 75, 76, 149, 150, 151])('of %s octets come back whole', async (length) => {
    await calendarOf();
    const value = 'x'.repeat(length - 'SUMMARY:'.length);
    const line = contentLine('SUMMARY', value);
    expect(line.split('\r\n').slice(0, -1).length).toBe(Math.ceil((length - 75) / 74) + 1);
    expect(linesOf(line)).toEqual([{ name: 'SUMMARY', value }]);
  });

  test('never hold a line break of their text', async () => {
    await calendarOf();
    expect(textLine('SUMMARY', 'a\r\nBEGIN:VEVENT\rb\nc')).toBe('SUMMARY:a\\nBEGIN:VEVENT\\nb\\nc\r\n');
  });
});
