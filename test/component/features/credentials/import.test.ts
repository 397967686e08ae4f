// Imports against the simulator: below the limits, with one process and two, through refusals, outages and kills.

import { describe, expect, it } from 'vitest';
import type { ImportResult } from '../../../../src/features/credentials/import/import-progress.ts';
import type {
  ImportChoices,
  ImportRow,
} from '../../../../src/features/credentials/policy/import-plan-policy.ts';
import { howOften } from '../../../harness/how-often.ts';
import { CredentialingHome } from '../../../homes/credentialing-home.ts';
import { cardOf, type OpenedProcess, userOf } from '../../../support/credentialing-process.ts';
import { figuresOf, rowsOf } from '../../../support/import-figures.ts';
import { inWords } from '../../../support/in-words.ts';

const MANY = howOften(200, 1_000);
const ADD_ONLY: ImportChoices = { replace: false, removeMissing: false, site: null };

async function imported(
  { credentialing }: OpenedProcess,
  rows: readonly ImportRow[],
  choices: ImportChoices = ADD_ONLY,
  signal?: AbortSignal,
): Promise<readonly ImportResult[]> {
  const results: ImportResult[] = [];
  const planned = await credentialing.importer.plan(rows, choices, {});
  await planned.run({ onResult: (result) => results.push(result), onProgress: () => {} }, signal);
  return results;
}

/** User ids of all credentials that the service holds, sorted: a double would be there twice. */
async function usersOf(stand: CredentialingHome): Promise<readonly string[]> {
  await stand.control('house/clear-rate-windows');
  const { credentials } = await stand.process().credentialing.client.list();
  return credentials.map(({ userId }) => userId).toSorted();
}

const everyUser = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => userOf(index + 1)).toSorted();

/** Faults of the service when a credential is created. */
async function failCreates(stand: CredentialingHome, fault: object): Promise<void> {
  await stand.control('house/inject-fault', {
    path: '**/SMC/credentials/mobile',
    method: 'POST',
    often: 'always',
    ...fault,
  });
}

/** When each credential was asked for. */
async function createdAt(stand: CredentialingHome): Promise<readonly number[]> {
  const creates = (await stand.calls()).filter(
    ({ method, url }) => method === 'POST' && url.endsWith('mobile'),
  );
  return creates.map(({ at }) => Date.parse(at));
}

