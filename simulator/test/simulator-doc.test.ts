// Makes every control call of simulator/README.md and every row of the specification, and compares a partner's view.
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { projectText } from '../../test/support/document-block.ts';
import { calendarFaultSchema } from '../src/calendars/calendar-faults.ts';
import { ERROR_CODES } from '../src/contract/errors.ts';
import { ACCESS_TYPES, COMMAND_NAMES, HEADERS } from '../src/contract/names.ts';
import { OPERATION_NAMES } from '../src/credentialing/operations.ts';
import { faultSchema } from '../src/faults/fault.ts';
import { LOCK_ACTIONS } from '../src/scenario/lock-actions.ts';
import { parseScenarioText } from '../src/scenario/scenario.ts';
import { SERVICE_ACTIONS } from '../src/scenario/service-actions.ts';
import { deliveryFaultSchema } from '../src/webhooks/delivery-faults.ts';
import { TRIGGERS } from '../src/webhooks/envelope.ts';
import { type Answer, call } from './server/partner.ts';
import {
  codeOf,
  DOCUMENT,
  documentTables,
  linesUnder,
  readCall,
  specificationTables,
} from './simulator-document.ts';
import { SPECIFICATION_ANSWERS } from './specification-answers.ts';
import { SPECIFICATION_ROWS } from './specification-rows.ts';
import { Stand } from './stand.ts';

/** `<just now>`: what was so before a row's own calls is older. */
const JUST_NOW_MS = 10_000;

const tables = documentTables();
const specification = specificationTables();
const rowsOf = (title: string) =>
  [...specification, ...tables].filter((table) => table.title === title).flatMap(({ rows }) => rows);

/** JSON of the document as an expectation: named members only, and its words in angle brackets. */
function expectationOf(value: unknown, now: number): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => expectationOf(item, now));
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, expectationOf(member, now)]);
    return expect.objectContaining(Object.fromEntries(members));
  }
  switch (value) {
    case '<text>':
      return expect.stringMatching(/./u);
    case '<number>':
      return expect.any(Number);
    case '<just now>':
      return expect.toSatisfy((time: unknown) => {
        const ageMs = now - Date.parse(String(time));
        return ageMs >= 0 && ageMs <= JUST_NOW_MS;
      });
    default:
      return value;
  }
}

/** Compares an answer with `401 {"error":"x"}`, `302 location: code=`, or `{"name":"x"}`. */
function expectToSee(answer: Answer, code: string, now: number): void {
  const [, status, rest = ''] = /^(?:(\d{3}) )?(.*)$/s.exec(code) ?? [];
  expect(answer.status).toBe(Number(status ?? 200));
  const [, header, value = ''] = /^([a-z-]+): (.*)$/.exec(rest) ?? [];
  if (header === undefined) {
    expect(answer.json).toEqual(expectationOf(JSON.parse(rest), now));
  } else {
    expect(answer.headers[header]).toContain(value);
  }
}

let stand: Stand;

beforeEach(async () => {
  stand = await Stand.open();
  return async () => stand.close();
});

describe.each(specification)('every row of the specification, $title', ({ rows }) => {
  test.each(rows)('%s', async (...[, , calls, asks, sees = '']) => {
    for (const code of codeOf(calls)) {
      await stand.act(code);
    }
    let answer: Answer | undefined;
    for (const code of codeOf(asks)) {
      answer = await stand.ask(code);
    }
    const [seen = ''] = codeOf(sees);
    const expected = stand.withIds(seen);
    const now = stand.fixture.simulator.clock.now();
    if (answer === undefined) {
      throw new Error('The row asks nothing');
    }
    if (codeOf(asks).at(-1) === 'WEBHOOK') {
      expect(answer.json).toContainEqual(expectationOf(JSON.parse(expected), now));
    } else {
      expectToSee(answer, expected, now);
    }
  });
});

