// Whole days as spans of time: on the clocks of each lock, and within the other limits of a question.
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { spansOfDays } from '../../../../src/panel/history/days.ts';
import type { HistoryQuery } from '../../../../src/panel/views/history.ts';

const LOCK = lockId('lock-1');
const BERLIN = 60;
const DAYS = { firstDay: '2026-04-14', lastDay: '2026-04-15' };
const spanOf = (query: Partial<HistoryQuery>, offset = BERLIN) =>
  spansOfDays(
    { since: null, until: null, firstDay: null, lastDay: null, ...query } as HistoryQuery,
    () => offset,
  ).spanOf?.(LOCK);

describe('whole days', () => {
  it('begin and end at midnight on the clocks of the lock', () => {
    expect(spanOf(DAYS)).toEqual({
      since: Date.parse('2026-04-13T23:00:00Z'),
      until: Date.parse('2026-04-15T23:00:00Z'),
    });
  });

  it.each([
    ['a later start', { since: '2026-04-14T12:00:00Z' }, '2026-04-14T12:00:00Z', '2026-04-15T23:00:00Z'],
    ['an earlier start', { since: '2026-04-01T12:00:00Z' }, '2026-04-13T23:00:00Z', '2026-04-15T23:00:00Z'],
    ['an earlier end', { until: '2026-04-14T12:00:00Z' }, '2026-04-13T23:00:00Z', '2026-04-14T12:00:00Z'],
    ['a later end', { until: '2026-04-20T12:00:00Z' }, '2026-04-13T23:00:00Z', '2026-04-15T23:00:00Z'],
  ])('and %s give the stricter limit', (_, limit, since, until) => {
    const [[name, time] = ['', '']] = Object.entries(limit);
    const span = spanOf({ ...DAYS, [name]: Date.parse(time) });
    expect(span).toEqual({ since: Date.parse(since), until: Date.parse(until) });
  });

  it('set no limit at the end that was not asked for', () => {
    expect(spanOf({ firstDay: DAYS.firstDay })).toMatchObject({ until: null });
    expect(spanOf({ lastDay: DAYS.lastDay })).toMatchObject({ since: null });
  });
});