describe('an import', () => {
  it.each([
    ['on the same clock', 0],
    ['with the clock of the service 5 s behind', 5_000],
    ['with the clock of the service 5 s ahead', -5_000],
  ])(
    `of ${String(MANY)} credentials is never refused and loses no time, %s (faults#39)`,
    async (_, aheadMs) => {
      const stand = await CredentialingHome.ofTest();
      stand.aheadMs = aheadMs;
      const results = await stand.until(imported(stand.process(), rowsOf(MANY)));
      expect(results.length).toBe(MANY);
      expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['created']));
      const figures = figuresOf(await stand.calls());
      expect(figures).toMatchObject({ refused: 0, windows: MANY / 100, fullest: 100 });
      expect(Math.max(...figures.idleMs)).toBeLessThanOrEqual(1_500);
    },
  );

  it('by two processes at once stays below the limits, too, without doubles (faults#105)', async () => {
    const stand = await CredentialingHome.ofTest({ secondCredential: 'issued' });
    const both = Promise.all([
      imported(stand.process(), rowsOf(200)),
      imported(stand.process(), rowsOf(200)),
    ]);
    const [one, other] = await stand.until(both);
    expect([one.length, other.length]).toEqual([200, 200]);
    expect(await usersOf(stand)).toEqual(everyUser(200));
    const figures = figuresOf(await stand.calls());
    expect(figures).toMatchObject({ refused: 0, windows: 2 });
    expect(Math.max(...figures.idleMs)).toBeLessThanOrEqual(1_500);
  });

  it.each(['epoch-seconds', 'iso-8601'])(
    'is never refused where windows begin with the minute and their reset is written as %s',
    async (resetForm) => {
      const stand = await CredentialingHome.ofTest({
        rateWindow: 'clock-minute',
        resetForm,
        limits: { 'Create Credential': 10 },
      });
      await stand.clock.advance(47_300);
      await stand.until(imported(stand.process(), rowsOf(40)));
      const calls = await stand.calls();
      expect(calls.filter(({ status }) => status === 429)).toEqual([]);
      expect(await usersOf(stand)).toEqual(everyUser(40));
    },
  );

  it('learns a limit that is not the published one', async () => {
    const stand = await CredentialingHome.ofTest({ limits: { 'Create Credential': 3 } });
    await stand.until(imported(stand.process(), rowsOf(10)));
    expect(figuresOf(await stand.calls())).toMatchObject({ refused: 0, windows: 4, fullest: 3 });
  });

  it.each(['retry-after', 'x-retry-after', 'reset-epoch', 'reset-iso', 'text'] as const)(
    'goes on after a refusal all the same, once the wait is over that %s names (faults#38)',
    async (said) => {
      const stand = await CredentialingHome.ofTest();
      await failCreates(stand, {
        kind: 'status',
        status: 429,
        wait: { seconds: 37, said },
        often: { times: 1 },
      });
      await stand.until(imported(stand.process(), rowsOf(3)));
      const [refused = 0, next = 0] = await createdAt(stand);
      expect(next - refused).toBeGreaterThanOrEqual(37_000);
      expect(next - refused).toBeLessThanOrEqual(39_000);
      expect(await usersOf(stand)).toEqual(everyUser(3));
    },
  );

  it.each([
    ['cut', { kind: 'cut', when: 'after-work' }],
    ['a gateway error', { kind: 'status', status: 502, when: 'after-work' }],
    ['half an answer', { kind: 'truncated-json' }],
    ['cut before the work', { kind: 'cut', when: 'before-work' }],
  ])('asks before it repeats a create whose outcome is unknown: %s', async (_, fault) => {
    const stand = await CredentialingHome.ofTest({ secondCredential: 'issued' });
    await failCreates(stand, { ...fault, often: { times: 2 } });
    const results = await stand.until(imported(stand.process(), rowsOf(5)));
    expect(results.map(({ result }) => result)).toEqual(Array.from({ length: 5 }, () => 'created'));
    expect(await usersOf(stand)).toEqual(everyUser(5));
  });

  it('stops without doubtful rows when the service does not answer for minutes, and goes on when it is begun again', async () => {
    const stand = await CredentialingHome.ofTest();
    const process = stand.process();
    await stand.until(imported(process, rowsOf(2)));
    await stand.control('house/inject-fault', {
      kind: 'status',
      status: 503,
      path: '**/SMC/credentials/mobile/**',
      often: 'always',
    });
    await failCreates(stand, { kind: 'status', status: 503 });
    await expect(stand.until(imported(process, rowsOf(6)))).rejects.toMatchObject({ code: 'server-fault' });
    await stand.control('house/clear-faults');
    const results = await stand.until(imported(process, rowsOf(6)));
    expect(results.map(({ result }) => result).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'created'),
      ...Array.from({ length: 2 }, () => 'unchanged'),
    ]);
    expect(await usersOf(stand)).toEqual(everyUser(6));
  });

  it('ends at once when it is stopped, and does not repeat rows that are done', async () => {
    const stand = await CredentialingHome.ofTest();
    const stop = new AbortController();
    const first = imported(stand.process(), rowsOf(150), ADD_ONLY, stop.signal);
    first.catch(() => {});
    await stand.clock.advance(30_000);
    stop.abort();
    await expect(stand.until(first)).rejects.toMatchObject({ code: 'aborted' });
    const results = await stand.until(imported(stand.process(), rowsOf(150)));
    expect(results.filter(({ result }) => result === 'unchanged').length).toBe(100);
    expect(await usersOf(stand)).toEqual(everyUser(150));
  });

  it('leaves differing rows alone unless asked to replace them, and missing ones unless asked to remove them', async () => {
    const stand = await CredentialingHome.ofTest();
    const process = stand.process();
    await stand.until(imported(process, rowsOf(4)));
    const rows = [
      { line: 2, draft: cardOf(1) },
      { line: 3, draft: cardOf(2, { facilityCode: 13 }) },
      { line: 4, draft: cardOf(9) },
    ];
    const kinds = (results: readonly ImportResult[]) =>
      results
        .map(({ line, result }) => [line, result])
        .toSorted((one, other) => Number(one[0]) - Number(other[0]));
    expect(kinds(await stand.until(imported(process, rows)))).toEqual([
      [2, 'unchanged'],
      [3, 'different'],
      [4, 'created'],
    ]);
    const all = { replace: true, removeMissing: true, site: '7' };
    expect(kinds(await stand.until(imported(process, rows, all)))).toEqual([
      [null, 'removed'],
      [null, 'removed'],
      [2, 'unchanged'],
      [3, 'changed'],
      [4, 'unchanged'],
    ]);
    expect(kinds(await stand.until(imported(process, rows, all)))).toEqual([
      [2, 'unchanged'],
      [3, 'unchanged'],
      [4, 'unchanged'],
    ]);
    expect(await usersOf(stand)).toEqual([userOf(1), userOf(2), userOf(9)]);
  });

  it('gives a row that the service refuses its reason, and goes on', async () => {
    const stand = await CredentialingHome.ofTest({ mobileNumber: 'international' });
    const rows = [
      { line: 2, draft: cardOf(1, { mobileNumber: 'call me' }) },
      { line: 3, draft: cardOf(2, { issueCode: 5 }) },
      { line: 4, draft: cardOf(3) },
    ];
    const results = await stand.until(imported(stand.process(), rows));
    expect(inWords(results.map(({ line, result, reason }) => [line, result, reason]))).toEqual(
      expect.arrayContaining([
        [2, 'failed', 'The service refused a field (HTTP 400), and names mobileNumber.'],
        [3, 'failed', expect.stringContaining('issue codes')],
        [4, 'created', null],
      ]),
    );
  });

  it('stops at the first row when no row could be imported', async () => {
    const stand = await CredentialingHome.ofTest();
    await failCreates(stand, { kind: 'status', status: 403 });
    await expect(stand.until(imported(stand.process(), rowsOf(50)))).rejects.toMatchObject({
      code: 'not-permitted',
    });
    expect(await createdAt(stand)).toHaveLength(1);
  });
});
