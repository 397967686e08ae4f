// When the history of a lock is read of which nobody told, and which of its entries a webhook should have announced.
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/domain/history.ts';
import { type Lock, lockId, unknownLock } from '../../../src/domain/lock.ts';
import type { LockEvent, Reported } from '../../../src/domain/lock-event.ts';
import { advanceLock } from '../../../src/domain/lock-machine.ts';
import {
  isReadingDue,
  isRelockCheckDue,
  leftAt,
  type MissedEventFacts,
  missedRelock,
  unannouncedMoveAt,
} from '../../../src/domain/missed-event-policy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const READ: MissedEventFacts = { now: 100 * HOUR, readAt: 100 * HOUR, changes: 0, vain: 0, relied: true };

function ago(ms: number): Partial<MissedEventFacts> {
  return { readAt: READ.now - ms };
}

describe('a history of which nobody told is due', () => {
  it.each<[string, Partial<MissedEventFacts>, boolean]>([
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

const by = { method: 'thumbturn', id: null, name: null } as const;

function entry(at: number, what: HistoryEntry['what'] = 'secured'): HistoryEntry {
  return { id: String(at), at, offsetMinutes: null, what, by };
}

describe('a move that none announced', () => {
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

describe('an event of a position', () => {
  const fresh = unknownLock(lockId('a'), { name: 'A', model: '', serial: '', firmware: '', role: 'owner' });
  const after = (...events: readonly LockEvent[]): Lock => events.reduce(advanceLock, fresh);
  const read = (at: number, more: Partial<Reported> = {}): LockEvent => ({
    type: 'reported',
    source: 'poll',
    at,
    bolt: 'secured',
    connected: true,
    ...more,
  });
  const told = (at: number, bolt: Reported['bolt'] = 'secured'): LockEvent => ({
    type: 'reported',
    source: 'event',
    at,
    bolt: bolt ?? 'secured',
    accessor: by,
  });
  const AT = 1_000_000;
  const since = 900_000;

  it.each<[string, Lock]>([
    ['that was read before', after(read(since))],
    ['that was told before', after(read(500_000), told(since))],
    [
      'that a command of ours ended in before',
      after(read(500_000), {
        type: 'command-completed',
        target: 'secured',
        provenSince: since,
        at: since,
        next: null,
      }),
    ],
    ['that jammed before, and rested again', after(told(since - 2, 'jammed'), told(since))],
  ])('%s hints at a return', (_title, before) => {
    expect(missedRelock(before, advanceLock(before, told(AT)))).toEqual({ to: 'secured', since, until: AT });
  });

  it.each<[string, Lock, LockEvent]>([
    ['of the other position', after(read(since)), told(AT, 'unsecured')],
    ['that ends a jam', after(read(since), told(since + 1, 'jammed')), told(AT)],
    ['that was not known', after(), told(AT)],
    ['that was too old to be believed', after(read(since), { type: 'aged', staleBefore: AT }), told(AT)],
    ['of a lock that was offline', after(read(since), read(since + 1, { connected: false })), told(AT)],
    ['that came half a minute after the same was known', after(read(AT - 30_000)), told(AT)],
    ['that is older than what is known', after(read(AT + 1)), told(AT)],
    [
      'that a command of ours explains',
      after(read(since), { type: 'command-sent', target: 'secured', at: AT - 2_000 }),
      told(AT),
    ],
    [
      'that a command of ours explains, which ended before',
      after(
        read(since),
        { type: 'command-sent', target: 'secured', at: AT - 2_000 },
        { type: 'command-ended', at: AT - 1_000, jammed: false, next: null },
      ),
      told(AT),
    ],
    ['that is no event, but a reading', after(read(since)), read(AT)],
  ])('%s hints at none', (_title, before, event) => {
    expect(missedRelock(before, advanceLock(before, event))).toBeNull();
  });

  it.each<[string, readonly HistoryEntry[], number | null]>([
    ['at its latest move away', [entry(960_000, 'unsecured'), entry(940_000, 'unsecured')], 960_000],
    ['a moment before it returned', [entry(999_999, 'unsecured')], 999_999],
    ['never, where it only came to rest again', [entry(960_000)], null],
    ['never, where that may be what was known', [entry(930_000, 'unsecured')], null],
    ['never, where it left again afterwards', [entry(1_000_000, 'unsecured')], null],
    ['never, where the history is empty', [], null],
  ])('of a bolt that left %s', (_title, entries, at) => {
    expect(leftAt(entries, { to: 'secured', since, until: AT }, 0)).toBe(at);
  });

  it('of a bolt that left while something else explains it says nothing', () => {
    const entries = [entry(960_000, 'unsecured')];
    expect(leftAt(entries, { to: 'secured', since, until: AT }, 930_000)).toBeNull();
    expect(leftAt(entries, { to: 'unsecured', since, until: AT }, 0)).toBeNull();
  });

  it.each<[string, number | null, boolean, boolean]>([
    ['at once when none was before', null, true, true],
    ['not within five minutes of one that was', 5 * MINUTE - 1, false, false],
    ['after five minutes of one that was', 5 * MINUTE, false, true],
    ['not within four hours of one that was none', 4 * HOUR - 1, true, false],
    ['after four hours of one that was none', 4 * HOUR, true, true],
  ])('is looked into %s', (_title, agoMs, vain, due) => {
    expect(isRelockCheckDue(READ.now, agoMs === null ? null : READ.now - agoMs, vain)).toBe(due);
  });
});
