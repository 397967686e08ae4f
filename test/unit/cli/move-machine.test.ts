// A move followed to its end: every answer and every end in words, the right status, and never an end that is taken back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXIT_STATUS } from '../../../src/cli/exit-status.ts';
import {
  answered,
  asked,
  asking,
  type Move,
  received,
  resumed,
  silent,
} from '../../../src/cli/move-machine.ts';
import type { CommandOutcome } from '../../../src/domain/command.ts';
import type { MoveView } from '../../../src/panel/lock-operations.ts';
import type { LockView } from '../../../src/panel/lock-view.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import { lockView } from './lock-view.ts';

const DOOR = lockView('Front door');
const ASKED = asked('unsecured');
const ACCEPTED = answered(ASKED, { kind: 'accepted' });

function commandEnded(outcome: CommandOutcome, target: 'secured' | 'unsecured' = 'unsecured'): PanelEvent {
  return { type: 'command-ended', id: DOOR.id, target, outcome };
}

function shown(changes: Partial<LockView>): PanelEvent {
  return { type: 'lock', lock: lockView('Front door', changes) };
}

describe('the answer to a request', () => {
  const answers: readonly [MoveView, string, number][] = [
    [{ kind: 'already' }, 'already unlocked', EXIT_STATUS.ok],
    [{ kind: 'superseded' }, 'not unlocked: a later request took its place', EXIT_STATUS.failed],
    [
      { kind: 'refused', reason: 'remote-unlock-forbidden' },
      'not unlocked: its options forbid unlocking from afar (remoteUnlock)',
      EXIT_STATUS.failed,
    ],
    [
      { kind: 'refused', reason: 'not-linked' },
      'not unlocked: the account is not linked',
      EXIT_STATUS.linkNeeded,
    ],
    [
      { kind: 'failed', disposition: 'retry', message: 'The service could not be reached.' },
      'not unlocked: The service could not be reached',
      EXIT_STATUS.tryLater,
    ],
    [
      { kind: 'failed', disposition: 'final', message: 'The service refused (HTTP 400).' },
      'not unlocked: The service refused (HTTP 400)',
      EXIT_STATUS.failed,
    ],
    [
      { kind: 'failed', disposition: 'from a later version', message: 'Odd.' },
      'not unlocked: Odd',
      EXIT_STATUS.failed,
    ],
  ];
  it.each(answers)('%j is the end: %s', (answer, words, status) => {
    expect(answered(ASKED, answer)).toMatchObject({ phase: 'ended', end: { words, status } });
  });

  it.each(['accepted', 'uncertain', 'joined'] as const)('%s is no end, and worth a line', (kind) => {
    const move = answered(ASKED, { kind });
    expect(move.end).toBeNull();
    expect(move.line).not.toBeNull();
  });
});

describe('a request that was not answered yet', () => {
  it('is worth a line, and is not any more once it was answered', () => {
    expect([ASKED.line, asking(ASKED).line]).toEqual([null, 'asking the service to unlock it']);
    const already = answered(ASKED, { kind: 'already' });
    expect([asking(already).line, asking(ACCEPTED).line]).toEqual([null, null]);
  });
});

