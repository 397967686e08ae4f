// Asking a portal over real HTTP: what each answer becomes, and where nothing is ever asked.
import type { OutgoingHttpHeaders } from 'node:http';
import { createServer as createSecureServer, type Server } from 'node:https';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  CALENDAR_PROBLEMS,
  failedReading,
} from '../../../../../src/features/stays/calendar/calendar-problems.ts';
import {
  CalendarReader,
  type CalendarReaderSettings,
} from '../../../../../src/features/stays/calendar/calendar-reader.ts';
import type { LookupAll } from '../../../../../src/features/stays/calendar/guarded-lookup.ts';
import { parseBody } from '../../../../../src/features/stays/calendar/parse-calendar.ts';
import type { ParserTask } from '../../../../../src/features/stays/calendar/parser-messages.ts';
import { parseApart } from '../../../../../src/features/stays/calendar/parser-thread.ts';
import type {
  CalendarReading,
  CalendarValidators,
} from '../../../../../src/features/stays/policy/calendar-ports.ts';
import { t } from '../../../../../src/words/translate.ts';
import {
  type Answerer,
  type LoopbackService,
  startLoopbackService,
} from '../../../../stand-ins/service/loopback.ts';
import { calendar, event, SPAN_2026 } from '../../../../support/calendar-text.ts';
import { listeningPort } from '../../../../support/listening-port.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { SELF_SIGNED } from '../../../cloud/self-signed.ts';

const SECRET = 'c0ffee-secret';
const PATH = `/calendar/${SECRET}.ics?s=${SECRET}`;
const SIMULATOR = { insecureLoopback: true, privateHosts: false };
const NOTHING = { insecureLoopback: false, privateHosts: false };
const TEXT = { 'content-type': 'text/calendar; charset=utf-8' };
const WHOLE = calendar(event());
const LIMIT = 10 * 1024 * 1024;

let clock: ManualClock;
let portal: LoopbackService;
let answer: Answerer;

beforeEach(async () => {
  clock = new ManualClock();
  answer = says(200, TEXT, WHOLE);
  portal = await startLoopbackService((...met) => {
    answer(...met);
  });
});

