// When the history of a lock is read of which nobody told, and which of its entries a webhook should have announced.
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/domain/history.ts';
import { isReadingDue, type UntoldFacts, unannouncedMoveAt } from '../../../src/domain/untold-policy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const READ: UntoldFacts = { now: 100 * HOUR, readAt: 100 * HOUR, changes: 0, vain: 0, relied: true };

function ago(ms: number): Partial<UntoldFacts> {
  return { readAt: READ.now - ms };
}

describe('a history of which nobody told is due', () => {
  it.each<[string, Partial<UntoldFacts>, boolean]>([
    ['at once when it was never read', { readAt: null }, true],
    ['not within five minutes', ago(5 * MINUTE - 1), false],
    ['after five minutes while webhooks are relied on', ago(5 * MINUTE), true],
    ['later when it was in vain', { ...ago(5 * MINUTE), vain: 1 }, false],
    ['after six hours however often it was in vain', { ...ago(6 * HOUR), vain: 90 }, true],
    ['seldom while nothing is relied on', { ...ago(6 * HOUR - 1), relied: false }, false],
    ['after six hours at the latest', { ...ago(6 * HOUR), relied: false, vain: 9 }, true],
    ['sooner when much has changed', { ...ago(5 * MINUTE), relied: false, changes: 25 }, true],
    ['not within five minutes even then', { ...ago(MINUTE), relied: false, changes: 99 }, false],
    [
      'later when much had changed and nothing had happened',
      { ...ago(HOUR), relied: false, changes: 49, vain: 1 },
      false,
    ],
  ])('%s', (_title, facts, due) => {
    expect(isReadingDue({ ...READ, ...facts })).toBe(due);
  });
});

describe('a move that none announced', () => {
  const by = { method: 'thumbturn', id: null, name: null } as const;
  const entry = (at: number, what: HistoryEntry['what'] = 'secured'): HistoryEntry => ({
    id: String(at),
    at,
    offsetMinutes: null,
    what,
    by,
  });

  it.each<[string, readonly HistoryEntry[], number | null]>([
    ['is the latest of them', [entry(1_300_000), entry(1_200_000, 'unsecured')], 1_300_000],
    ['is none that was heard of, half a minute more or less', [entry(1_030_000)], null],
    ['is none of which the listing could not know', [entry(1_530_001)], null],
    ['is none of another kind', [entry(1_300_000, 'battery-low'), entry(1_300_000, 'unrecognised')], null],
    ['is not there in an empty history', [], null],
  ])('%s', (_title, entries, at) => {
    expect(unannouncedMoveAt(entries, 1_000_000, 1_500_000)).toBe(at);
  });
});
