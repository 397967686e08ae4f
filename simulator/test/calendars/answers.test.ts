// How readings of a calendar are answered: whole, unchanged, or with a fault.
import { request } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestCalendar } from '../../../test/harness/test-calendar.ts';
import { settle } from '../../../test/support/manual-clock.ts';
import { replay } from '../../src/replay.ts';
import { readRecording } from '../../src/scenario/recording.ts';
import { Fixture } from '../server/partner.ts';
import { componentOf, eventsOf, read, spansOf, valueOf } from './read-calendar.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const ALWAYS = 'always';

let fixture: Fixture;
let calendar: TestCalendar;

beforeEach(async () => {
  fixture = await Fixture.start();
  calendar = TestCalendar.of(fixture.simulator);
  return async () => fixture.close();
});

async function validators(url = calendar.url): Promise<{ readonly etag: string; readonly modified: string }> {
  const { headers } = await read(url);
  return { etag: headers['etag'] ?? '', modified: headers['last-modified'] ?? '' };
}

/** The reader's request has come, and waits for the clock. */
async function timerSet(): Promise<void> {
  await expect.poll(() => fixture.clock.pendingTimers).toBeGreaterThan(0);
}

/** Another calendar, with one booking. */
async function another(form: string): Promise<TestCalendar> {
  const bookings = [{ arrival: 1, nights: 1 }];
  await fixture.control('house/add-calendar', { name: 'Another', form, bookings });
  return TestCalendar.of(fixture.simulator, 'Another');
}