/** The same answer to every request. */
function says(status: number, headers: OutgoingHttpHeaders = {}, body: string | Buffer = ''): Answerer {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Reads in this thread, unless told otherwise. */
function reader(settings: Partial<CalendarReaderSettings> = {}): CalendarReader {
  const parse = async (task: ParserTask) => Promise.resolve(parseBody(task));
  const made = new CalendarReader({ clock, allowed: SIMULATOR, parse, ...settings });
  onTestFinished(() => {
    made.close();
  });
  return made;
}

async function read(
  address = portal.url + PATH,
  validators: CalendarValidators | null = null,
  settings: Partial<CalendarReaderSettings> = {},
): Promise<CalendarReading> {
  const reading = await reader(settings).read({ address, validators, ...SPAN_2026 });
  // Whatever happens, the address stays a secret (faults#66).
  expect(JSON.stringify(reading)).not.toContain(SECRET);
  expect(clock.pendingTimers).toBe(0);
  return reading;
}

/** Every name stands for that address. */
const leadsTo =
  (address: string): LookupAll =>
  (_host, _options, callback) => {
    callback(null, [{ address, family: 4 }]);
  };

/** A request to the portal, for callers that do not wait for its end. */
const request = () => ({ address: portal.url + PATH, validators: null, ...SPAN_2026 });

const task = (text: string): ParserTask => ({
  body: { bytes: new TextEncoder().encode(text), contentEncoding: undefined, contentType: undefined },
  span: SPAN_2026,
});

const failureOf = (reading: CalendarReading): string =>
  reading.kind === 'failed' ? reading.failure : reading.kind;

const wordsOf = (reading: CalendarReading): string => (reading.kind === 'failed' ? t(reading.words) : '');

describe('a calendar that is answered', () => {
  it('is read as its entries, with the validators that make the next reading short', async () => {
    answer = says(200, { ...TEXT, etag: 'W/"7"', 'last-modified': 'Tue, 14 Apr 2026 12:00:00 GMT' }, WHOLE);
    expect(await read(undefined, null, { parse: parseApart })).toEqual({
      kind: 'entries',
      entries: [expect.objectContaining({ uid: 'b-1' })],
      leftOut: 0,
      leftOutNames: [],
      unknownZones: [],
      badRules: [],
      validators: { etag: 'W/"7"', lastModified: 'Tue, 14 Apr 2026 12:00:00 GMT' },
    });
    expect(portal.seen).toMatchObject([
      { method: 'GET', path: PATH, headers: { 'accept-encoding': 'identity' } },
    ]);
    expect(Object.keys(portal.seen[0]?.headers ?? {})).not.toContain('if-none-match');
  });

  it('is unchanged when the portal says so to a request with validators, and only then', async () => {
    answer = says(304);
    const validators = { etag: '"7"', lastModified: 'Tue, 14 Apr 2026 12:00:00 GMT' };
    expect(await read(undefined, validators)).toEqual({ kind: 'unchanged' });
    expect(portal.seen[0]?.headers).toMatchObject({
      'if-none-match': '"7"',
      'if-modified-since': 'Tue, 14 Apr 2026 12:00:00 GMT',
    });
    expect(failureOf(await read())).toBe('failing');
    expect(failureOf(await read(undefined, { etag: null, lastModified: null }))).toBe('failing');
  });

  it.each(['gzip', 'x-gzip'])('is read when it is packed as %s', async (coding) => {
    answer = says(200, { ...TEXT, 'content-encoding': coding }, gzipSync(WHOLE));
    expect(failureOf(await read())).toBe('entries');
  });

  it('is read in the charset that it names', async () => {
    answer = says(
      200,
      { 'content-type': 'text/calendar; charset="iso-8859-1"' },
      Buffer.from(calendar(event('SUMMARY:Zoë')), 'latin1'),
    );
    expect(await read()).toMatchObject({ entries: [{ summary: 'Zoë' }] });
    answer = says(200, { 'content-type': 'text/calendar; charset=klingon' }, calendar(event('SUMMARY:Zoë')));
    expect(await read()).toMatchObject({ entries: [{ summary: 'Zoë' }] });
  });

  it('does not keep validators beyond measure', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { ...TEXT, etag: `"${'x'.repeat(1_000)}"` }).end(WHOLE);
    expect(await read()).toMatchObject({ validators: { etag: null, lastModified: null } });
  });
});

describe('an answer that is no calendar', () => {
  it.each<readonly [number, string, string]>([
    [400, 'refused', 'HTTP 400'],
    [401, 'refused', 'HTTP 401'],
    [403, 'refused', 'HTTP 403'],
    [404, 'not-found', 'HTTP 404'],
    [408, 'failing', 'HTTP 408'],
    [410, 'not-found', 'HTTP 410'],
    [429, 'failing', 'HTTP 429'],
    [300, 'failing', 'HTTP 300'],
    [500, 'failing', 'HTTP 500'],
    [503, 'failing', 'HTTP 503'],
  ])('is %s: %s', async (status, failure, words) => {
    answer = says(status, TEXT, WHOLE);
    const reading = await read();
    expect(reading).toMatchObject({ kind: 'failed', failure });
    expect(wordsOf(reading)).toContain(words);
  });

  it.each<readonly [string, number | undefined]>([
    ['3600', 3_600_000],
    ['Tue, 14 Apr 2026 12:10:00 GMT', 600_000],
    ['999999999', 21_600_000],
    ['soon', undefined],
    ['-5', undefined],
  ])('asks for a pause with Retry-After "%s"', async (written, pause) => {
    answer = says(429, { ...TEXT, 'retry-after': written });
    const reading = await read();
    expect(reading.kind === 'failed' ? reading.retryAfterMs : null).toBe(pause);
  });

  it.each<readonly [string, string, string]>([
    ['a web page', '<!DOCTYPE html><title>Sign in</title>', 'not-a-calendar'],
    ['another document', 'BEGIN:VCARD\r\nEND:VCARD\r\n', 'not-a-calendar'],
    ['nothing', '', 'empty'],
    ['blanks', ' \r\n', 'empty'],
    ['half a calendar', WHOLE.slice(0, 90), 'incomplete'],
    ['broken entries alone', calendar(event('DTSTART:never')), 'not-a-calendar'],
    ['bytes that are no text', '\u0000\u0001\u0002', 'not-a-calendar'],
  ])('is %s with the content type of a calendar', async (_form, text, failure) => {
    answer = says(200, TEXT, text);
    expect(failureOf(await read())).toBe(failure);
  });

  it('is an empty one', async () => {
    answer = says(204);
    expect(failureOf(await read())).toBe('empty');
  });

  it('is one that breaks off, or begins otherwise', async () => {
    answer = (_request, response, socket) => {
      response.writeHead(200, { ...TEXT, 'content-length': '1000' }).write(WHOLE.slice(0, 50));
      setImmediate(() => socket.destroy());
    };
    expect(failureOf(await read())).toBe('incomplete');
    answer = (_request, _response, socket) => socket.destroy();
    expect(failureOf(await read())).toBe('unreachable');
  });
});

