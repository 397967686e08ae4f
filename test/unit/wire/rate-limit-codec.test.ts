// The wait that the service names, in each of the forms it is known or allowed to use.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { decodeRateFacts, decodeWait } from '../../../src/wire/rate-limit-codec.ts';

const NOW = Date.UTC(2026, 3, 14, 12);

// Far from UTC: a time without a zone must not be read in that of the machine.
beforeAll(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
});

afterAll(() => {
  vi.unstubAllEnvs();
});

describe('the wait that an answer names', () => {
  it.each([
    ['seconds', { 'retry-after': '5' }, '', 5_000],
    ['a date', { 'retry-after': 'Tue, 14 Apr 2026 12:00:37 GMT' }, '', 37_000],
    ['the seconds of its own header', { 'x-retry-after': '37' }, '', 37_000],
    ['a reset in epoch seconds', { 'x-rate-limit-reset': String(NOW / 1_000 + 9) }, '', 9_000],
    ['a reset in epoch milliseconds', { 'x-rate-limit-reset': String(NOW + 9_000) }, '', 9_000],
    ['a reset in ISO 8601', { 'x-rate-limit-reset': '2026-04-14T12:00:09Z' }, '', 9_000],
    ['a reset in ISO 8601 with an offset', { 'x-rate-limit-reset': '2026-04-14T08:00:09-04:00' }, '', 9_000],
    [
      'a reset in ISO 8601 without a zone, as UTC',
      { 'x-rate-limit-reset': '2026-04-14T12:00:09.1' },
      '',
      9_100,
    ],
    ['a reset of this very second', { 'x-rate-limit-reset': '2026-04-14T11:59:59.1Z' }, '', 0],
    [
      'text, when the reset has passed',
      { 'x-rate-limit-reset': '2026-04-14T11:59:59Z' },
      'in 9 seconds',
      9_000,
    ],
    ['text alone', {}, 'Rate limit reached. Try again in 37 seconds.', 37_000],
    ['text with one second', {}, 'Wait 1 second', 1_000],
    ['text with a short unit', {}, 'retry in 12s', 12_000],
    ['headers before text', { 'x-retry-after': '10' }, 'Try again in 37 seconds.', 10_000],
    ['seconds before the reset', { 'x-retry-after': '10', 'x-rate-limit-reset': String(NOW) }, '', 10_000],
    ['seconds with a fraction', { 'retry-after': '1.25' }, '', 1_250],
    ['seconds between blanks', { 'retry-after': ' 5 ' }, '', 5_000],
    ['a reset between blanks', { 'x-rate-limit-reset': ` ${String(NOW / 1_000 + 9)} ` }, '', 9_000],
    ['text beside a reset that is no instant', { 'x-rate-limit-reset': '37' }, 'in 37 seconds', 37_000],
    ['a garbled header and text', { 'x-retry-after': 'soon' }, 'in 3 seconds', 3_000],
  ])('is read from %s (faults#38)', (_, headers, sentence, waitMs) => {
    expect(decodeWait(headers, sentence, NOW)).toBe(waitMs);
  });

  it.each([
    [{}, ''],
    [{ 'retry-after': '' }, 'Too many requests'],
    [{ 'retry-after': '-5' }, 'error 429'],
    [{ 'retry-after': '5 or so' }, ''],
    [{ 'x-rate-limit-reset': 'later' }, ''],
    [{ 'x-rate-limit-reset': '2026-04-14T11:59:09Z' }, ''],
    [{ 'retry-after': 'Tue, 14 Apr 2026 11:59:09 GMT' }, ''],
    [{ 'x-rate-limit-reset': '37' }, ''],
    [{ 'x-rate-limit': '100' }, '3 systems are busy'],
  ])('is absent in %j with "%s" (faults#38)', (headers, sentence) => {
    expect(decodeWait(headers, sentence, NOW)).toBeNull();
  });

  it('is a number from zero up, or absent, with any headers (faults#38)', () => {
    const headers = fc.record(
      { 'retry-after': fc.string(), 'x-retry-after': fc.string(), 'x-rate-limit-reset': fc.string() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(headers, fc.string(), (values, sentence) => {
        const waitMs = decodeWait(values, sentence, NOW);
        expect(waitMs === null || waitMs >= 0).toBe(true);
      }),
    );
  });
});

describe('the rate window that an answer reports', () => {
  const facts = (headers: Readonly<Record<string, string>>) => decodeRateFacts(headers);
  const nothing = { limit: null, remaining: null, reset: null, date: null };

  it.each([
    ['epoch seconds', String(NOW / 1_000)],
    ['epoch milliseconds', String(NOW)],
    ['ISO 8601', '2026-04-14T12:00:00Z'],
    ['ISO 8601 without a zone', '2026-04-14T12:00:00'],
    ['the date of HTTP', 'Tue, 14 Apr 2026 12:00:00 GMT'],
  ])('is read member by member, with blanks around them, and a reset as %s', (_, reset) => {
    const headers = {
      'x-rate-limit': ' 100 ',
      'x-rate-limit-remaining': ' 0 ',
      'x-rate-limit-reset': ` ${reset} `,
    };
    const date = ' Tue, 14 Apr 2026 11:59:00 GMT ';
    const read = { limit: 100, remaining: 0, reset: NOW, date: NOW - 60_000 };
    expect(facts({ ...headers, date })).toEqual(read);
  });

  it('is not known without its headers, or where they make no sense', () => {
    const headers = { 'x-rate-limit': 'many', 'x-rate-limit-remaining': '-1', 'x-rate-limit-reset': 'soon' };
    expect([facts({}), facts({ ...headers, date: 'x' })]).toEqual([nothing, nothing]);
  });

  it.each(['', '-1', '1.5', '12345678', '10 of 100', 'x10'])('has no limit in %j', (limit) => {
    expect(facts({ 'x-rate-limit': limit }).limit).toBeNull();
  });

  it.each([
    ['seconds', '99999999999', 99_999_999_999_000],
    ['milliseconds', '100000000000', 100_000_000_000],
  ])('ends at a count of %s: %s', (_, reset, at) => {
    expect(facts({ 'x-rate-limit-reset': reset }).reset).toBe(at);
  });

  it.each([
    'on 2026-04-14T12:00:00Z',
    'on Tue, 14 Apr 2026 12:00:00 GMT',
    'Tue, 14 Apr 2026 12:00:00 GMT+1',
    '14 Apr 2026',
    '2026-04-14T25:00:00Z',
  ])('has no date in %j', (date) => {
    expect(facts({ date }).date).toBeNull();
  });
});