describe('a reading', () => {
  test('is a calendar with both validators, at its secret address alone', async () => {
    const { status, headers } = await read(calendar.url);
    expect([status, headers['content-type'], headers['last-modified']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'Tue, 14 Apr 2026 12:00:00 GMT',
    ]);
    expect(headers['etag']).toMatch(/^"[\w-]+"$/u);
    expect((await read(calendar.url.replace(/.\.ics$/u, '.ics'))).status).toBe(404);
    expect((await read(`${fixture.simulator.url}/calendars/`)).status).toBe(404);
  });

  test.each([
    ['reserved', ''],
    ['closed', ''],
    ['manager', '; method=PUBLISH'],
  ])(
    'of the form %s names its method where the calendar does, and is a 304 while nothing has changed',
    async (form, method) => {
      const one = await another(form);
      const { headers: first } = await read(one.url);
      expect(first['content-type']).toBe(`text/calendar; charset=utf-8${method}`);
      const { etag, modified } = await validators(one.url);
      await fixture.clock.advance(60 * SECOND_MS);
      for (const headers of [
        { 'if-none-match': etag },
        { 'if-none-match': `"other", ${etag}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': modified },
      ]) {
        const answer = await read(one.url, headers);
        expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', etag]);
      }
      await one.add({ arrival: 5, nights: 1 });
      for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': modified }]) {
        expect((await read(one.url, headers)).status).toBe(200);
      }
    },
  );

  test('follows the tag where both validators are sent', async () => {
    const { modified } = await validators();
    expect(
      (await read(calendar.url, { 'if-none-match': '"old"', 'if-modified-since': modified })).status,
    ).toBe(200);
  });

  test('is new when a guest who left falls off the list', async () => {
    const { etag, modified } = await validators();
    await fixture.clock.advance(2 * DAY_MS);
    expect((await read(calendar.url, { 'if-none-match': etag })).status).toBe(200);
    const answer = await read(calendar.url, { 'if-modified-since': modified });
    expect([answer.status, answer.headers['last-modified']]).toEqual([200, 'Thu, 16 Apr 2026 04:00:00 GMT']);
  });

  test('of a portal that stamps each answer differs each time, under one weak tag', async () => {
    const { url } = await another('closed');
    const first = await read(url);
    await fixture.clock.advance(60 * SECOND_MS);
    const second = await read(url);
    expect(second.text).not.toBe(first.text);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(first.headers['etag']).toMatch(/^W\/"/u);
    expect(valueOf(eventsOf(second.text)[0], 'DTSTAMP')).toBe('20260414T120100Z');
  });

  test('stands in the list of requests without the secret of its address', async () => {
    await fixture.control('house/clear-calendar-faults');
    await read(calendar.url);
    const { body } = await request(`${fixture.simulator.controlUrl}/stream`);
    let text = '';
    for await (const chunk of body) {
      text += String(chunk);
      if (text.includes('event: state')) {
        break;
      }
    }
    expect(text).toContain('"path":"/calendars/…"');
    expect(text).not.toContain(new URL(calendar.url).pathname);
  });
});

describe('a fault', () => {
  test.each([404, 410, 429, 500, 503])('answers %s once', async (status) => {
    await calendar.fail({ kind: 'status', status, often: 'once' });
    const answer = await read(calendar.url);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    expect((await read(calendar.url)).status).toBe(200);
  });

  test.each([
    ['html', 'text/html; charset=utf-8', /<h1>/u],
    ['empty-body', 'text/calendar; charset=utf-8', /^$/u],
    ['other-document', 'text/calendar; charset=utf-8', /^BEGIN:VCARD\r\n/u],
  ] as const)('answers 200 and no calendar (%s), also to somebody who has one', async (kind, type, text) => {
    await calendar.fail({ kind, often: { times: 2 } });
    for (const headers of [{}, { 'if-none-match': '*' }]) {
      const answer = await read(calendar.url, headers);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.text).toMatch(text);
    }
  });

  test('takes half of the entries away, the soonest first, under a tag of its own', async () => {
    const { etag } = await validators();
    await calendar.fail({ kind: 'entries-gone', often: ALWAYS });
    const answer = await read(calendar.url, { 'if-none-match': etag });
    expect([answer.status, spansOf(answer.text)]).toEqual([200, ['20260423 to 20260427']]);
    expect(answer.headers['last-modified']).toBeUndefined();
    const again = await read(calendar.url, { 'if-none-match': answer.headers['etag'] ?? '' });
    expect(again.status).toBe(304);
    await calendar.heal();
    expect((await validators()).etag).toBe(etag);
  });

  test('takes all entries away and leaves a well-formed calendar', async () => {
    await calendar.fail({ kind: 'entries-gone', share: 1, often: 'once' });
    expect(componentOf((await read(calendar.url)).text)).toMatchObject({ kind: 'VCALENDAR', parts: [] });
  });

  test('ends the calendar in its middle', async () => {
    await calendar.fail({ kind: 'truncated', often: 'once' });
    const { text } = await read(calendar.url);
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/u);
    expect(text).not.toContain('END:VCALENDAR');
    expect((await read(calendar.url)).text.startsWith(text)).toBe(true);
  });

  test('redirects the reader to another address', async () => {
    await calendar.fail({
      kind: 'redirect',
      status: 308,
      location: 'https://elsewhere.example/',
      often: 'once',
    });
    const answer = await read(calendar.url);
    expect([answer.status, answer.headers['location']]).toEqual([308, 'https://elsewhere.example/']);
  });

  test.each(['reserved', 'manager'])(
    'makes a huge calendar of the form %s that is well-formed',
    async (form) => {
      const one = await another(form);
      await one.fail({ kind: 'huge-body', bytes: 300_000, often: 'once' });
      const { text } = await read(one.url);
      expect(text.length).toBeGreaterThanOrEqual(300_000);
      expect(eventsOf(text)).toHaveLength(1);
    },
  );

  test('adds entries beyond all bounds, each with a uid of its own', async () => {
    await calendar.fail({ kind: 'many-entries', count: 12_000, often: 'once' });
    const events = eventsOf((await read(calendar.url)).text);
    expect(new Set(events.map((event) => valueOf(event, 'UID'))).size).toBe(12_003);
  });

  test('lets a reader wait by the clock of the simulator, and lets go at its end', async () => {
    await calendar.fail({ kind: 'latency', delayMs: 30 * SECOND_MS, often: { times: 2 } });
    let isAnswered = false;
    const reading = read(calendar.url).finally(() => {
      isAnswered = true;
    });
    await timerSet();
    await fixture.clock.advance(29 * SECOND_MS);
    await settle();
    expect(isAnswered).toBe(false);
    await fixture.clock.advance(SECOND_MS);
    expect((await reading).status).toBe(200);
    const held = read(calendar.url);
    await timerSet();
    await fixture.close();
    expect((await held).status).toBe(200);
    fixture = await Fixture.start();
  });

  test('strikes one calendar alone, and no call of partners strikes a calendar', async () => {
    await fixture.control('house/add-calendar', { name: 'Second' });
    await calendar.fail({ kind: 'status', status: 500, often: ALWAYS });
    await fixture.control('house/inject-fault', { kind: 'status', status: 503, often: ALWAYS });
    expect((await read(calendar.url)).status).toBe(500);
    expect((await read(TestCalendar.of(fixture.simulator, 'Second').url)).status).toBe(200);
  });

  test('of lateness joins another one; of two that break the calendar the older strikes first', async () => {
    await calendar.fail({ kind: 'latency', delayMs: 5, often: 'once' });
    await calendar.fail({ kind: 'html', often: 'once' });
    await calendar.fail({ kind: 'status', status: 404, often: 'once' });
    const reading = read(calendar.url);
    await timerSet();
    await fixture.clock.advance(5);
    expect((await reading).headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await read(calendar.url)).status).toBe(404);
  });
});

describe('the recording', () => {
  test('of readings, faults and moves gives the same answers in a replay', async () => {
    const { etag } = await validators();
    await calendar.fail({ kind: 'entries-gone', often: 'once' });
    await read(calendar.url, { 'if-none-match': etag });
    await read(calendar.url, { 'if-none-match': etag });
    await calendar.addTurnover();
    await fixture.clock.advance(DAY_MS);
    await read(calendar.url, { 'if-none-match': etag });
    const { replayed, differences } = await replay(
      readRecording(fixture.simulator.recording(), 'The recording'),
    );
    expect([replayed, differences]).toEqual([6, []]);
  });
});
