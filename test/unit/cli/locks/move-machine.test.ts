// A move followed to its end: every answer and every end in words, the right status, and never an end that is taken back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answered,
  asked,
  asking,
  interrupted,
  type Move,
  received,
  resumed,
  silent,
} from '../../../../src/cli/locks/move-machine.ts';
import { EXIT_STATUS } from '../../../../src/cli/terminal/exit-status.ts';
import type { CommandOutcome } from '../../../../src/domain/commands/command.ts';
import { verbatim } from '../../../../src/domain/language/message.ts';
import type { MoveView } from '../../../../src/panel/operations/locks.ts';
import type { PanelEvent } from '../../../../src/panel/panel-event.ts';
import type { LockView } from '../../../../src/panel/views/lock.ts';
import { lockView } from '../terminal/lock-view.ts';

const DOOR = lockView('Front door');
const ASKED = asked('unsecured');
const ACCEPTED = answered(ASKED, { kind: 'accepted' });

function commandEnded(outcome: CommandOutcome, target: 'secured' | 'unsecured' = 'unsecured'): PanelEvent {
  return { type: 'command-ended', id: DOOR.id, target, outcome };
}

function shown(changes: Partial<LockView>): PanelEvent {
  return { type: 'lock', lock: lockView('Front door', changes) };
}

const reached = (disposition: string, words: string): MoveView => ({
  kind: 'failed',
  disposition,
  message: verbatim(words),
});

describe('the answer to a request', () => {
  const forbidden = { kind: 'refused', reason: 'remote-unlock-forbidden' } as const;
  it.each<readonly [MoveView, string, keyof typeof EXIT_STATUS]>([
    [{ kind: 'already' }, 'already unlocked', 'ok'],
    [{ kind: 'superseded' }, 'replaced by a newer command', 'failed'],
    [
      forbidden,
      'couldn’t unlock: remote unlock is turned off for this lock. Allow it on the Locks page or in config.json.',
      'failed',
    ],
    [
      { kind: 'refused', reason: 'not-linked' },
      'couldn’t unlock: the account is not connected. Connect it on the Account page.',
      'linkNeeded',
    ],
    [reached('retry', 'No way.'), 'couldn’t unlock: No way', 'tryLater'],
    [reached('final', 'Refused (HTTP 400).'), 'couldn’t unlock: Refused (HTTP 400)', 'failed'],
    [reached('from a later version', 'Odd.'), 'couldn’t unlock: Odd', 'failed'],
  ])('%j ends the command: %s', (answer, words, status) => {
    const end = { words, status: EXIT_STATUS[status] };
    expect(answered(ASKED, answer)).toMatchObject({ phase: 'ended', end });
  });

  it.each(['accepted', 'uncertain', 'joined'] as const)(
    '%s does not end the command, and is worth a line',
    (kind) => {
      expect(answered(ASKED, { kind })).toMatchObject({ end: null, line: expect.any(String) as string });
    },
  );

  it('is worth a line as long as it is missing', () => {
    expect([ASKED.line, asking(ASKED).line]).toEqual([null, 'asking the service to unlock it']);
    expect([asking(answered(ASKED, { kind: 'already' })).line, asking(ACCEPTED).line]).toEqual([null, null]);
  });
});

describe('the end of a command', () => {
  const unknown = 'nobody knows whether it unlocked. Check the door.';
  it.each<readonly [CommandOutcome, string, string, keyof typeof EXIT_STATUS]>([
    [{ kind: 'moved' }, 'moved', 'unlocked', 'ok'],
    [{ kind: 'refused', reason: 'bolt-jammed' }, 'refused', 'couldn’t unlock: the bolt is jammed', 'failed'],
    [{ kind: 'uncertain' }, 'uncertain', unknown, 'uncertain'],
    [{ kind: 'overdue' }, 'uncertain', unknown, 'uncertain'],
    [{ kind: 'unsent' }, 'failed', 'couldn’t unlock: the command never reached the service', 'tryLater'],
  ])('%j is reported', (outcome, kind, words, status) => {
    const end = { kind, words, status: EXIT_STATUS[status] };
    expect(received(ACCEPTED, commandEnded(outcome)).end).toEqual(end);
  });

  it('comes later when the lock was busy with another command (faults#27)', () => {
    const waiting = received(ACCEPTED, commandEnded({ kind: 'refused', reason: 'lock-busy' }));
    expect(waiting).toMatchObject({ phase: 'waiting', end: null });
    expect(received(waiting, commandEnded({ kind: 'moved' })).end?.kind).toBe('moved');
  });

  it('that another program sent is not reported as ours', () => {
    expect(received(ACCEPTED, commandEnded({ kind: 'moved' }, 'secured')).end).toBeNull();
  });

  it('may come before the answer, which then changes nothing', () => {
    const early = received(ASKED, commandEnded({ kind: 'moved' }));
    expect(answered(early, { kind: 'accepted' })).toMatchObject({ end: early.end, line: null });
  });

  it('of a command that was not sent leaves the reason to the answer', () => {
    const unsent = received(ASKED, commandEnded({ kind: 'unsent' }));
    expect(answered(unsent, reached('retry', 'No way.')).end?.words).toBe('couldn’t unlock: No way');
  });
});

