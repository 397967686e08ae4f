// The text of a card after a failed command, and how long it stays.
import { describe, expect, it } from 'vitest';
import type { CommandOutcome } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { ActivityDetail, ActivityView } from '../../../src/panel/views/activity.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { failureWords } from '../../../src/words/commands.ts';
import { openFailures } from '../../../web/panel/overview/command-failure.ts';
import { aLock } from '../../stand-ins/account/operations.ts';

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

/** The text of the card after these events, one each second. */
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
    [
      { kind: 'unsent' },
      'unsecured',
      'Couldn’t unlock: the command never reached the service. Check the door.',
    ],
    [{ kind: 'overdue' }, 'secured', 'Couldn’t lock: the lock is offline. Check the door.'],
    [{ kind: 'uncertain' }, 'secured', 'Nobody knows whether it locked. Check the door.'],
    [{ kind: 'moved' }, 'secured', ''],
  ])('%j to %s is shown as "%s"', (outcome, target, words) => {
    expect(said(failed(outcome, target))).toBe(words);
  });

  it('is shown until the lock is at the target, is moved, or gets another command', () => {
    const failure = failed(SILENT);
    expect(said(failure, moved('unknown'), moved('unsecured'))).not.toBe('');
    expect(said(failure, { type: 'presence', presence: 'offline' })).not.toBe('');
    expect(said(failure, { type: 'presence', presence: 'reachable' })).not.toBe('');
    expect(said(failure, moved('unknown'), moved('secured'))).toBe('');
    expect(said(failure, moved('unsecured', 900))).toBe('');
    expect(said(failure, failed({ kind: 'moved' }))).toBe('');
    expect(said(failure, failed({ kind: 'unsent' }))).toContain('the command never reached the service');
  });

  it('is shown once the page no longer waits for it, half a minute before its end is reported', () => {
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
