// What a card says of a command that failed, and for how long.
import { describe, expect, it } from 'vitest';
import type { CommandOutcome } from '../../../src/domain/command.ts';
import { lockId } from '../../../src/domain/lock.ts';
import type { ActivityDetail, ActivityView } from '../../../src/panel/activity-view.ts';
import type { LockView } from '../../../src/panel/lock-view.ts';
import { failureWords, openFailures } from '../../../web/panel/command-failure.ts';
import { aLock } from '../../browser/pretend-account.ts';

const FRONT = { id: lockId('front'), name: 'Front door' };
const SILENT: CommandOutcome = { kind: 'uncertain', reason: 'lock-silent' };

function failed(outcome: CommandOutcome, target: 'secured' | 'unsecured' = 'secured'): ActivityDetail {
  return { type: 'command', target, outcome };
}

function moved(bolt: 'secured' | 'unsecured' | 'unknown', movedAt: number | null = null): ActivityDetail {
  const by = { method: 'thumbturn', id: null, name: null } as const;
  const move = movedAt === null || bolt === 'unknown' ? null : { to: bolt, by, at: movedAt };
  return { type: 'bolt', bolt, move };
}

/** What the card says after these, one each second. */
function said(...details: readonly ActivityDetail[]): string {
  const activity: readonly ActivityView[] = details.map((detail, index) => ({
    number: index + 1,
    at: 1_000 * index,
    lock: FRONT,
    detail,
  }));
  return failureWords(openFailures(activity, []).get(FRONT.id), 'offline');
}

describe('a command that failed', () => {
  it.each<readonly [CommandOutcome, 'secured' | 'unsecured', string]>([
    [SILENT, 'secured', 'Couldn’t lock: the lock is offline. Check the door.'],
    [SILENT, 'unsecured', 'Nobody knows whether it unlocked. Check the door.'],
    [
      { kind: 'refused', reason: 'bolt-jammed' },
      'secured',
      'Couldn’t lock: the bolt is jammed. Check the door.',
    ],
    [{ kind: 'unsent' }, 'unsecured', 'Couldn’t unlock: the service couldn’t be reached. Check the door.'],
    [{ kind: 'overdue' }, 'secured', 'Couldn’t lock: the lock is offline. Check the door.'],
    [{ kind: 'uncertain' }, 'secured', 'Nobody knows whether it locked. Check the door.'],
    [{ kind: 'moved' }, 'secured', ''],
  ])('%j to %s is said as "%s"', (outcome, target, words) => {
    expect(said(failed(outcome, target))).toBe(words);
  });

  it('is said until the lock is there, is moved, or is told something else', () => {
    const failure = failed(SILENT);
    expect(said(failure, moved('unknown'), moved('unsecured'))).not.toBe('');
    expect(said(failure, { type: 'presence', presence: 'offline' })).not.toBe('');
    expect(said(failure, { type: 'presence', presence: 'reachable' })).not.toBe('');
    expect(said(failure, moved('unknown'), moved('secured'))).toBe('');
    expect(said(failure, moved('unsecured', 900))).toBe('');
    expect(said(failure, failed({ kind: 'moved' }))).toBe('');
    expect(said(failure, failed({ kind: 'unsent' }))).toContain('the service couldn’t be reached');
  });

  it('is said once it is no longer waited for, half a minute before its end is reported', () => {
    const lastCommand = { target: 'secured', sentAt: 5_000, movesUntil: 40_000 } as const;
    const lock = aLock('Front door', { bolt: 'unsecured', lastCommand });
    const entries = (
      count: number,
      at: number,
      about: ActivityView['lock'] = FRONT,
    ): readonly ActivityView[] =>
      Array.from({ length: count }, (_, index) => ({
        number: index + 1,
        at,
        lock: about,
        detail: moved('unsecured'),
      }));
    const outcome = (
      activity: readonly ActivityView[],
      changed: Partial<LockView> = {},
    ): string | undefined =>
      openFailures(activity, [{ ...lock, id: FRONT.id, ...changed }]).get(FRONT.id)?.outcome.kind;
    expect(outcome(entries(1, 4_000))).toBe('overdue');
    expect(outcome([])).toBe('overdue');
    expect(outcome(entries(1, 6_000))).toBeUndefined();
    expect(outcome(entries(100, 6_000, null))).toBeUndefined();
    expect(outcome([], { target: 'secured' })).toBeUndefined();
    expect(outcome([], { bolt: 'secured' })).toBeUndefined();
    expect(outcome([], { lastCommand: { ...lastCommand, target: 'unsecured' } })).toBeUndefined();
  });
});
