// Every way in which a command ends: the reports to its requests, the journal and the lock, word for word.
import { describe, expect, it } from 'vitest';
import { LOCK_MAY_WAIT_MS } from '../../../../src/domain/time/time.ts';
import {
  closed,
  endReported,
  failure,
  LOCKED,
  leaving,
  left,
  lockAccepted,
  lockSent,
  looked,
  lost,
  notProcessed,
  OPEN,
  PENDING,
  type Reported,
  readBack,
  readBackLost,
  refused,
  replied,
  resumed,
  SUCCESS,
  seen,
  sequence,
  tap,
  unlockAccepted,
  unlockSent,
} from '../../../support/command-sequence.ts';

describe('a command from the tap to its answer', () => {
  it('reports its target and its departure to the lock, and its acceptance to the request', () => {
    expect(sequence(...unlockAccepted).all).toEqual([
      'send unsecured as 1, within 10000, issued at 0',
      'lock: requested unsecured',
      'lock: sent unsecured at 0, then unsecured',
      'note: 1 is c-1',
      'answer 1: unsecured accepted',
      'read c-1 after 480, sent 0 ago',
    ]);
  });

  it('that succeeds within its answer is read at once, like one that is read back', () => {
    expect(sequence(...unlockSent, [100, replied(50, SUCCESS)]).last).toEqual([
      'note: 1 is c-1',
      'answer 1: unsecured accepted',
      'read c-1 after 480, sent 0 ago',
      'lock: completed unsecured, proven since at 50, at 100, then null',
      'poll-soon',
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
    ]);
  });

  it('ignores the answer to another command', () => {
    const { state } = sequence(...unlockSent);
    expect(sequence(...unlockSent, [100, replied(50, PENDING, 2)]).state).toEqual(state);
  });

  it('that is sent once more after a refused token counts from then on', () => {
    const about = sequence(...unlockSent, [500, leaving()]);
    expect([about.state.active?.phase, about.last]).toEqual([
      'preparing',
      ['lock: ended at 500, then unsecured'],
    ]);
    const { state, all } = sequence(...unlockSent, [500, leaving()], [600, left()]);
    expect(state.active).toMatchObject({ phase: 'sent', sentAt: 1_000_600, issuedAt: 1_000_600 });
    expect(state.evidenceCountsAfter).toBe(1_000_600);
    expect(all.slice(-1)).toEqual(['lock: sent unsecured at 600, then unsecured']);
  });

  it('that is sent once more may have no answer once more, and hides "locked" from between the two, too', () => {
    const again: readonly Reported[] = [...unlockSent, [2_900, looked], [3_000, leaving()], [3_100, left()]];
    expect(sequence(...again, [5_999, looked]).last).toEqual([]);
    expect(sequence(...again, [6_000, looked]).last).toEqual([
      'poll-soon',
      'lock: doubted unsecured since at 3100, until not known',
    ]);
  });
});

