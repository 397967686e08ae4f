// Bookings come, move and go by control calls, by the simulator's clock.
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TestCalendar } from '../../../test/harness/test-calendar.ts';
import { call, Fixture } from '../server/partner.ts';
import { eventsOf, read, spansOf, valueOf } from './read-calendar.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: Fixture;
let calendar: TestCalendar;

beforeEach(async () => {
  fixture = await Fixture.start();
  calendar = TestCalendar.of(fixture.simulator);
  return async () => fixture.close();
});

const spans = async (): Promise<readonly string[]> => spansOf((await read(calendar.url)).text);
const post = async (action: string, details: unknown) =>
  call(`${fixture.simulator.controlUrl}/house/${action}`, { method: 'POST', body: details });

const FIRST_RUN = ['20260412 to 20260415', '20260415 to 20260418', '20260423 to 20260427'];

describe('a booking', () => {
  test('begins so many days from today, or on a date', async () => {
    await calendar.add({ uid: 'soon', arrival: 5, nights: 1 });
    await calendar.add({ uid: 'dated', arrival: '2026-12-24', nights: 7 });
    expect(await spans()).toEqual([
      ...FIRST_RUN.slice(0, 2),
      '20260419 to 20260420',
      '20260423 to 20260427',
      '20261224 to 20261231',
    ]);
  });

  test('is counted from the day in the zone of its calendar', async () => {
    await fixture.control('house/add-calendar', { name: 'East', timeZone: 'Pacific/Auckland' });
    const east = TestCalendar.of(fixture.simulator, 'East');
    await east.add({ arrival: 0, nights: 1 });
    expect(spansOf((await read(east.url)).text)).toEqual(['20260415 to 20260416']);
  });

  test('keeps its uid when it moves; without a uid the next to arrive moves', async () => {
    const uidOf = async (index: number) => valueOf(eventsOf((await read(calendar.url)).text)[index], 'UID');
    const before = await uidOf(1);
    const moved = await calendar.move({ arrival: 2 });
    expect([moved.uid, await uidOf(1)]).toEqual([before, before]);
    expect((await spans())[1]).toBe('20260416 to 20260419');
    await calendar.move({ booking: moved.uid, nights: 1 });
    expect((await spans())[1]).toBe('20260416 to 20260417');
  });

  test('leaves the calendar of a portal when it is cancelled, or stays there marked', async () => {
    await calendar.cancel();
    expect(await spans()).toEqual([FIRST_RUN[0], FIRST_RUN[2]]);
    await calendar.cancel(undefined, 'marked');
    const [, marked] = eventsOf((await read(calendar.url)).text);
    expect([valueOf(marked, 'STATUS'), valueOf(marked, 'SEQUENCE')]).toEqual(['CANCELLED', '1']);
  });

  test('follows another on the day of its departure: a turnover', async () => {
    await calendar.addTurnover();
    expect((await spans())[2]).toBe('20260418 to 20260420');
    const { uid } = await calendar.add({ arrival: 40, nights: 2 });
    await calendar.addTurnover({ after: uid, nights: 5, guest: 'Guest after' });
    expect((await spans()).at(-1)).toBe('20260526 to 20260531');
  });

  test('is listed until the day of departure is over in the zone, by a portal', async () => {
    // Midnight in New York is 04:00 UTC; it is 12:00 UTC on the 14th.
    await fixture.clock.advance(DAY_MS + 16 * HOUR_MS - 1);
    expect(await spans()).toEqual(FIRST_RUN);
    await fixture.clock.advance(1);
    expect(await spans()).toEqual(FIRST_RUN.slice(1));
  });

  test('is listed for thirty days more by a property manager', async () => {
    await fixture.control('house/add-calendar', {
      name: 'Manager',
      form: 'manager',
      bookings: [{ arrival: 0, nights: 1 }],
    });
    const manager = TestCalendar.of(fixture.simulator, 'Manager');
    const count = async () => eventsOf((await read(manager.url)).text).length;
    await fixture.clock.advance(31 * DAY_MS + 16 * HOUR_MS - 1);
    expect(await count()).toBe(1);
    await fixture.clock.advance(1);
    expect(await count()).toBe(0);
  });

  test('can be played by the script of a scenario', async () => {
    await fixture.control('reset', {
      scenario: { script: [{ afterMs: HOUR_MS, action: 'cancel-booking' }] },
    });
    expect(await spans()).toHaveLength(3);
    await fixture.control('time/advance', { ms: HOUR_MS });
    expect(await spans()).toEqual([FIRST_RUN[0], FIRST_RUN[2]]);
  });
});

describe('an impossible control call', () => {
  test.each<readonly [string, unknown, number, string]>([
    ['add-booking', { arrival: 1, nights: 0 }, 400, 'nights'],
    ['add-booking', { arrival: 'soon', nights: 1 }, 400, 'arrival'],
    ['add-booking', { arrival: 1, nights: 1, guest: 'a\nb' }, 400, 'guest'],
    ['add-booking', { arrival: 1, nights: 1, phone: 'none' }, 400, 'phone'],
    ['add-booking', { arrival: 1, nights: 1, calendar: 'Nowhere' }, 404, 'calendar'],
    ['add-calendar', { name: 'Rental portal' }, 400, 'already'],
    ['add-calendar', { name: 'Other', timeZone: 'Moon/Base' }, 400, 'timeZone'],
    ['add-calendar', { name: 'Other', bookings: [{ arrival: 1 }] }, 400, 'bookings.0.nights'],
    ['move-booking', { booking: 'nobody', arrival: 1 }, 404, 'nobody'],
    ['cancel-booking', { booking: 'nobody' }, 404, 'nobody'],
    ['fail-calendar', { kind: 'html', often: 'once', calendar: 'Nowhere' }, 404, 'Nowhere'],
    ['fail-calendar', { kind: 'entries-gone', share: 2, often: 'once' }, 400, 'share'],
  ])('%s %j is a %s that names "%s"', async (action, details, status, named) => {
    const answer = await post(action, details);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(named)]);
    expect(await spans()).toEqual(FIRST_RUN);
  });

  test('is refused for a uid that is taken', async () => {
    await calendar.add({ uid: 'b-1', arrival: 1, nights: 1 });
    const answer = await post('add-booking', { uid: 'b-1', arrival: 9, nights: 1 });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('already')]);
  });

  test('is refused without a name where there are two calendars', async () => {
    await fixture.control('house/add-calendar', { name: 'Second' });
    const answer = await post('cancel-booking', {});
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Rental portal, Second')]);
  });

  test('is refused when every guest has departed', async () => {
    await fixture.clock.advance(60 * DAY_MS);
    expect((await post('cancel-booking', {})).status).toBe(404);
    expect((await post('add-turnover', {})).status).toBe(400);
  });
});

describe('the state', () => {
  test('lists every calendar with its bookings, and never its address', async () => {
    const { text, json } = await call(`${fixture.simulator.controlUrl}/state`);
    const { calendars } = z
      .object({ calendars: z.array(z.looseObject({ name: z.string(), bookings: z.array(z.unknown()) })) })
      .parse(json);
    expect(calendars.map(({ name, bookings }) => [name, bookings.length])).toEqual([['Rental portal', 3]]);
    const [, token = 'none'] = /calendars\/(.+)\.ics$/u.exec(calendar.url) ?? [];
    expect(text).not.toContain(token);
  });
});