describe('a command that has ended, and may have moved the bolt', () => {
  const SENT_AT = 1_000;
  const MOVES_UNTIL = 11_000;
  const lastCommand = { target: 'unsecured', sentAt: SENT_AT, movesUntil: MOVES_UNTIL } as const;
  const hidden = { bolt: 'unknown', confirmedAt: SENT_AT + 1, lastCommand } as const;
  const failed = commandEnded({ kind: 'uncertain', reason: 'lock-silent' });
  const doubted = received(received(ACCEPTED, shown(hidden)), failed);

  it('causes a look at the lock', () => {
    const line = 'the lock did not answer; its Wi-Fi may be down; looking at the lock';
    expect(doubted).toMatchObject({ phase: 'doubted', end: null, line });
  });

  it('succeeds by a reading of the target that is younger than the command', () => {
    const reading = shown({ bolt: 'unsecured', confirmedAt: SENT_AT + 2_000, lastCommand });
    const end = { kind: 'moved', words: 'unlocked', status: EXIT_STATUS.ok };
    expect(received(doubted, reading).end).toEqual(end);
  });

  it('fails by a reading of the old position, and only once the bolt cannot be moving any more', () => {
    const early = received(doubted, shown({ bolt: 'secured', confirmedAt: MOVES_UNTIL, lastCommand }));
    expect(early).toMatchObject({ phase: 'doubted', end: null });
    const late = received(early, shown({ bolt: 'secured', confirmedAt: MOVES_UNTIL + 1, lastCommand }));
    expect(late.end).toEqual({
      kind: 'refused',
      words: 'couldn’t unlock: the lock did not answer; its Wi-Fi may be down',
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
  ] as const)('is not decided by a reading %s, and ends as uncertain', (_, changes) => {
    const move = received(doubted, shown({ confirmedAt: MOVES_UNTIL + 5_000, ...changes }));
    expect(move).toMatchObject({ phase: 'doubted', end: null });
    expect(silent(move).end).toMatchObject({ kind: 'uncertain', status: EXIT_STATUS.uncertain });
  });

  it('is decided at once by a reading from before its end, as after a minute without a word', () => {
    const read = { bolt: 'unsecured', confirmedAt: SENT_AT + 40_000, lastCommand } as const;
    expect(received(received(ACCEPTED, shown(read)), failed).end?.kind).toBe('moved');
  });

  it('is followed in another owner, too, whatever the answer to the request is', () => {
    const answer = reached('final', 'The service refused.');
    const elsewhere = resumed(answered(doubted, answer), lockView('Front door', hidden));
    expect(elsewhere).toMatchObject({ phase: 'doubted', end: null });
  });

  it('is superseded by a request for the other position', () => {
    expect(received(doubted, shown({ ...hidden, target: 'secured' })).end?.kind).toBe('superseded');
  });
});

describe('the state of the lock', () => {
  it('shows that another program made a later request', () => {
    expect(received(ACCEPTED, shown({ target: 'secured' })).end?.kind).toBe('superseded');
  });

  it('may still show an earlier request before ours was answered', () => {
    expect(received(ASKED, shown({ target: 'secured' })).end).toBeNull();
  });

  it('at the requested position, without a target, ends the command when no other end is reported', () => {
    const dropped = received(ACCEPTED, shown({ bolt: 'unsecured' }));
    expect(dropped).toMatchObject({ phase: 'dropped', end: null });
    expect(silent(dropped).end?.kind).toBe('moved');
  });

  it('at the other position, without a target, leaves the command uncertain', () => {
    expect(silent(received(ACCEPTED, shown({}))).end?.kind).toBe('uncertain');
  });

  it('without a target is no end of the command when its owner ends, too', () => {
    const dropped = received(ACCEPTED, shown({}));
    expect(interrupted(dropped)).toMatchObject({ phase: 'in-progress', end: null });
  });

  it('ends the command when the lock has left the account', () => {
    const gone: PanelEvent = { type: 'lock-removed', id: DOOR.id, name: 'Front door' };
    expect(received(ACCEPTED, gone).end?.words).toBe(
      "couldn’t unlock: this lock was removed from the account. Check in the lock's app.",
    );
  });

  it('is read when another process takes over the account, and the command is followed on', () => {
    const after = resumed(ACCEPTED, lockView('Front door', { target: 'unsecured' }));
    expect(after).toMatchObject({ phase: 'in-progress', end: null });
    expect(received(after, commandEnded({ kind: 'moved' })).end?.kind).toBe('moved');
  });
});

describe('any order of events', () => {
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
    ...(['accepted', 'uncertain', 'already', 'joined', 'superseded'] as const).map((kind) => ({ kind })),
    { kind: 'refused', reason: 'remote-unlock-forbidden' },
    reached('wait', 'Later.'),
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

  it('leaves an end as it is, and "moved" needs a report or a reading of it', () => {
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