describe('a command that succeeds', () => {
  it.each([
    [
      'a read-back proves it since the last word that it was pending',
      readBack(400, SUCCESS),
      50,
      ['poll-soon'],
    ],
    ['an event since it happened', endReported(400, SUCCESS), 400, []],
    ['an event from before that word proves no more than the word', endReported(30, SUCCESS), 50, []],
  ] as const)('is judged: %s', (_, input, since, read) => {
    expect(sequence(...unlockAccepted, [600, input]).last).toEqual([
      `lock: completed unsecured, proven since at ${since}, at 600, then null`,
      ...read,
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
    ]);
  });

  it('was still pending at the read-back that reports it, which an older one does not undo', () => {
    const { state } = sequence(
      ...unlockAccepted,
      [500, readBack(400, PENDING)],
      [600, readBack(400, PENDING)],
    );
    expect(state.active).toMatchObject({ pendingAt: 1_000_500, pendingSince: 1_000_400 });
    expect(
      sequence(...unlockAccepted, [500, readBack(400, PENDING)], [600, readBack(401, PENDING)]).state.active,
    ).toMatchObject({ pendingAt: 1_000_600, pendingSince: 1_000_401 });
  });

  it('that is pending for longer than most bolts travel causes one reading of the lock', () => {
    const early = sequence(...lockAccepted, [9_999, readBack(9_900, PENDING)]);
    const first = sequence(
      ...lockAccepted,
      [9_999, readBack(9_900, PENDING)],
      [12_000, readBack(11_900, PENDING)],
    );
    expect([early.last, first.last]).toEqual([[], ['poll-soon']]);
    const later = sequence(
      ...lockAccepted,
      [12_000, readBack(11_900, PENDING)],
      [16_000, readBack(15_900, PENDING)],
    );
    expect(later.last).toEqual([]);
  });

  it('was pending no later than now, and no earlier than it was sent, whatever the clocks say', () => {
    const sent = sequence(...unlockSent, [100, replied(900)]).state;
    expect(sent.active?.pendingSince).toBe(1_000_100);
    expect(sequence(...unlockSent, [100, replied(-900)]).state.active?.pendingSince).toBe(1_000_000);
  });

  it('is not mistaken for another command, read back or reported', () => {
    const { state } = sequence(...unlockAccepted);
    for (const input of [
      readBack(400, SUCCESS, 'c-2'),
      endReported(400, SUCCESS, 'c-2'),
      readBackLost('c-2'),
    ]) {
      expect(sequence(...unlockAccepted, [600, input])).toMatchObject({ state, last: [] });
    }
  });

  it('takes the end that was reported before its answer, and not the end of another command', () => {
    const early: readonly Reported[] = [...unlockSent, [50, endReported(40, failure('bolt-jammed'), 'c-2')]];
    const { last } = sequence(...early, [80, endReported(70, SUCCESS)], [100, replied(50)]);
    expect(last).toContain('lock: completed unsecured, proven since at 70, at 100, then null');
    expect(last).not.toContain('poll-soon');
    expect(sequence(...early, [100, replied(50)]).state.active).toMatchObject({
      phase: 'accepted',
      earlyEnds: [],
    });
  });

  it('has its target believed as the position', () => {
    const { all } = sequence(...unlockAccepted, [
      600,
      readBack(400, { state: 'successful', bolt: 'unsecured' }),
    ]);
    expect(all).toContain('note: 1 ended moved');
  });
});

describe('a command that failed at the service', () => {
  it('because of a jammed bolt has the jam reported, and the lock read', () => {
    expect(sequence(...unlockAccepted, [600, readBack(400, failure('bolt-jammed'))]).last).toEqual([
      'lock: ended jammed at 600, then null',
      'poll-soon',
      'stop-reading',
      'note: 1 ended refused',
      'ended: unsecured refused bolt-jammed',
    ]);
  });

  it('for a reason that leaves the position open may open the bolt for as long as most bolts travel', () => {
    expect(sequence(...unlockAccepted, [600, readBack(400, failure('lock-silent'))]).last).toEqual([
      'lock: doubted unsecured since at 0, until at 10000',
      'poll-soon',
      'lock: ended at 600, then null',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain lock-silent',
    ]);
  });

  it('for a reason by which nothing moved leaves "locked" as it is', () => {
    expect(sequence(...unlockAccepted, [600, readBack(400, failure('parameters-invalid'))]).last).toEqual([
      'poll-soon',
      'lock: ended at 600, then null',
      'stop-reading',
      'note: 1 ended refused',
      'ended: unsecured refused parameters-invalid',
    ]);
  });

  it('because the lock was busy is sent again after its acceptance, and its end is only logged', () => {
    const again: readonly Reported[] = [
      ...unlockAccepted,
      [600, readBack(400, failure('lock-busy'))],
      [1_099, looked],
      [1_100, looked],
    ];
    expect(sequence(...again.slice(0, -1)).last).toEqual([]);
    expect(sequence(...again).last).toEqual(['send unsecured as 2, within 8900, issued at 1100']);
    expect(sequence(...again, [1_200, notProcessed(null, 2)]).last).toEqual([
      'answer nobody: unsecured failed x',
      'stop-reading',
      'note: 2 ended unsent',
      'ended: unsecured unsent',
      'lock: request-dropped',
    ]);
    expect(sequence(...again, [10_000, looked]).last[0]).toBe('answer nobody: unsecured too-late');
    const accepted = sequence(...again, [1_200, left(2)], [1_300, replied(1_250, PENDING, 2)]).last;
    expect(accepted.filter((line) => line.startsWith('answer'))).toEqual([]);
  });

  it('with the other position in its success is uncertain', () => {
    expect(
      sequence(...unlockAccepted, [600, readBack(400, { state: 'successful', bolt: 'secured' })]).last,
    ).toEqual([
      'lock: doubted unsecured since at 0, until at 10000',
      'poll-soon',
      'lock: ended at 600, then null',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain claims-success',
    ]);
  });
});