describe('an answer without end', () => {
  it('is read up to 10 MB, and refused one byte beyond (faults#74)', async () => {
    const [head = '', tail = ''] = WHOLE.split('PRODID');
    const sized = (bytes: number): string => {
      const rest = bytes - WHOLE.length - 'X:\r\n'.length;
      return `${head}X:${'x'.repeat(rest)}\r\nPRODID${tail}`;
    };
    for (const [bytes, expected] of [
      [LIMIT, 'entries'],
      [LIMIT + 1, 'too-large'],
    ] as const) {
      const text = sized(bytes);
      expect(text.length).toBe(bytes);
      answer = says(200, TEXT, text);
      expect(failureOf(await read())).toBe(expected);
      answer = says(200, { ...TEXT, 'content-encoding': 'gzip' }, gzipSync(text));
      expect(failureOf(await read())).toBe(expected);
    }
  });

  it('is refused as soon as it is too large, with its connection closed', async () => {
    let sent = 0;
    answer = (_request, response, socket) => {
      response.writeHead(200, TEXT);
      const chunk = Buffer.alloc(256 * 1024, 'X:y\r\n');
      const more = (): void => {
        sent += chunk.length;
        if (!socket.destroyed) {
          response.write(chunk, more);
        }
      };
      more();
    };
    expect(failureOf(await read())).toBe('too-large');
    await expect.poll(() => portal.open.size).toBe(0);
    expect(sent).toBeLessThan(4 * LIMIT);
  });

  it('is refused when a small one unpacks to hundreds of megabytes', async () => {
    const part = gzipSync(Buffer.alloc(4 * 1024 * 1024, 'X:y\r\n'));
    const bomb = Buffer.concat(Array.from({ length: 50 }, () => part));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    answer = says(200, { ...TEXT, 'content-encoding': 'gzip' }, bomb);
    expect(failureOf(await read())).toBe('too-large');
  });

  it.each<readonly [string, Answerer]>([
    ['nothing comes', () => {}],
    [
      'it trickles',
      (_request, response) => {
        response.writeHead(200, TEXT).write('BEGIN:');
      },
    ],
  ])('is given up after 30 s when %s, with its connection closed', async (_form, trickle) => {
    answer = trickle;
    const reading = reader().read(request());
    await portal.arrived(1);
    await clock.advance(29_999);
    expect(portal.open.size).toBe(1);
    await clock.advance(1);
    expect(failureOf(await reading)).toBe('timed-out');
    await expect.poll(() => portal.open.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('has 30 s for all its redirects together', async () => {
    answer = ({ path }, response) => {
      if (path === PATH) {
        void clock.advance(20_000).then(() => response.writeHead(302, { location: '/next' }).end());
      }
    };
    const reading = reader().read(request());
    await portal.arrived(2);
    await clock.advance(10_000);
    expect(failureOf(await reading)).toBe('timed-out');
  });
});

describe('a redirect (faults#59)', () => {
  const hops =
    (most: number): Answerer =>
    ({ path }, response) => {
      const hop = Number(/\d$/.exec(path)?.[0] ?? 0);
      if (hop < most) {
        response.writeHead(302, { location: `/hop${String(hop + 1)}` }).end();
      } else {
        response.writeHead(200, TEXT).end(WHOLE);
      }
    };

  it('is followed three times and no further', async () => {
    answer = hops(3);
    expect(failureOf(await read(`${portal.url}/start`))).toBe('entries');
    answer = hops(4);
    expect(failureOf(await read(`${portal.url}/start`))).toBe('redirect-refused');
    expect(portal.seen.length).toBe(4 + 4);
  });

  it.each([301, 302, 303, 307, 308])('is followed by status %s', async (status) => {
    answer = ({ path }, response) =>
      path === PATH
        ? response.writeHead(status, { location: '/b.ics' }).end()
        : response.writeHead(200, TEXT).end(WHOLE);
    expect(failureOf(await read())).toBe('entries');
  });

  it.each<readonly [string, OutgoingHttpHeaders, Partial<CalendarReaderSettings>]>([
    ['without an address', {}, {}],
    ['to a place that no calendar may be at', { location: 'https://router.lan/' }, {}],
    [
      'to a name that stands for a private address',
      { location: 'https://files.example/' },
      { lookUp: leadsTo('10.0.0.1') },
    ],
  ])('%s is refused', async (_form, headers, settings) => {
    answer = says(302, headers);
    expect(failureOf(await read(undefined, null, settings))).toBe('redirect-refused');
    expect(portal.seen.length).toBe(1);
  });
});

describe('a portal by https', () => {
  const asked: string[] = [];
  let location: string | null;
  let secure: Server;
  let port: number;

  beforeEach(async () => {
    asked.length = 0;
    location = null;
    secure = createSecureServer(SELF_SIGNED, ({ headers, url = '' }, response) => {
      asked.push(`${String(headers.host)}${url}`);
      if (location !== null && url === PATH) {
        response.writeHead(302, { location }).end();
      } else {
        response.writeHead(200, TEXT).end(WHOLE);
      }
    });
    port = await listeningPort(secure);
  });

  /** Every name leads to this machine, whose certificate counts for all of them. */
  const connect: CalendarReaderSettings['connect'] = (options, callback) => {
    buildConnector({ ca: SELF_SIGNED.cert })(
      { ...options, hostname: '127.0.0.1', port: String(port), servername: 'localhost' },
      callback,
    );
  };
  const elsewhere = { allowed: NOTHING, connect };

  it('is read, and its redirect to another host by https is followed', async () => {
    location = 'https://files.example/b.ics';
    expect(failureOf(await read(`webcal://portal.example${PATH}`, null, elsewhere))).toBe('entries');
    expect(asked).toEqual([`portal.example${PATH}`, 'files.example/b.ics']);
  });

  it.each(['http://portal.example/b.ics', 'https://127.0.0.1/b.ics'])(
    'is not followed to %s',
    async (place) => {
      location = place;
      const address = `https://portal.example${PATH}`;
      expect(failureOf(await read(address, null, elsewhere))).toBe('redirect-refused');
      expect(asked).toEqual([`portal.example${PATH}`]);
    },
  );

  it('is refused with a certificate that no authority signed', async () => {
    expect(failureOf(await read(`https://127.0.0.1:${String(port)}${PATH}`))).toBe('bad-certificate');
    expect(asked).toEqual([]);
  });

  it('is not reached by a public name that leads into the house, and no connection is made (faults#59)', async () => {
    let connections = 0;
    secure.on('connection', () => {
      connections += 1;
    });
    const lookUp = leadsTo('127.0.0.1');
    const address = `https://portal.example:${String(port)}${PATH}`;
    expect(failureOf(await read(address, null, { allowed: NOTHING, lookUp }))).toBe('address-refused');
    expect(connections).toBe(0);
    // The same way is open where it is allowed, so it is the guard that closes it.
    expect(
      failureOf(await read(address, null, { allowed: { ...NOTHING, privateHosts: true }, lookUp })),
    ).toBe('bad-certificate');
    expect(connections).toBe(1);
  });
});

describe('a portal that cannot be asked', () => {
  it('is not called at an address that may not be asked', async () => {
    expect(failureOf(await read('https://10.0.0.1/'))).toBe('address-refused');
  });

  it('has an unknown name, or a port that is closed', async () => {
    const lookUp: CalendarReaderSettings['lookUp'] = (host, _options, callback) => {
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
    };
    const reading = await read(`https://${SECRET}.example/`, null, { lookUp });
    expect(reading).toMatchObject({ failure: 'unreachable' });
    expect(wordsOf(reading)).toContain('name');
    const { url } = portal;
    await portal.close();
    expect(failureOf(await read(url + PATH))).toBe('unreachable');
  });
});

describe('a reader that is closed', () => {
  it('ends the readings under way, and begins no more', async () => {
    answer = () => {};
    const closed = reader();
    const reading = closed.read(request());
    await portal.arrived(1);
    closed.close();
    expect(failureOf(await reading)).toBe('timed-out');
    expect(failureOf(await closed.read(request()))).toBe('timed-out');
    expect(portal.seen.length).toBe(1);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('the thread of the parser', () => {
  /** Takes a second, so that it is at work for long when it is ended. */
  const slow = calendar(
    ...Array.from({ length: 100 }, (_, n) =>
      event(`UID:${String(n)}`, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31'),
    ),
  );
  it('is ended after 20 s', async () => {
    const parsed = parseApart(task(slow), clock, new AbortController().signal);
    await clock.advance(19_999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    expect(await parsed).toEqual({ kind: 'failed', problem: 'too-slow' });
    expect(clock.pendingTimers).toBe(0);
  });

  it('is ended when the reader is closed, and at once when it was closed before', async () => {
    const closing = new AbortController();
    const parsed = parseApart(task(slow), clock, closing.signal);
    closing.abort();
    expect(await parsed).toEqual({ kind: 'failed', problem: 'interrupted' });
    expect(await parseApart(task(slow), clock, closing.signal)).toEqual({
      kind: 'failed',
      problem: 'interrupted',
    });
  });

  it('hands over ten thousand entries in order', async () => {
    const many = calendar(
      ...Array.from({ length: 10_000 }, (_, n) => event(`UID:${String(n)}`, `SUMMARY:${'x'.repeat(200)}`)),
    );
    const parsed = await parseApart(task(many), clock, new AbortController().signal);
    expect(parsed.kind === 'entries' && parsed.entries.map(({ uid }) => uid)).toEqual(
      Array.from({ length: 10_000 }, (_, n) => String(n)),
    );
  });
});

describe('a thread that cannot run', () => {
  const signal = new AbortController().signal;
  it('is ended when a calendar takes more memory than it may, and the process goes on', async () => {
    const memory = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 4 };
    const limits = { withinMs: 20_000, memory };
    const days = `EXDATE:${'20260101T000000,'.repeat(6_000)}20260101`;
    const heavy = calendar(event('RRULE:FREQ=DAILY', ...Array.from({ length: 30 }, () => days)));
    expect(await parseApart(task(heavy), clock, signal, limits)).toEqual({
      kind: 'failed',
      problem: 'too-heavy',
    });
    expect(await parseApart(task(WHOLE), clock, signal, limits)).toMatchObject({ kind: 'entries' });
    expect(clock.pendingTimers).toBe(0);
  });

  it('is a failure, not a rejection, when it cannot be started', async () => {
    const handedOver = task(WHOLE);
    structuredClone(null, { transfer: [handedOver.body.bytes.buffer] });
    expect(await parseApart(handedOver, clock, signal)).toEqual({ kind: 'failed', problem: 'unread' });
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('the message of a problem', () => {
  it.each(CALENDAR_PROBLEMS)('of the kind "%s" is one or two whole sentences', (problem) => {
    expect(wordsOf(failedReading(problem))).toMatch(/^[A-Z][^\n]{10,120}\.$/u);
  });

  // No other kind comes from the status of an answer.
  it.each(['not-found', 'refused', 'failing', 'asks-for-pause'] as const)(
    'of the kind "%s" names the status of the answer, too',
    (problem) => {
      const words = wordsOf(failedReading(problem, 404));
      expect(words).toMatch(/^[A-Z][^\n]{10,120} \(HTTP 404\)\. /u);
      expect(words.replace(' (HTTP 404)', '')).toBe(wordsOf(failedReading(problem)));
    },
  );
});
