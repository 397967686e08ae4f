// Every way in which a command ends: the reports to its requests, the journal and the lock, word for word.
import { describe, expect, it } from 'vitest';
import { LOCK_MAY_WAIT_MS } from '../../../../src/domain/time/time.ts';
import {
  arrival,
  checked,
  closed,
  doubt,
  endReported,
  failure,
  itReports,
  type Known,
  LOCKED,
  leaving,
  left,
  lockAccepted,
  lockSent,
  lost,
  notProcessed,
  OPEN,
  over,
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

const acceptance = ['note: 1 is c-1', 'answer 1: unsecured accepted', 'read c-1 after 480, sent 0 ago'];

describe('a command from the tap to its answer', () => {
  it('reports its target and its departure to the lock, and its acceptance to the request', () => {
    expect(sequence(...unlockAccepted).all).toEqual([
      'send unsecured as 1, within 10000, issued at 0',
      'lock: requested unsecured',
      'lock: sent unsecured at 0, then unsecured',
      ...acceptance,
    ]);
  });

  it('ignores the answer to another command', () => {
    const { state } = sequence(...unlockSent);
    expect(sequence(...unlockSent, [100, replied(50, PENDING, 2)]).state).toEqual(state);
  });

  it('that is sent once more after a refused token counts from then on', () => {
    const about = sequence(...unlockSent, [500, leaving()]);
    expect([about.state.active?.phase, about.last]).toEqual(['preparing', [arrival(500, 'unsecured')]]);
    const { state, last } = sequence(...unlockSent, [500, leaving()], [600, left()]);
    expect(state.active).toMatchObject({ phase: 'sent', sentAt: 1_000_600, issuedAt: 1_000_600 });
    expect(state.evidenceCountsAfter).toBe(1_000_600);
    expect(last).toEqual(['lock: sent unsecured at 600, then unsecured']);
  });

  it('that is sent once more may have no answer once more, and hides "locked" from between the two, too', () => {
    const again: readonly Reported[] = [...unlockSent, [2_900, checked], [3_000, leaving()], [3_100, left()]];
    expect(sequence(...again, [5_999, checked]).last).toEqual([]);
    expect(sequence(...again, [6_000, checked]).last).toEqual(['poll-soon', doubt(null, 3_100)]);
  });
});

const completed = (since: number, at: number): string =>
  `lock: completed unsecured, proven since at ${since}, at ${at}, then null`;
const contradiction = [doubt(10_000), 'poll-soon', arrival(600), ...over('uncertain claims-success')];

describe('a command that succeeds', () => {
  itReports([
    [
      'within its answer is read at once, like one that is read back',
      [...unlockSent, [100, replied(50, SUCCESS)]],
      [...acceptance, completed(50, 100), 'poll-soon', ...over('moved')],
    ],
    [
      'by a read-back has proven its target since the last word that it was pending',
      [...unlockAccepted, [600, readBack(400, SUCCESS)]],
      [completed(50, 600), 'poll-soon', ...over('moved')],
    ],
    [
      'by a read-back of its target has proven it as well',
      [...unlockAccepted, [600, readBack(400, { state: 'successful', bolt: 'unsecured' })]],
      [completed(50, 600), 'poll-soon', ...over('moved')],
    ],
    [
      'by an event has proven its target since that happened',
      [...unlockAccepted, [600, endReported(400, SUCCESS)]],
      [completed(400, 600), ...over('moved')],
    ],
    [
      'by an event from before the word that it was pending proves no more than that word',
      [...unlockAccepted, [600, endReported(30, SUCCESS)]],
      [completed(50, 600), ...over('moved')],
    ],
    [
      'and reports the other position contradicts itself: it is uncertain (faults#85)',
      [...unlockAccepted, [600, readBack(400, { state: 'successful', bolt: 'secured' })]],
      contradiction,
    ],
    [
      'by an event and reports no position contradicts itself: it is uncertain (faults#85)',
      [...unlockAccepted, [600, endReported(400, { state: 'successful', bolt: 'unknown' })]],
      contradiction,
    ],
  ]);

  it('that is pending for longer than most bolts travel causes one reading of the lock', () => {
    const early: readonly Reported[] = [...lockAccepted, [9_999, readBack(9_900, PENDING)]];
    const travelled: readonly Reported[] = [...early, [12_000, readBack(11_900, PENDING)]];
    expect(sequence(...early).last).toEqual([]);
    expect(sequence(...travelled).last).toEqual(['poll-soon']);
    expect(sequence(...travelled, [16_000, readBack(15_900, PENDING)]).last).toEqual([]);
  });

  it('was pending no later than now, and no earlier than it was sent, whatever the clocks say', () => {
    const pendingSince = (askedMs: number) =>
      sequence(...unlockSent, [100, replied(askedMs)]).state.active?.pendingSince;
    expect([pendingSince(900), pendingSince(-900)]).toEqual([1_000_100, 1_000_000]);
  });

  it.each([
    ['a read-back', readBack(400, SUCCESS, 'c-2')],
    ['an event', endReported(400, SUCCESS, 'c-2')],
    ['a reading that finds nothing', readBackLost('c-2')],
  ])('is not mistaken for another command by %s', (_, input) => {
    const { state } = sequence(...unlockAccepted);
    expect(sequence(...unlockAccepted, [600, input])).toMatchObject({ state, last: [] });
  });

  it('takes the end that was reported before its answer, and not the end of another command', () => {
    const own: Reported = [50, endReported(40, SUCCESS)];
    const other: Reported = [50, endReported(40, failure('bolt-jammed'), 'c-2')];
    for (const ends of [[own], [own, other], [other, own]]) {
      const { last } = sequence(...unlockSent, ...ends, [100, replied(30)]);
      expect(last).toEqual([...acceptance, completed(40, 100), ...over('moved')]);
    }
    expect(sequence(...unlockSent, other, [100, replied(50)]).state.active).toMatchObject({
      phase: 'accepted',
      earlyEnds: [],
    });
  });
});

describe('a command that failed at the service', () => {
  const failed = (reason: Parameters<typeof failure>[0]): readonly Reported[] => [
    ...unlockAccepted,
    [600, readBack(400, failure(reason))],
  ];

  itReports([
    [
      'because of a jammed bolt has the jam reported, and the lock read',
      failed('bolt-jammed'),
      ['lock: ended jammed at 600, then null', 'poll-soon', ...over('refused bolt-jammed')],
    ],
    [
      'for a reason that leaves the position open may open the bolt for as long as most bolts travel',
      failed('lock-silent'),
      [doubt(10_000), 'poll-soon', arrival(600), ...over('uncertain lock-silent')],
    ],
    [
      'for a reason by which nothing moved leaves "locked" as it is',
      failed('parameters-invalid'),
      ['poll-soon', arrival(600), ...over('refused parameters-invalid')],
    ],
  ]);

  it('because the lock was busy is sent again after its acceptance, and its end is only logged', () => {
    const again: readonly Reported[] = [...failed('lock-busy'), [1_099, checked], [1_100, checked]];
    expect(sequence(...again.slice(0, -1)).last).toEqual([]);
    expect(sequence(...again).last).toEqual(['send unsecured as 2, within 8900, issued at 1100']);
    expect(sequence(...again, [1_200, notProcessed(null, 2)]).last).toEqual([
      'answer nobody: unsecured failed x',
      ...over('unsent', 'unsecured', 2),
      'lock: request-dropped',
    ]);
    expect(sequence(...again, [10_000, checked]).last[0]).toBe('answer nobody: unsecured too-late');
    const accepted = sequence(...again, [1_200, left(2)], [1_300, replied(1_250, PENDING, 2)]).last;
    expect(accepted.filter((line) => line.startsWith('answer'))).toEqual([]);
  });
});

describe('a command that the service refuses', () => {
  itReports([
    [
      'fails, and its request is answered once, also where its bolt may have moved',
      [...unlockSent, [100, refused('lock-silent')]],
      [
        'answer 1: unsecured failed x',
        doubt(10_000),
        'poll-soon',
        arrival(100),
        ...over('uncertain lock-silent'),
      ],
    ],
  ]);

  it('because the lock is busy leaves the request waiting, and the lock keeps showing its target', () => {
    const { state, last } = sequence(...unlockSent, [100, refused('lock-busy')]);
    expect(last).toEqual(['poll-soon', arrival(100, 'unsecured'), ...over('refused lock-busy')]);
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
    const { last: next } = sequence(...overtaken, [100, checked]);
    expect(next[0]).toBe('send unsecured as 2, within 9950, issued at 100');
  });
});

describe('a command that certainly was not processed', () => {
  const dropped = ['stop-reading', 'note: 1 ended unsent', arrival(100)];

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
    expect(last).toEqual([arrival(100, 'secured'), ...over('unsent', 'secured')]);
    expect(state.waiting).toMatchObject({ unanswered: [1], notBefore: 1_064_999, expiresAt: 1_065_000 });
    const waited: readonly Reported[] = [...lockSent, [100, notProcessed(400)]];
    expect(sequence(...waited, [499, checked]).last).toEqual([]);
    const { last: next } = sequence(...waited, [500, checked]);
    expect(next).toEqual(['send secured as 2, within 64500, issued at 500']);
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
    expect(last).toEqual(['answer 1: unsecured uncertain', 'stop-reading', 'poll-soon', doubt(10_000)]);
    expect(state.active).toMatchObject({ phase: 'uncertain', unanswered: [], doubted: true });
  });

  const silent = ['poll-soon', doubt(null), 'answer 1: unsecured uncertain'];
  const givenUp = [doubt(35_000), 'poll-soon', arrival(35_000), ...over('uncertain')];
  const unnamed: readonly Reported[] = [...unlockSent, [100, lost()]];
  const named: readonly Reported[] = [...unlockAccepted, [600, readBackLost()]];

  itReports([
    [
      'is uncertain until it is 35 s old: silent for so long, it may have left only after a sleep',
      [...unlockSent, [34_999, lost()]],
      [...silent, 'stop-reading', 'poll-soon', doubt(44_999)],
    ],
    [
      'has ended from then on',
      [...unlockSent, [35_000, lost()]],
      [...silent, doubt(45_000), 'poll-soon', arrival(35_000), ...over('uncertain')],
    ],
    ['is uncertain when a read-back finds nothing', named, ['stop-reading', 'poll-soon', doubt(10_000)]],
    ['lasts for less than 35 s without its id', [...unnamed, [34_999, checked]], []],
    ['ends by itself after 35 s without its id', [...unnamed, [35_000, checked]], givenUp],
    ['lasts for less than 35 s with its id', [...named, [34_999, checked]], []],
    ['ends by itself after 35 s with its id', [...named, [35_000, checked]], givenUp],
  ]);
});

