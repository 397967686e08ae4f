// When a history is read unasked, and which of its moves a webhook should have announced: the cases as tables.
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import {
  type AuditFacts,
  announcementOf,
  isRepeatedPosition,
  judgeAudit,
  showsMissedMove,
} from '../../../../src/domain/history/audit-policy.ts';
import type { HistoryEntry, HistoryWhat } from '../../../../src/domain/history/history.ts';
import type { LockEvent } from '../../../../src/domain/locks/event.ts';
import type { Lock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import type { ServiceReport } from '../../../../src/domain/webhooks/service-event.ts';
import { after, aged, BY_HAND, completed, ended, heard, poll, sent } from '../../../support/lock-events.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Healthy webhooks, changes that none reported, noticed a minute ago, never read before. */
const QUIET: AuditFacts = {
  now: 100 * HOUR,
  hasNewEntries: true,
  afterGap: false,
  isReported: false,
  isRepeated: false,
  relied: true,
  noticedAt: 100 * HOUR - MINUTE,
  readAt: null,
  vain: 0,
};

const ago = (ms: number): number => QUIET.now - ms;

it.each<[string, Partial<AuditFacts>, ReturnType<typeof judgeAudit>]>([
  ['where a change was announced by no event', {}, 'now'],
  ['only once an event has had half a minute to come', { noticedAt: ago(29_999) }, 'later'],
  ['as soon as that is over', { noticedAt: ago(30_000) }, 'now'],
  ['after a gap again after five minutes', { afterGap: true, readAt: ago(5 * MINUTE) }, 'now'],
  ['not where an event announced the change', { isReported: true }, 'no'],
  ['not where nothing changed', { hasNewEntries: false }, 'no'],
  ['where an event repeats what was believed', { hasNewEntries: false, isRepeated: true }, 'now'],
  ['after a gap, at once', { afterGap: true, isReported: true, noticedAt: QUIET.now }, 'now'],
  ['not after a gap in which nothing changed', { afterGap: true, hasNewEntries: false }, 'no'],
  ['of one lock no more often than every five minutes', { readAt: ago(5 * MINUTE - 1) }, 'later'],
  ['again after five minutes', { readAt: ago(5 * MINUTE) }, 'now'],
  ['less often where it showed nothing', { readAt: ago(5 * MINUTE), vain: 1 }, 'later'],
  ['after six hours however often it showed nothing', { readAt: ago(6 * HOUR), vain: 90 }, 'now'],
  ['no more often after gaps either', { afterGap: true, readAt: ago(5 * MINUTE - 1) }, 'later'],
  ['at once without webhooks', { relied: false, noticedAt: QUIET.now }, 'now'],
  ['once an hour without webhooks', { relied: false, readAt: ago(HOUR) }, 'now'],
  ['no more often without webhooks', { relied: false, readAt: ago(HOUR - 1) }, 'later'],
  ['for no repetition without webhooks', { relied: false, hasNewEntries: false, isRepeated: true }, 'no'],
])('a reading of a history is due or not: %s', (_title, facts, verdict) => {
  expect(judgeAudit({ ...QUIET, ...facts })).toBe(verdict);
});

function entry(at: number, what: HistoryWhat = 'secured'): HistoryEntry {
  return { id: String(at), at, offsetMinutes: null, what, by: BY_HAND };
}

describe('a move that no event announced', () => {
  const secured = (at: number) => ({ at, moves: ['secured'] as const });
  const audited = {
    since: 1_000_000,
    until: 1_500_000,
    announced: [{ at: 1_100_000, moves: ['unsecured'] as const }, secured(1_200_000), secured(1_400_000)],
  };

  it.each<[string, readonly HistoryEntry[], boolean]>([
    ['is seen', [entry(1_300_000)], true],
    ['is seen before one that was announced', [entry(1_200_000), entry(1_150_000, 'unsecured')], true],
    ['is none within half a minute of an event', [entry(1_170_000), entry(1_230_000)], false],
    ['is seen beyond that', [entry(1_230_001)], true],
    ['is seen where only the opposite was announced', [entry(1_190_000, 'unsecured')], true],
    ['is none of a time that is explained', [entry(1_000_000)], false],
    ['is seen at the end of the time in question', [entry(1_500_000)], true],
    ['is none that may still be announced', [entry(1_500_001)], false],
    ['is none of another kind', [entry(1_300_000, 'battery-low'), entry(1_300_000, 'unrecognised')], false],
    ['is not in an empty history', [], false],
  ])('%s', (_title, entries, missed) => {
    expect(showsMissedMove(entries, audited)).toBe(missed);
  });
});

describe('an event', () => {
  const bolt = (position: 'secured' | 'unknown' | null): ServiceReport => ({
    type: 'bolt',
    bolt: position,
    accessor: null,
  });
  const commandEnded: ServiceReport = {
    type: 'command-ended',
    reading: { state: 'successful', commandId: commandId('c-1') },
  };

  it.each<[string, ServiceReport, readonly HistoryWhat[]]>([
    ['its own move', bolt('secured'), ['secured']],
    ['any move where it does not say which', bolt(null), ['secured', 'unsecured']],
    ['any move where the service does not know', bolt('unknown'), ['secured', 'unsecured']],
    ['any move as the end of a command', commandEnded, ['secured', 'unsecured']],
    ['none where it is about something else', { type: 'connectivity', connected: true }, []],
  ])('announces %s', (_title, event, moves) => {
    expect(announcementOf(event, 5)).toEqual({ at: 5, moves });
  });
});

describe('an event of a position', () => {
  const AT = 1_000_000;
  const since = 900_000;

  it.each<[string, Lock]>([
    ['that was read before', after(poll('secured', since))],
    ['that was reported before', after(poll('secured', 500_000), heard('secured', since))],
    [
      'that a command of ours ended in before',
      after(poll('secured', 500_000), completed('secured', since, since)),
    ],
    [
      'that our command explained earlier',
      after(poll('secured', 400_000), sent('secured', 500_000), ended(501_000), poll('secured', since)),
    ],
    ['that jammed before, and rested again', after(heard('jammed', since - 2), heard('secured', since))],
  ])('%s may hide a missed move', (_title, before) => {
    expect(isRepeatedPosition(before, advanceLock(before, heard('secured', AT)))).toBe(true);
  });

  it.each<[string, Lock, LockEvent?]>([
    ['of the other position', after(poll('secured', since)), heard('unsecured', AT)],
    ['that ends a jam', after(poll('secured', since), heard('jammed', since + 1))],
    ['that was not known', after()],
    ['that was too old to be believed', after(poll('secured', since), aged(AT))],
    [
      'of a lock that was offline',
      after(poll('secured', since), poll('secured', since + 1, { connected: false })),
    ],
    ['half a minute after the same was known', after(poll('secured', AT - 30_000))],
    [
      'half a minute after the same was confirmed',
      after(heard('secured', since), poll('secured', AT - 30_000)),
    ],
    ['that is older than what is known', after(poll('secured', AT + 1))],
    ['that a command of ours explains', after(poll('secured', since), sent('secured', AT - 2_000))],
    [
      'that our ended command explains',
      after(poll('secured', since), sent('secured', AT - 2_000), ended(AT - 1_000)),
    ],
    ['that is no event, but a reading', after(poll('secured', since)), poll('secured', AT)],
  ])('%s hides none', (_title, before, event = heard('secured', AT)) => {
    expect(isRepeatedPosition(before, advanceLock(before, event))).toBe(false);
  });
});