describe('a command that the service refuses', () => {
  it('fails, and its request is answered once, also where its bolt may have moved', () => {
    expect(sequence(...unlockSent, [100, refused('lock-silent')]).last).toEqual([
      'answer 1: unsecured failed x',
      'lock: doubted unsecured since at 0, until at 10000',
      'poll-soon',
      'lock: ended at 100, then null',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain lock-silent',
    ]);
  });

  it('because the lock is busy leaves the request waiting, and the lock keeps showing its target', () => {
    const { state, last } = sequence(...unlockSent, [100, refused('lock-busy')]);
    expect(last).toEqual([
      'poll-soon',
      'lock: ended at 100, then unsecured',
      'stop-reading',
      'note: 1 ended refused',
      'ended: unsecured refused lock-busy',
    ]);
    expect(state).toMatchObject({
      waiting: { unanswered: [1], expiresAt: 1_010_000, notBefore: 1_000_600, retryPauseMs: 1_000 },
    });
  });

  it('because the lock is busy does not wait again once a later request has overtaken it', () => {
    const overtaken: readonly Reported[] = [
      ...lockSent,
      [50, tap('unsecured', 2)],
      [100, refused('lock-busy')],
    ];
    const { state, last } = sequence(...overtaken);
    expect(last).toContain('answer 1: secured superseded');
    expect(last).not.toContain('answer 2: unsecured superseded');
    expect(state.waiting).toMatchObject({ target: 'unsecured', unanswered: [2] });
    expect(sequence(...overtaken, [100, looked]).last[0]).toBe(
      'send unsecured as 2, within 9950, issued at 100',
    );
  });
});

describe('a command that certainly was not processed', () => {
  const dropped = ['stop-reading', 'note: 1 ended unsent', 'lock: ended at 100, then null'].toSorted();

  it.each([
    ['an unlock fails at once, whatever pause is asked for', unlockSent, 500],
    ['an unlock fails at once, also without a pause', unlockSent, null],
    ['"lock" fails at once without a pause', lockSent, null],
    ['"lock" fails at once when the pause lasts as long as its time', lockSent, LOCK_MAY_WAIT_MS - 100],
  ] as const)('is judged: %s', (_, sent, waitMs) => {
    const { state, last } = sequence(...sent, [100, notProcessed(waitMs)]);
    expect([state.active, state.waiting]).toEqual([null, null]);
    expect(last[0]).toMatch(/^answer 1: (un)?secured failed x$/);
    expect(last).toEqual(expect.arrayContaining(dropped));
  });

  it('to lock waits out the pause to the millisecond, without an answer', () => {
    const { state, last } = sequence(...lockSent, [100, notProcessed(LOCK_MAY_WAIT_MS - 101)]);
    expect(last).toEqual([
      'lock: ended at 100, then secured',
      'stop-reading',
      'note: 1 ended unsent',
      'ended: secured unsent',
    ]);
    expect(state.waiting).toMatchObject({ unanswered: [1], notBefore: 1_064_999, expiresAt: 1_065_000 });
    const waited: readonly Reported[] = [...lockSent, [100, notProcessed(400)]];
    expect(sequence(...waited, [499, looked]).last).toEqual([]);
    expect(sequence(...waited, [500, looked]).last).toEqual([
      'send secured as 2, within 64500, issued at 500',
    ]);
  });

  it('is superseded where a later request wants the other position', () => {
    const { last } = sequence(...unlockSent, [50, tap('secured', 2)], [100, notProcessed(null)]);
    expect(last[0]).toBe('answer 1: unsecured superseded');
    expect(last).not.toContain('answer 1: unsecured failed x');
  });
});