describe('a command without an end', () => {
  const pending: readonly Reported[] = [...unlockAccepted, [500, readBack(400, PENDING)]];
  const overdue: readonly Reported[] = [...lockAccepted, [35_000, checked]];

  itReports([
    [
      'to unlock hides "locked" 6 s after the last report that it is pending',
      [...pending, [6_500, checked]],
      ['poll-soon', doubt(10_000)],
    ],
    ['to unlock hides "locked" once', [...pending, [6_500, checked], [6_600, checked]], []],
    ['to lock hides nothing', [...lockAccepted, [34_999, checked]], []],
    ['is overdue after 35 s: its target follows the truth', overdue, [arrival(35_000), 'poll-soon']],
    ['is overdue once', [...overdue, [64_999, checked]], []],
    [
      'is given up after 65 s',
      [...overdue, [65_000, checked]],
      [doubt(65_000, 0, 'secured'), 'poll-soon', arrival(65_000), ...over('overdue', 'secured')],
    ],
  ]);

  it('and without an answer is not given up, because the call that carries it ends by itself', () => {
    const { state, last } = sequence(...lockSent, [65_000, checked]);
    expect([last, state.active?.phase]).toEqual([[], 'sent']);
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
        unansweredRead: false,
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
      doubt(8_000, -2_000),
    ]);
    expect(state.active?.phase).toBe('uncertain');
  });

  it('is not taken over beside a command of this process', () => {
    const { state } = sequence(...unlockSent);
    const { state: after, last } = sequence(...unlockSent, [10, resumed('secured', 2_000, 'c-2')]);
    expect([after, last]).toEqual([state, []]);
  });

  itReports([
    [
      'that has succeeded proves no position: the bolt may have been turned since',
      [...unlockResumed, [600, readBack(400, SUCCESS)]],
      [doubt(8_000, -2_000), 'poll-soon', arrival(600), ...over('moved')],
    ],
    [
      'proves a position by an event, which is dated',
      [...unlockResumed, [600, endReported(400, SUCCESS)]],
      [completed(400, 600), ...over('moved')],
    ],
    [
      'proves a position after it was seen pending',
      [...unlockResumed, [200, readBack(100, PENDING)], [600, readBack(400, SUCCESS)]],
      [completed(100, 600), 'poll-soon', ...over('moved')],
    ],
  ]);

  it('that met a busy lock is not sent again, because no caller here asked for it', () => {
    const { state, last } = sequence(...unlockResumed, [600, readBack(400, failure('lock-busy'))]);
    expect(state.waiting).toBeNull();
    expect(last.filter((line) => line.startsWith('answer') || line.startsWith('send'))).toEqual([]);
  });
});