describe('the end of a command', () => {
  const ends: readonly [CommandOutcome, string, string, number][] = [
    [{ kind: 'moved' }, 'moved', 'unlocked', EXIT_STATUS.ok],
    [
      { kind: 'refused', reason: 'bolt-jammed' },
      'refused',
      'not unlocked: the bolt is jammed',
      EXIT_STATUS.failed,
    ],
    [
      { kind: 'uncertain' },
      'uncertain',
      'nobody knows whether it was unlocked; look at the door',
      EXIT_STATUS.uncertain,
    ],
    [
      { kind: 'overdue' },
      'uncertain',
      'nobody knows whether it was unlocked; look at the door',
      EXIT_STATUS.uncertain,
    ],
    [{ kind: 'unsent' }, 'failed', 'not unlocked: it was not sent', EXIT_STATUS.tryLater],
  ];
  it.each(ends)('%j is reported', (outcome, kind, words, status) => {
    expect(received(ACCEPTED, commandEnded(outcome)).end).toEqual({ kind, words, status });
  });

  it('is waited for when the lock was busy with another command (faults#27)', () => {
    const waiting = received(ACCEPTED, commandEnded({ kind: 'refused', reason: 'lock-busy' }));
    expect(waiting).toMatchObject({ phase: 'waiting', end: null });
    expect(received(waiting, commandEnded({ kind: 'moved' })).end?.kind).toBe('moved');
  });

  it('of somebody else is not ours', () => {
    expect(received(ACCEPTED, commandEnded({ kind: 'moved' }, 'secured')).end).toBeNull();
  });

  it('may come before the answer, which then changes nothing', () => {
    const early = received(ASKED, commandEnded({ kind: 'moved' }));
    expect(answered(early, { kind: 'accepted' })).toMatchObject({ end: early.end, line: null });
  });

  it('of a command that was not sent leaves the reason to the answer', () => {
    const unsent = received(ASKED, commandEnded({ kind: 'unsent' }));
    const failed: MoveView = { kind: 'failed', disposition: 'retry', message: 'No way.' };
    expect(answered(unsent, failed).end?.words).toBe('not unlocked: No way');
  });
});

describe('a command that is over, and may have moved the bolt', () => {
  const SENT_AT = 1_000;
  const MOVES_UNTIL = 11_000;
  const lastCommand = { target: 'unsecured', sentAt: SENT_AT, movesUntil: MOVES_UNTIL } as const;
  const hidden = { bolt: 'unknown', confirmedAt: SENT_AT + 1, lastCommand } as const;
  const failed = commandEnded({ kind: 'uncertain', reason: 'lock-silent' });
  const doubted = received(received(ACCEPTED, shown(hidden)), failed);

  it('is no end: the lock is looked at', () => {
    const line = 'the lock did not answer; its Wi-Fi may be down; looking at the lock';
    expect(doubted).toMatchObject({ phase: 'doubted', end: null, line });
  });

  it('is unlocked by a reading that is younger than the command', () => {
    const end = received(
      doubted,
      shown({ bolt: 'unsecured', confirmedAt: SENT_AT + 2_000, lastCommand }),
    ).end;
    expect(end).toEqual({ kind: 'moved', words: 'unlocked', status: EXIT_STATUS.ok });
  });

  it('is not, by a reading of the old position once the bolt cannot be on its way any more', () => {
    const early = received(doubted, shown({ bolt: 'secured', confirmedAt: MOVES_UNTIL, lastCommand }));
    expect(early).toMatchObject({ phase: 'doubted', end: null });
    const late = received(early, shown({ bolt: 'secured', confirmedAt: MOVES_UNTIL + 1, lastCommand }));
    expect(late.end).toEqual({
      kind: 'refused',
      words: 'not unlocked: the lock did not answer; its Wi-Fi may be down',
      status: EXIT_STATUS.failed,
    });
  });

  it.each([
    ['from before the command', { bolt: 'unsecured', confirmedAt: SENT_AT, lastCommand }],
    ['without a date', { bolt: 'unsecured', confirmedAt: null, lastCommand }],
    ['after a command to lock', { bolt: 'unsecured', lastCommand: { ...lastCommand, target: 'secured' } }],
    ['of an owner that knows of no command', { bolt: 'unsecured', lastCommand: null }],
    [
      'of a bolt that may still travel',
      { bolt: 'secured', lastCommand: { ...lastCommand, movesUntil: null } },
    ],
    ['of no position', { bolt: 'unknown', lastCommand }],
  ] as const)('is settled by no reading %s, and ends as uncertain', (_, changes) => {
    const move = received(doubted, shown({ confirmedAt: MOVES_UNTIL + 5_000, ...changes }));
    expect(move).toMatchObject({ phase: 'doubted', end: null });
    expect(silent(move).end).toMatchObject({ kind: 'uncertain', status: EXIT_STATUS.uncertain });
  });

  it('is settled at once by what was read before it ended, as after a minute without a word', () => {
    const read = { bolt: 'unsecured', confirmedAt: SENT_AT + 40_000, lastCommand } as const;
    expect(received(received(ACCEPTED, shown(read)), failed).end?.kind).toBe('moved');
  });

  it('is looked for in the hands of another owner, too, whatever the answer to the request is', () => {
    const answer: MoveView = { kind: 'failed', disposition: 'final', message: 'The service refused.' };
    const elsewhere = resumed(answered(doubted, answer), lockView('Front door', hidden));
    expect(elsewhere).toMatchObject({ phase: 'doubted', end: null });
  });

  it('is superseded by a request for the other position', () => {
    expect(received(doubted, shown({ ...hidden, target: 'secured' })).end?.kind).toBe('superseded');
  });
});