describe('the control API', () => {
  /** The examples of a table whose head names the call. */
  const examples = tables.flatMap(({ title, head, rows }) => {
    const [, operation] = /^`(house\/[\w-]+)` with$/.exec(head.at(-1) ?? '') ?? [];
    return (operation === undefined ? [] : rows).flatMap((row) =>
      codeOf(row.at(-1)).map((code) => [title, `${operation ?? ''} ${code}`] as const),
    );
  });

  test.each(examples)('%s: %s is done', async (_title, example) => {
    await expect(stand.act(example)).resolves.not.toThrow();
  });

  test.each([
    ['At a lock', LOCK_ACTIONS],
    ['In the house', SERVICE_ACTIONS],
  ] as const)('%s: every action is listed, and done one after the other', async (title, actions) => {
    const lines = linesUnder(title);
    expect(lines.map((line) => readCall(line).what)).toEqual([...actions.keys()]);
    const path = title === 'In the house' ? 'house' : `locks/${stand.fixture.lockId()}`;
    for (const line of lines) {
      await stand.act(`${path}/${line}`);
    }
  });

  test.each([
    ['Faults of calls', faultSchema],
    ['Faults of webhooks', deliveryFaultSchema],
    ['Faults of calendars', calendarFaultSchema],
  ] as const)('%s: every kind is listed', (title, schema) => {
    const kinds = schema.options.map((option) => [...option.shape.kind.values][0]);
    const listed = rowsOf(title).map(
      (row) => (JSON.parse(codeOf(row.at(-1))[0] ?? '') as { kind: string }).kind,
    );
    expect(listed).toEqual(kinds);
  });

  test('the curl of the page works as it stands', async () => {
    const [, details = '', path = ''] =
      /curl -X POST .*? -d '(.*?)' "\$controlUrl\/(.*?)"/.exec(projectText(DOCUMENT)) ?? [];
    const answer = await call(`${stand.fixture.simulator.controlUrl}/${path}`, {
      method: 'POST',
      body: JSON.parse(details),
    });
    expect(answer.json).toEqual({ done: true, result: null });
  });
});

describe('the tables', () => {
  test('have each row of the specification whose answer is known', () => {
    const namesOfRows = (whole: Readonly<Record<string, object>>) =>
      Object.entries(whole).map(([title, rows]) => [title, Object.keys(rows)]);
    expect(namesOfRows(SPECIFICATION_ROWS)).toEqual(namesOfRows(SPECIFICATION_ANSWERS));
  });

  const firstWords = (title: string): string[] => [
    ...new Set(rowsOf(title).flatMap(([row = '']) => (row.split(',', 1)[0] ?? '').split(' and '))),
  ];

  test.each<readonly [string, () => Promise<unknown>]>([
    ['Device', async () => (await stand.ask('GET /devices')).json],
    ['Access code', async () => accessCode()],
    ['History entry', async () => (await stand.ask('GET /devices/{Front door}/history?limit=1')).json],
  ])('%s has a row for every member that the service shows', async (title, look) => {
    await stand.act('locks/Front door/turn-thumbturn');
    const [first] = z.tuple([z.record(z.string(), z.unknown())], z.unknown()).parse(await look());
    const rows = firstWords(title).filter((row) => !row.includes('.'));
    expect(rows.toSorted()).toEqual(Object.keys(first).toSorted());
  });

  async function accessCode(): Promise<unknown> {
    const { json } = await stand.ask('GET /devices/{Front door}/accesscodes');
    return z.object({ accessCodes: z.array(z.unknown()) }).parse(json).accessCodes;
  }

  test.each([
    ['Device command error codes', ERROR_CODES.map(String)],
    ['Accessor types', ACCESS_TYPES],
    ['Command data', COMMAND_NAMES.toSorted()],
    ['Rate limits', OPERATION_NAMES],
    ['Triggers', TRIGGERS.toSorted()],
    [
      'Rate-limit response headers',
      [HEADERS.rateLimit, HEADERS.rateLimitRemaining, HEADERS.rateRetryAfter, HEADERS.rateLimitReset],
    ],
  ])('%s is complete', (title, names) => {
    expect(firstWords(title).toSorted()).toEqual([...names].toSorted());
  });

  test('what the command prints is listed, member by member', () => {
    const listed = rowsOf('Run it').flatMap(([name]) =>
      codeOf(name).filter((code) => !code.startsWith('--')),
    );
    const { url, authUrl, baseUrl, credentialsBaseUrl, controlUrl, productSegment } = stand.fixture.simulator;
    const members = { url, authUrl, baseUrl, credentialsBaseUrl, controlUrl, productSegment };
    expect(listed).toEqual([
      ...Object.keys(members),
      'clients',
      'users',
      'credentialingUsers',
      'calendars',
      'publicKeyPem',
    ]);
  });
});

describe('the scenario of the page', () => {
  test('is one', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(projectText(DOCUMENT)) ?? [];
    expect(parseScenarioText(json, 'The example').script).toHaveLength(2);
  });
});