describe('a command whose reply is lost', () => {
  it('is uncertain, and as an unlock may open the bolt for as long as most bolts travel', () => {
    const { state, last } = sequence(...unlockSent, [100, lost()]);
    expect(last).toEqual([
      'answer 1: unsecured uncertain',
      'stop-reading',
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 10000',
    ]);
    expect(state.active).toMatchObject({ phase: 'uncertain', unanswered: [], doubted: true });
  });

  it('is uncertain until it is 35 s old, and has ended from then on', () => {
    // Silent for so long, it may have left only after a sleep.
    expect(sequence(...unlockSent, [34_999, lost()]).last.slice(2)).toEqual([
      'answer 1: unsecured uncertain',
      'stop-reading',
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 44999',
    ]);
    expect(sequence(...unlockSent, [35_000, lost()]).last.slice(2)).toEqual([
      'answer 1: unsecured uncertain',
      'lock: doubted unsecured since at 0, until at 45000',
      'poll-soon',
      'lock: ended at 35000, then null',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain',
    ]);
  });

  it('is uncertain as well when a read-back finds nothing', () => {
    expect(sequence(...unlockAccepted, [600, readBackLost()]).last).toEqual([
      'stop-reading',
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 10000',
    ]);
  });

  it('ends by itself after 35 s, with its id or without', () => {
    const end = [
      'lock: doubted unsecured since at 0, until at 35000',
      'poll-soon',
      'lock: ended at 35000, then null',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain',
    ];
    const unnamed: readonly Reported[] = [...unlockSent, [100, lost()]];
    const named: readonly Reported[] = [...unlockAccepted, [600, readBackLost()]];
    expect(sequence(...unnamed, [34_999, looked]).last).toEqual([]);
    expect(sequence(...unnamed, [35_000, looked]).last).toEqual(end);
    expect(sequence(...named, [34_999, looked]).last).toEqual([]);
    expect(sequence(...named, [35_000, looked]).last).toEqual(end);
  });
});

describe('a command without an end', () => {
  it('to unlock hides "locked" 6 s after the last report that it is pending', () => {
    const pending: readonly Reported[] = [...unlockAccepted, [500, readBack(400, PENDING)]];
    expect(sequence(...pending, [6_499, looked]).last).toEqual([]);
    const silent: readonly Reported[] = [...pending, [6_500, looked]];
    expect(sequence(...silent).last).toEqual([
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 10000',
    ]);
    expect(sequence(...silent, [6_600, looked]).last).toEqual([]);
  });

  it('to lock hides nothing', () => {
    expect(sequence(...lockAccepted, [34_999, looked]).last).toEqual([]);
    expect(sequence(...lockSent, [34_999, looked]).last).toEqual([]);
  });

  it('is overdue after 35 s, once: the lock is read and its target follows the truth', () => {
    expect(sequence(...lockAccepted, [35_000, looked]).last).toEqual([
      'lock: ended at 35000, then null',
      'poll-soon',
    ]);
    expect(sequence(...lockAccepted, [35_000, looked], [64_999, looked]).last).toEqual([]);
  });

  it('is given up after 65 s', () => {
    expect(sequence(...lockAccepted, [35_000, looked], [65_000, looked]).last).toEqual([
      'lock: doubted secured since at 0, until at 65000',
      'poll-soon',
      'lock: ended at 65000, then null',
      'stop-reading',
      'note: 1 ended overdue',
      'ended: secured overdue',
    ]);
  });

  it('and without an answer is not given up, because the call that carries it ends by itself', () => {
    expect(sequence(...lockSent, [65_000, looked])).toMatchObject({
      last: [],
      state: { active: { phase: 'sent' } },
    });
  });
});