it.each<[string, readonly Reported[], readonly string[]]>([
  ['nothing', [], ['stop-reading']],
  [
    'an unsent command drops it',
    [[0, tap('unsecured')]],
    ['answer 1: unsecured closed', ...over('unsent'), 'lock: request-dropped'],
  ],
  ['a sent one leaves it open', unlockSent, ['answer 1: unsecured uncertain', arrival(300), 'stop-reading']],
  [
    'one that waits behind another drops that one',
    [...lockAccepted, [200, tap('unsecured', 2)]],
    ['answer 2: unsecured closed', arrival(300), 'stop-reading'],
  ],
])('a lock that is given up with %s', (_, before, reported) => {
  const { state, last } = sequence(...before, [300, closed]);
  expect(last).toEqual(reported);
  expect([state.active, state.waiting]).toEqual([null, null]);
});

describe('a bolt that is seen at its target while the command is under way', () => {
  itReports([
    [
      'ends "lock", also before its answer',
      [...lockSent, [200, checked, seen('secured', 1)]],
      ['answer 1: secured accepted', 'poll-soon', arrival(200), ...over('moved', 'secured')],
    ],
    [
      'ends no unlock before its answer: a hand may have been faster, and the command would still open the bolt',
      [...unlockSent, [200, checked, seen('unsecured', 1)]],
      [],
    ],
    [
      'ends an unlock without reports, which may still open the bolt for as long as most bolts travel',
      [...unlockSent, [2_900, checked], [3_000, checked, seen('unsecured', 1)]],
      ['answer 1: unsecured accepted', 'poll-soon', doubt(10_000), arrival(3_000), ...over('moved')],
    ],
    [
      'ends an uncertain command, of which nothing can be read',
      [...unlockAccepted, [600, readBackLost()], [700, checked, seen('unsecured', 1)]],
      ['poll-soon', doubt(10_000), arrival(700), ...over('moved')],
    ],
  ]);

  it('before a lost reply ends no unlock: it may still open the bolt for as long as most bolts travel', () => {
    const steps = sequence(...unlockSent, [50, checked, seen('unsecured', 40)], [100, lost()]).last;
    const doubts = steps.lastIndexOf(doubt(10_000));
    const end = steps.findIndex((step) => step.startsWith('lock: ended'));
    expect(doubts).toBeGreaterThan(-1);
    expect(end).toBeGreaterThan(doubts);
  });

  const needless: readonly Reported[] = [
    [0, tap('secured'), LOCKED],
    [0, left()],
  ];
  it.each<[string, readonly Reported[], Known | null, string]>([
    ['as old as the command', lockAccepted, seen('secured', 0), 'accepted'],
    ['of the other position', lockAccepted, seen('unsecured', 1), 'accepted'],
    ['of a lock that is gone', lockAccepted, null, 'accepted'],
    ['before the command was sent', [[0, tap('secured'), OPEN]], seen('secured', 1), 'preparing'],
    ['of where the bolt was before', needless, seen('secured', 1), 'sent'],
  ])('counts for nothing in a report %s', (_, before, known, phase) => {
    const { state, last } = sequence(...before, [200, checked, known]);
    expect([last, state.active?.phase]).toEqual([[], phase]);
  });

  it('ends a command where it was there before, if the command is uncertain, or the lock was gone when it left', () => {
    const gone: readonly Reported[] = [
      [0, tap('secured'), OPEN],
      [0, left(), null],
    ];
    expect(sequence(...gone).state.active?.before).toBe('unknown');
    for (const before of [[...needless, [100, lost()] as const], gone]) {
      expect(sequence(...before, [200, checked, seen('secured', 1)]).last).toContain('note: 1 ended moved');
    }
  });
});
