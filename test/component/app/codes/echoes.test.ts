// A service that repeats an access code in any error: the table of every way in, and every way out of the account.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_TORTURE } from '../../../harness/how-often.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { outputOf } from '../outputs.ts';

const PIN = '40719263';

/** Every text that an error of the service may hold, with and without a number of the specification. */
const ECHO = {
  Description: `The code ${PIN} is not valid`,
  errorMessage: PIN,
  errorMesage: PIN,
  message: `accesscodes?code=${PIN}`,
  error: PIN,
  error_description: PIN,
  data: { code: PIN, error: { statusCode: 400, errorCode: 2, errorMessage: PIN } },
};

/** The calls of the service that codes, their outcome and their history depend on. */
const CALLS = {
  'sending a command': { method: 'POST', path: '**/commands' },
  'reading a command back': { method: 'GET', path: '**/commands/*' },
  'listing the codes': { method: 'GET', path: '**/accesscodes' },
  'listing the locks': { method: 'GET', path: '**/devices' },
  'reading the history': { method: 'GET', path: '**/history' },
} as const;

const STATUSES = [400, 401, 403, 404, 408, 409, 422, 429, 500, 503] as const;

/** Errors that may come instead of an answer. */
const ANSWERS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ...STATUSES.flatMap((status): [string, Readonly<Record<string, unknown>>][] => [
    [`HTTP ${String(status)} with a number`, { kind: 'status', status, body: { errorCode: 2, ...ECHO } }],
    [`HTTP ${String(status)} without one`, { kind: 'status', status, body: ECHO }],
  ]),
  ['a page', { kind: 'html', status: 502, page: `<title>${PIN}</title>` }],
  ['a success that is a page', { kind: 'html', status: 200, page: `code ${PIN}` }],
  ['a success that is a text', { kind: 'html', status: 200, page: JSON.stringify(PIN) }],
  ['a success of another form', { kind: 'html', status: 200, page: JSON.stringify({ [PIN]: PIN }) }],
  ['a list of strange words', { kind: 'html', status: 200, page: JSON.stringify([strangeItem()]) }],
  ['a body that ends early', { kind: 'truncated-json' }],
  ['a redirect', { kind: 'redirect', location: `http://127.0.0.1:9/codes/${PIN}?code=${PIN}` }],
];

/** A lock, and an entry of a history, whose words for a position and an event are the code. */
function strangeItem(): object {
  return {
    id: 'e-1',
    name: 'Shed',
    lockState: PIN,
    batteryState: `Code ${PIN}`,
    connected: true,
    timestamp: '2026-04-14T11:00:00Z',
    eventCode: `Entered${PIN}`,
    accessor: null,
  };
}

/** In every run each answer comes to one call, and each call meets every fifth answer; in torture, every answer to every call. */
const ROWS = Object.keys(CALLS).flatMap((call, column) =>
  ANSWERS.flatMap(([answer], row) =>
    IN_TORTURE || row % Object.keys(CALLS).length === column ? [{ call, answer }] : [],
  ),
);

describe('a code that the service repeats in an error (faults#68)', () => {
  let home: SimulatedHome;
  /** All that came out: of operations of pages, of their events, and of the log. */
  const outside: string[] = [];

  beforeAll(async () => {
    home = await SimulatedHome.linked({ lasting: true });
    home.app.subscribe((event) => {
      outside.push(inspect(event, { depth: 20 }));
    });
  });

  afterAll(async () => home.close());

  const ask = async (asked: Promise<unknown>) => outside.push(await outputOf(home, asked));

  const hits = () => outside.filter((text) => text.includes(PIN));

  /** Adds, changes, lists and removes while the service answers like this, then lets it end in peace. */
  const live = async (fault: Readonly<Record<string, unknown>>): Promise<void> => {
    const { operations } = home.app;
    const lock = home.idOf('Front door');
    await home.control('house/inject-fault', { ...fault, often: { times: 3 } });
    await ask(
      operations['codes.add']({ lock, draft: { name: 'Cleaner', pin: PIN, schedule: { kind: 'always' } } }),
    );
    await ask(operations['codes.list']({ lock }));
    await ask(operations['history']({ lock, limit: 5, deviceTime: false }));
    await ask(operations['refresh']({}));
    await home.control('house/clear-faults');
    await home.clock.advance(15 * 60_000);
    await ask(operations['codes.operations']({}));
    await ask(operations['codes.clear']({ lock }));
    await home.clock.advance(60_000);
    outside.push(...home.lines.splice(0));
  };

  it.each(ROWS)(
    'is in no answer, event or log line: $call is answered by $answer',
    async ({ call, answer }) => {
      const [, fault = {}] = ANSWERS.find(([name]) => name === answer) ?? [];
      const where = CALLS[call as keyof typeof CALLS];
      const [before, since] = [outside.length, home.clock.now()];
      await live({ ...fault, ...where });
      expect(outside.length).toBeGreaterThan(before + 6);
      expect(hits()).toEqual([]);
      if ('body' in fault || 'page' in fault) {
        // Or it would show nothing.
        const answers = (await home.requests(where.method, '')).filter(({ at }) => Date.parse(at) >= since);
        expect(answers.some((one) => one.answer?.includes(PIN) === true)).toBe(true);
      }
    },
  );

  it('is in no table of the database once all operations have ended', async () => {
    await home.clock.advance(30 * 60_000);
    const operations = await home.app.operations['codes.operations']({});
    expect(operations.filter(({ phase }) => phase !== 'done' && phase !== 'failed')).toEqual([]);
    const tables = readTables(home);
    expect(Object.keys(tables).length).toBeGreaterThan(5);
    const holding = Object.entries(tables).filter(([, rows]) => rows.includes(PIN));
    expect(holding.map(([table]) => table)).toEqual([]);
  });
});

/** Each table of the plugin's database as text. */
function readTables({ folder }: SimulatedHome): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const path = join(folder, files.find((file) => basename(file) === 'latchkey.db') ?? '');
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return Object.fromEntries(
      tables.map(({ name: table }) => [
        String(table),
        inspect(database.prepare(`SELECT * FROM "${String(table)}"`).all(), {
          depth: 5,
          maxArrayLength: null,
          maxStringLength: null,
        }),
      ]),
    );
  } finally {
    database.close();
  }
}
