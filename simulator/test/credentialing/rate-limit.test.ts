// The rate limits of the credentialing interface: exact fixed windows (specification, Limits; wire contract 9).
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_CREDENTIALING_SETTINGS } from '../../src/credentialing/credentialing-settings.ts';
import { OPERATIONS } from '../../src/credentialing/operations.ts';
import { RateWindows } from '../../src/credentialing/rate-windows.ts';
import type { Answer } from '../server/partner.ts';
import { CredentialingHarness, KEY, SECOND_KEY } from './harness.ts';

const LIST = '/credentials/mobile';
const ID = '99999999-9999-4999-8999-999999999999';

const rateHeaders = ({ headers }: Answer) => ({
  limit: headers['x-rate-limit'] ?? null,
  remaining: headers['x-rate-limit-remaining'] ?? null,
  retryAfter: headers['x-retry-after'] ?? null,
  reset: headers['x-rate-limit-reset'] ?? null,
});

describe('Specification, Rate limits', () => {
  test.each(Object.entries(OPERATIONS))('%s counts its own requests', async (operation, row) => {
    const limit = operation === 'Authentication Token' ? 10 : 100;
    const smc = await CredentialingHarness.start();
    const token = limit === 10 ? null : await smc.logIn();
    for (const remaining of [limit - 1, limit - 2]) {
      const answer = await smc.call(row.method, row.path.replace(/:\w+/g, ID), { token });
      expect(rateHeaders(answer)).toMatchObject({
        limit: String(limit),
        remaining: String(remaining),
        retryAfter: null,
      });
    }
  });

  test('a refused request has the exact headers and body of the contract, and is not processed', async () => {
    const smc = await CredentialingHarness.start({ limits: { 'Create Credential': 1 } });
    const token = await smc.logIn();
    const body = { userId: ID, mobileNumber: '+1', cardFormat: '26A', facilityCode: 1, issueCode: 0 };
    await smc.call('POST', LIST, { token, body: 'this one counts too' });
    await smc.clock.advance(23_000);
    const answer = await smc.call('POST', LIST, { token, body });
    expect(answer.status).toBe(429);
    expect(answer.json).toEqual({ error: 'Rate limit reached. Try again in 37 seconds.' });
    expect(rateHeaders(answer)).toEqual({
      limit: '1',
      remaining: '0',
      retryAfter: '37',
      reset: String(Date.UTC(2026, 3, 14, 12, 1) / 1000),
    });
    expect((await smc.call('GET', LIST, { token })).json).toEqual([]);
  });

  test('parallel requests count one by one', async () => {
    const smc = await CredentialingHarness.start({ limits: { 'Get All Credentials': 20 } });
    const token = await smc.logIn();
    const answers = await Promise.all(Array.from({ length: 50 }, () => smc.call('GET', LIST, { token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });
});

describe('Wire contract 9 and 11', () => {
  test('the window opens with its first counted request and ends exactly 60 seconds later', async () => {
    const smc = await CredentialingHarness.start({ limits: { 'Get All Credentials': 1 } });
    const token = await smc.logIn();
    await smc.clock.advance(41_234);
    const status = async (): Promise<number> => (await smc.call('GET', LIST, { token })).status;
    expect(await status()).toBe(200);
    await smc.clock.advance(59_999);
    expect(await status()).toBe(429);
    await smc.clock.advance(1);
    expect(await status()).toBe(200);
  });

  test('waiting for x-retry-after or x-rate-limit-reset is always long enough', async () => {
    const smc = await CredentialingHarness.start({ limits: { 'Get All Credentials': 1 } });
    await smc.clock.advance(250);
    const token = await smc.logIn();
    await smc.call('GET', LIST, { token });
    await smc.clock.advance(59_999);
    const { retryAfter, reset } = rateHeaders(await smc.call('GET', LIST, { token }));
    expect(retryAfter).toBe('1');
    expect(Number(reset) * 1000).toBe(Date.UTC(2026, 3, 14, 12, 1, 1));
  });

  test('each key has its own count, and each operation too', async () => {
    const smc = await CredentialingHarness.start({ limits: { 'Get All Credentials': 1 } });
    const token = await smc.logIn();
    const status = async (key: string, path = LIST): Promise<number> =>
      (await smc.call('GET', path, { token, key })).status;
    expect(await status(KEY)).toBe(200);
    expect(await status(KEY)).toBe(429);
    expect(await status(SECOND_KEY)).toBe(200);
    expect(await status(KEY, `${LIST}/${ID}`)).toBe(404);
  });

  test('every request that passes the key check counts: bad bearers and bad bodies, not bad keys', async () => {
    const smc = await CredentialingHarness.start();
    const token = await smc.logIn();
    await smc.call('POST', LIST, { key: 'wrong', token });
    await smc.call('POST', LIST, { token: 'wrong' });
    await smc.call('POST', LIST, { token, body: '{' });
    expect(rateHeaders(await smc.call('POST', LIST, { token, body: {} })).remaining).toBe('97');
  });

  test('the reset time is ISO 8601 when switched so', async () => {
    const smc = await CredentialingHarness.start({ resetForm: 'iso-8601' });
    const answer = await smc.call('GET', LIST);
    expect(rateHeaders(answer).reset).toBe('2026-04-14T12:01:00.000Z');
    await smc.control('configure-credentialing', { resetForm: 'epoch-seconds' });
    expect(rateHeaders(await smc.call('GET', LIST)).reset).toBe('1776168060');
  });

  test('cleared windows open afresh', async () => {
    const smc = await CredentialingHarness.start();
    await smc.call('GET', LIST);
    await smc.control('clear-rate-windows');
    expect(rateHeaders(await smc.call('GET', LIST)).remaining).toBe('99');
  });
});

test('a window never allows more than its limit, whatever the times of the requests', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }),
      (limit, gaps) => {
        const windows = new RateWindows(60_000);
        const allowed = new Map<number, number>();
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const verdict = windows.count('counter', limit, now, DEFAULT_CREDENTIALING_SETTINGS);
          expect(verdict.resetAt).toBeGreaterThan(now);
          expect(verdict.resetAt - now).toBeLessThanOrEqual(60_000);
          const count = (allowed.get(verdict.resetAt) ?? 0) + (verdict.allowed ? 1 : 0);
          allowed.set(verdict.resetAt, count);
          expect(count).toBeLessThanOrEqual(limit);
          expect(verdict.remaining).toBe(limit - count);
        }
      },
    ),
  );
});