describe('the lock itself', () => {
  it('shows that somebody else had a later request', () => {
    expect(received(ACCEPTED, shown({ target: 'secured' })).end?.kind).toBe('superseded');
  });

  it('may still show an earlier request before ours was answered', () => {
    expect(received(ASKED, shown({ target: 'secured' })).end).toBeNull();
  });

  it('where it was requested, with no target any more, is the end when nobody says another', () => {
    const dropped = received(ACCEPTED, shown({ bolt: 'unsecured' }));
    expect(dropped).toMatchObject({ phase: 'dropped', end: null });
    expect(silent(dropped).end?.kind).toBe('moved');
  });

  it('elsewhere, with no target any more, leaves it uncertain', () => {
    expect(silent(received(ACCEPTED, shown({}))).end?.kind).toBe('uncertain');
  });

  it('is gone from the account: that is an end, too', () => {
    const gone: PanelEvent = { type: 'lock-removed', id: DOOR.id, name: 'Front door' };
    expect(received(ACCEPTED, gone).end?.words).toBe('not unlocked: the account no longer lists it');
  });

  it('is looked at when another process takes over the account, and the command is followed on', () => {
    const after = resumed(ACCEPTED, lockView('Front door', { target: 'unsecured' }));
    expect(after).toMatchObject({ phase: 'in-progress', end: null });
    expect(received(after, commandEnded({ kind: 'moved' })).end?.kind).toBe('moved');
  });
});

describe('whatever happens in whatever order', () => {
  const bolt = fc.constantFrom('secured', 'unsecured', 'jammed', 'unknown');
  const target = fc.constantFrom('secured', 'unsecured', null);
  const outcome = fc.constantFrom<CommandOutcome>(
    { kind: 'moved' },
    { kind: 'refused', reason: 'lock-busy' },
    { kind: 'refused', reason: 'bolt-jammed' },
    { kind: 'uncertain' },
    { kind: 'uncertain', reason: 'lock-silent' },
    { kind: 'unsent' },
    { kind: 'overdue' },
  );
  const answer = fc.constantFrom<MoveView>(
    ...(['accepted', 'uncertain', 'already', 'joined', 'superseded'] as const).map((kind) => ({
      kind,
    })),
    { kind: 'refused', reason: 'remote-unlock-forbidden' },
    { kind: 'failed', disposition: 'wait', message: 'Later.' },
  );
  const step: fc.Arbitrary<(move: Move) => Move> = fc.oneof(
    answer.map((one) => (move: Move) => answered(move, one)),
    fc.record({ bolt, target }).map((changes) => (move: Move) => received(move, shown(changes))),
    outcome.map((one) => {
      const advance = (move: Move): Move => received(move, commandEnded(one));
      return Object.defineProperty(advance, 'name', { value: one.kind });
    }),
    fc
      .record({ bolt, target })
      .map((changes) => (move: Move) => resumed(move, lockView('Front door', changes))),
    fc.constantFrom(silent, asking),
  );

  it('an end stays the end, and "moved" is said only after a word or a sight of it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let move = ASKED;
        for (const advance of steps) {
          const before = move;
          move = advance(move);
          expect(before.end === null || (move.end?.kind === before.end.kind && move.phase === 'ended')).toBe(
            true,
          );
          expect(move.end !== null).toBe(move.phase === 'ended');
          const isNew = move.end?.kind === 'moved' && before.end === null;
          const sight = before.lock?.bolt === 'unsecured' && before.lock.target === null;
          const word = advance.name === 'moved';
          expect(!isNew || sight || word).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