describe('a command of an earlier process', () => {
  const unlockResumed: readonly Reported[] = [[0, resumed('unsecured', 2_000, 'c-1')]];

  it('is only followed: it is read back at once, and its times count from when it was sent', () => {
    const { state, last } = sequence(...unlockResumed);
    expect(last).toEqual([
      'lock: sent unsecured at -2000, then unsecured',
      'read c-1 after 0, sent 2000 ago',
    ]);
    expect(state).toEqual({
      nextKey: 2,
      evidenceCountsAfter: 0,
      setBackMs: 0,
      waiting: null,
      trailing: null,
      active: {
        key: 1,
        phase: 'accepted',
        target: 'unsecured',
        unanswered: [],
        expiresAt: 998_000,
        retryPauseMs: 0,
        wanted: false,
        sentAt: 998_000,
        issuedAt: 998_000,
        before: 'unknown',
        commandId: 'c-1',
        pendingAt: 998_000,
        pendingSince: 998_000,
        doubted: false,
        resumed: true,
        earlyEnds: [],
      },
    });
  });

  it('without an id from the service is uncertain from the beginning', () => {
    const { state, last } = sequence([0, resumed('unsecured', 2_000, null)]);
    expect(last).toEqual([
      'lock: sent unsecured at -2000, then unsecured',
      'stop-reading',
      'poll-soon',
      'lock: doubted unsecured since at -2000, until at 8000',
    ]);
    expect(state.active?.phase).toBe('uncertain');
  });

  it('is not taken over beside a command of this process', () => {
    const { state } = sequence(...unlockSent);
    expect(sequence(...unlockSent, [10, resumed('secured', 2_000, 'c-2')])).toMatchObject({
      state,
      last: [],
    });
  });

  it('that has succeeded proves no position: the bolt may have been turned since', () => {
    expect(sequence(...unlockResumed, [600, readBack(400, SUCCESS)]).last).toEqual([
      'lock: doubted unsecured since at -2000, until at 8000',
      'poll-soon',
      'lock: ended at 600, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
    ]);
  });

  it('proves a position by an event, which is dated, and after it was seen pending', () => {
    expect(sequence(...unlockResumed, [600, endReported(400, SUCCESS)]).last[0]).toBe(
      'lock: completed unsecured, proven since at 400, at 600, then null',
    );
    expect(
      sequence(...unlockResumed, [200, readBack(100, PENDING)], [600, readBack(400, SUCCESS)]).last[0],
    ).toBe('lock: completed unsecured, proven since at 100, at 600, then null');
  });

  it('that met a busy lock is not sent again, because no caller here asked for it', () => {
    const { state, last } = sequence(...unlockResumed, [600, readBack(400, failure('lock-busy'))]);
    expect(state.waiting).toBeNull();
    expect(last.filter((line) => line.startsWith('answer') || line.startsWith('send'))).toEqual([]);
  });
});

describe('a lock that is given up', () => {
  it.each<[string, readonly Reported[], readonly string[]]>([
    ['nothing', [], ['stop-reading']],
    [
      'an unsent command drops it',
      [[0, tap('unsecured')]],
      [
        'answer 1: unsecured closed',
        'stop-reading',
        'note: 1 ended unsent',
        'ended: unsecured unsent',
        'lock: request-dropped',
      ],
    ],
    [
      'a sent one leaves it open in the journal',
      unlockSent,
      ['answer 1: unsecured uncertain', 'lock: ended at 300, then null', 'stop-reading'],
    ],
    [
      'one that waits behind another drops that one',
      [...lockAccepted, [200, tap('unsecured', 2)]],
      ['answer 2: unsecured closed', 'lock: ended at 300, then null', 'stop-reading'],
    ],
  ])('with %s', (_, before, reported) => {
    const { state, last } = sequence(...before, [300, closed]);
    expect(last).toEqual(reported);
    expect([state.active, state.waiting]).toEqual([null, null]);
  });
});

describe('a bolt that is seen at its target while the command is under way', () => {
  it('ends "lock", also before its answer', () => {
    expect(sequence(...lockSent, [200, looked, seen('secured', 1)]).last).toEqual([
      'answer 1: secured accepted',
      'poll-soon',
      'lock: ended at 200, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: secured moved',
    ]);
  });

  it('ends no unlock before its answer: a hand may have been faster, and the command would still open the bolt', () => {
    const { state, last } = sequence(...unlockSent, [200, looked, seen('unsecured', 1)]);
    expect(last).toEqual([]);
    expect(state.active?.phase).toBe('sent');
  });

  it('ends an unlock without reports, which may still open the bolt for as long as most bolts travel', () => {
    expect(sequence(...unlockSent, [2_900, looked], [3_000, looked, seen('unsecured', 1)]).last).toEqual([
      'answer 1: unsecured accepted',
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 10000',
      'lock: ended at 3000, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
    ]);
  });

  it('before a lost reply ends no unlock: it may still open the bolt for as long as most bolts travel', () => {
    const steps = sequence(...unlockSent, [50, looked, seen('unsecured', 40)], [100, lost()]).last;
    const doubts = steps.lastIndexOf('lock: doubted unsecured since at 0, until at 10000');
    const end = steps.findIndex((step) => step.startsWith('lock: ended'));
    expect(doubts).toBeGreaterThan(-1);
    expect(end).toBeGreaterThan(doubts);
  });

  it('ends an uncertain command, of which nothing can be read', () => {
    const { state, last } = sequence(
      ...unlockAccepted,
      [600, readBackLost()],
      [700, looked, seen('unsecured', 1)],
    );
    expect(last).toEqual([
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 10000',
      'lock: ended at 700, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
    ]);
    expect(state.trailing).toBeNull();
  });

  it.each([
    ['as old as the command', seen('secured', 0)],
    ['of the other position', seen('unsecured', 1)],
    ['of a lock that is gone', null],
  ] as const)('counts for nothing in a report %s', (_, known) => {
    expect(sequence(...lockAccepted, [200, looked, known])).toMatchObject({
      last: [],
      state: { active: { phase: 'accepted' } },
    });
  });

  it('counts for nothing while the command was not sent', () => {
    const { state } = sequence([0, tap('secured'), OPEN], [200, looked, seen('secured', 1)]);
    expect(state.active?.phase).toBe('preparing');
  });

  it('counts for nothing where it was there before, unless the command is uncertain', () => {
    const needless: readonly Reported[] = [
      [0, tap('secured'), LOCKED],
      [0, left()],
    ];
    expect(sequence(...needless, [200, looked, seen('secured', 1)]).state.active?.phase).toBe('sent');
    expect(sequence(...needless, [100, lost()], [200, looked, seen('secured', 1)]).last).toContain(
      'note: 1 ended moved',
    );
    const gone: readonly Reported[] = [
      [0, tap('secured'), OPEN],
      [0, left(), null],
    ];
    expect(sequence(...gone).state.active?.before).toBe('unknown');
    expect(sequence(...gone, [200, looked, seen('secured', 1)]).last).toContain('note: 1 ended moved');
  });
});
