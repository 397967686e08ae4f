// Requests for a lock: which one is sent, and when; what a bolt that has arrived early keeps waiting; and what is due when.
import { describe, expect, it } from 'vitest';
import { mayLeave, nextLookAt, shownTarget } from '../../../../src/domain/commands/machine.ts';
import { IDLE } from '../../../../src/domain/commands/state.ts';
import {
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
  PENDING,
  type Reported,
  readBack,
  readBackLost,
  refused,
  replied,
  START,
  SUCCESS,
  seen,
  sequence,
  tap,
  unlockAccepted,
  unlockSent,
} from '../../../support/command-sequence.ts';

const fresh = { ...LOCKED, claimedAt: START, confirmedAgoMs: 0 };

describe('a request', () => {
  it.each([
    ['for a lock that is gone', null, 'lock-missing'],
    ['of an account that is not linked', { ...LOCKED, linked: false }, 'not-linked'],
    [
      'to unlock, where only a hand may',
      { ...LOCKED, rules: { remoteUnlock: false, force: false } },
      'remote-unlock-forbidden',
    ],
    ['of a reader', { ...LOCKED, role: 'reader' }, 'role-may-not-command'],
  ] as const)('%s is refused, and drops no earlier request', (_, known, reason) => {
    const before: readonly Reported[] = [...lockAccepted, [200, tap('unsecured', 2)]];
    const { state } = sequence(...before);
    const { state: after, last } = sequence(...before, [300, tap('unsecured', 3), known]);
    expect(last).toEqual([`answer 3: unsecured refused ${reason}`]);
    expect(after).toEqual(state);
  });

  it.each([
    ['for a lock that is gone', null, 'refused lock-missing'],
    ['of a reader', { ...LOCKED, role: 'reader' }, 'refused role-may-not-command'],
    ['for what a hand has done meanwhile', seen('unsecured', 400), 'already'],
  ] as const)('that waited %s is not sent', (_, known, given) => {
    const { state, last } = sequence(
      ...lockAccepted,
      [200, tap('unsecured', 2)],
      [300, endReported(250, failure('parameters-invalid'))],
      [400, looked, known],
    );
    expect(last).toEqual([`answer 2: unsecured ${given}`, 'lock: request-dropped']);
    expect([state.active, state.waiting]).toEqual([null, null]);
  });

  it('to unlock a lock that is freshly unlocked is fulfilled, and drops a request to the contrary', () => {
    expect(sequence([0, tap('unsecured'), seen('unsecured', 0)])).toMatchObject({
      last: ['answer 1: unsecured already'],
      state: { active: null, waiting: null },
    });
    const busy: readonly Reported[] = [...unlockSent, [100, refused('lock-busy')]];
    const { state, last } = sequence(...busy, [200, tap('unsecured', 2), seen('unsecured', 150)]);
    expect(last).toEqual([
      'answer 1: unsecured superseded',
      'answer 2: unsecured already',
      'lock: request-dropped',
    ]);
    expect(state.waiting).toBeNull();
  });

  it('to unlock has ten seconds from its beginning, to lock 65 s from when it was taken in', () => {
    expect(sequence([0, tap('unsecured', 1, 4_000)]).last[0]).toContain('within 6000,');
    expect(sequence([0, tap('secured', 1, 4_000)]).last[0]).toContain('within 65000,');
    expect(sequence([0, { ...tap('secured'), withinMs: 700 } as Reported[1]]).last[0]).toContain(
      'within 700,',
    );
  });
});

describe('evidence that fulfils a request', () => {
  const sentAndOver: readonly Reported[] = [...unlockSent, [100, notProcessed(null)]];

  it.each([
    ['as old as the last command is sent all the same', seen('unsecured', 0), 'send'],
    ['younger than it is fulfilled', seen('unsecured', 1), 'answer'],
  ] as const)('is judged: %s', (_, known, does) => {
    expect(sequence(...sentAndOver, [200, tap('unsecured', 2), known]).last[0]).toMatch(
      new RegExp(`^${does}`),
    );
  });

  it('fulfils no "lock", however fresh it is (faults#114)', () => {
    expect(sequence([0, tap('secured'), fresh]).last[0]).toMatch(/^send secured/);
    expect(sequence(...sentAndOver, [200, tap('secured', 2), seen('secured', 200)]).last[0]).toMatch(/^send/);
  });
});

describe('a request for the target of the command under way', () => {
  it('joins a command without an answer, and prolongs its time', () => {
    const joined: readonly Reported[] = [
      [0, tap('unsecured')],
      [200, tap('unsecured', 2)],
    ];
    const { state, last } = sequence(...joined);
    expect(last).toEqual([]);
    expect(state.active).toMatchObject({ unanswered: [1, 2], expiresAt: START + 10_200 });
    expect(mayLeave(state, 1, START + 10_199)).toBe(true);
    expect(
      sequence(...joined, [300, left()], [400, tap('unsecured', 3)], [500, replied(450)]).last,
    ).toContain('answer 1+2+3: unsecured accepted');
    const shorter = sequence(...joined, [200, tap('unsecured', 3, 9_000)]).state;
    expect(shorter.active?.expiresAt).toBe(START + 10_200);
  });

  it('joins an accepted command and is answered at once', () => {
    expect(sequence(...unlockAccepted, [200, tap('unsecured', 2)]).last).toEqual([
      'answer 2: unsecured joined',
    ]);
  });

  it('makes that command wanted again, and drops the request to the contrary', () => {
    const back: readonly Reported[] = [...lockAccepted, [200, tap('unsecured', 2)], [300, tap('secured', 3)]];
    const { state, last } = sequence(...back);
    expect(last).toEqual([
      'answer 2: unsecured superseded',
      'answer 3: secured joined',
      'lock: requested secured',
    ]);
    expect(state).toMatchObject({ waiting: null, active: { wanted: true } });
    expect(sequence(...back.slice(0, -1)).state.active?.wanted).toBe(false);
  });
});

describe('a request to the contrary', () => {
  it('drops a command that was not sent, at the next step', () => {
    const before: readonly Reported[] = [
      [0, tap('unsecured')],
      [100, tap('secured', 2)],
    ];
    expect(sequence(...before).last).toEqual([
      'answer 1: unsecured superseded',
      'stop-reading',
      'note: 1 ended unsent',
      'ended: unsecured unsent',
      'lock: requested secured',
    ]);
    expect(sequence(...before, [100, looked]).last).toEqual([
      'send secured as 2, within 65000, issued at 100',
    ]);
  });

  it('waits for a command that was sent, however long it is pending, and shows its own target meanwhile', () => {
    const { state, last } = sequence(...unlockAccepted, [34_999, looked], [34_999, tap('secured', 2)]);
    expect(last).toEqual(['lock: requested secured']);
    expect(state).toMatchObject({
      active: { key: 1, wanted: false },
      waiting: { unanswered: [2], expiresAt: START + 99_999, notBefore: START + 34_999, retryPauseMs: 500 },
    });
    expect(shownTarget(state)).toBe('secured');
  });

  it('waits for a command without an answer until that command is 35 s old', () => {
    const { state } = sequence(...unlockSent, [34_999, tap('secured', 2)]);
    expect(state).toMatchObject({ active: { key: 1 }, waiting: { target: 'secured' } });
    expect(sequence(...unlockSent, [35_000, tap('secured', 2)]).last).toEqual([
      'poll-soon',
      'lock: doubted unsecured since at 0, until not known',
      'answer 1: unsecured uncertain',
      'lock: doubted unsecured since at 0, until at 45000',
      'poll-soon',
      'lock: ended at 35000, then secured',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain',
    ]);
  });

  it('ends an uncertain command, and is sent at the next step', () => {
    const before: readonly Reported[] = [...unlockSent, [100, lost()], [200, tap('secured', 2)]];
    expect(sequence(...before).last).toEqual([
      'poll-soon',
      'lock: ended at 200, then secured',
      'stop-reading',
      'note: 1 ended uncertain',
      'ended: unsecured uncertain',
    ]);
    expect(sequence(...before, [200, looked]).last).toEqual([
      'send secured as 2, within 65000, issued at 200',
    ]);
  });

  it('is answered as too late while the other command is still under way, at that instant', () => {
    const held: readonly Reported[] = [...lockAccepted, [200, tap('unsecured', 2)]];
    expect(sequence(...held, [10_199, looked]).last).toEqual([]);
    const { state, last } = sequence(...held, [10_200, looked]);
    expect(last).toEqual(['answer 2: unsecured too-late', 'lock: requested secured']);
    expect(state).toMatchObject({ waiting: null, active: { key: 1 } });
  });
});

describe('a command that cannot be sent in time', () => {
  it('is dropped, and its request is answered as too late', () => {
    expect(sequence([0, tap('unsecured')], [9_999, looked]).last).toEqual([]);
    expect(sequence([0, tap('unsecured')], [10_000, looked]).last).toEqual([
      'answer 1: unsecured too-late',
      'stop-reading',
      'note: 1 ended unsent',
      'ended: unsecured unsent',
      'lock: request-dropped',
    ]);
  });
});

describe('a bolt at its target while the service has the command pending', () => {
  const locked: readonly Reported[] = [...lockAccepted, [2_000, looked, seen('secured', 1_500)]];
  const opened: readonly Reported[] = [...unlockAccepted, [2_000, looked, seen('unsecured', 1_500)]];

  it('ends the command, whose own end is still read', () => {
    expect(sequence(...locked).last).toEqual([
      'poll-soon',
      'lock: ended at 2000, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: secured moved',
      'read c-1 after 480, sent 2000 ago',
    ]);
    expect(sequence(...locked).state).toMatchObject({
      active: null,
      trailing: { commandId: 'c-1', target: 'secured', sentAt: START, issuedAt: START, until: START + 3_000 },
    });
  });

  it('does not end the travel of an unlock: a hand may have opened the bolt before', () => {
    expect(sequence(...opened).last).toEqual([
      'poll-soon',
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
      'read c-1 after 480, sent 2000 ago',
      'lock: request-dropped',
    ]);
  });

  it("counts as done 3 s after the service's last report of the command", () => {
    expect(sequence(...unlockAccepted, [2_999, looked, seen('unsecured', 1)]).state.trailing).not.toBeNull();
    const late = sequence(...unlockAccepted, [3_000, looked, seen('unsecured', 1)]);
    expect(late.state.trailing).toBeNull();
    expect(late.last).toEqual([
      'poll-soon',
      'lock: doubted unsecured since at 0, until at 10000',
      'lock: ended at 3000, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: unsecured moved',
    ]);
    expect(sequence(...lockAccepted, [3_000, looked, seen('secured', 1)]).last).toEqual([
      'poll-soon',
      'lock: ended at 3000, then null',
      'stop-reading',
      'note: 1 ended moved',
      'ended: secured moved',
    ]);
  });

  it('keeps the next request waiting until the service has ended the command', () => {
    const next: readonly Reported[] = [...locked, [2_100, tap('unsecured', 2)]];
    expect(sequence(...next).last).toEqual(['lock: requested unsecured']);
    expect(sequence(...next, [2_200, endReported(2_150, SUCCESS)]).last).toEqual([
      'stop-reading',
      'send unsecured as 2, within 9900, issued at 2200',
    ]);
    expect(sequence(...next, [2_999, looked]).last).toEqual([]);
    expect(sequence(...next, [3_000, looked]).last).toEqual([
      'stop-reading',
      'send unsecured as 2, within 9100, issued at 3000',
    ]);
  });

  it('lets "lock" be sent once more afterwards, since a hand may have opened the door unseen (faults#114)', () => {
    const { state } = sequence(...locked, [2_100, tap('secured', 2)]);
    expect([state.waiting?.target, state.active]).toEqual(['secured', null]);
    expect(sequence(...locked, [2_100, tap('secured', 2)], [2_200, readBack(2_150, SUCCESS)]).last).toContain(
      'send secured as 2, within 64900, issued at 2200',
    );
  });

  it('lasts for as long as the service reports the command as pending, and 3 s more', () => {
    const pending = sequence(...locked, [2_500, readBack(2_400, PENDING)]);
    expect([pending.last, pending.state.trailing?.until]).toEqual([[], START + 5_500]);
  });

  it.each([
    ['the end of another command', endReported(2_150, SUCCESS, 'c-2')],
    ['a reading of another that finds nothing', readBackLost('c-2')],
    ['the answer of a call that has ended', lost()],
    ['a second departure', leaving()],
  ] as const)('is not ended by %s', (_, input) => {
    const { state } = sequence(...locked);
    expect(sequence(...locked, [2_200, input])).toMatchObject({ state, last: [] });
  });

  it.each([
    ['a success', endReported(2_150, SUCCESS), []],
    [
      'a failure',
      readBack(2_150, failure('lock-silent')),
      ['lock: doubted unsecured since at 0, until at 10000'],
    ],
    ['a reading that finds nothing', readBackLost(), ['lock: doubted unsecured since at 0, until at 10000']],
  ] as const)('is ended by %s: an unlock has ended, and the lock is read', (_, input, doubted) => {
    expect(sequence(...opened, [2_200, input]).last).toEqual([
      ...doubted,
      'poll-soon',
      'lock: ended at 2200, then null',
      'stop-reading',
    ]);
    expect(sequence(...locked, [2_200, input]).last).toEqual(['stop-reading']);
  });
});

describe('the next wake-up', () => {
  it.each<[string, readonly Reported[], number | null]>([
    ['a command that has not left: when it is too late', [[0, tap('unsecured')]], 10_000],
    ['"lock" without an answer: never, the call ends by itself', lockSent, null],
    ['an unlock without an answer: when it is silent', unlockSent, 2_900],
    ['a silent unlock: never again', [...unlockSent, [2_900, looked]], null],
    ['an accepted "lock": when it is overdue', lockAccepted, 35_000],
    ['an accepted unlock: when it is silent', unlockAccepted, 6_000],
    ['a silent one that was accepted: when it is overdue', [...unlockAccepted, [6_000, looked]], 35_000],
    ['an overdue one: when it is given up', [...lockAccepted, [35_000, looked]], 65_000],
    ['an uncertain one: when it is over', [...unlockSent, [100, lost()]], 35_000],
    ['a busy lock: when it is asked again', [...unlockSent, [100, refused('lock-busy')]], 600],
    ['a busy lock: not after it is too late', [...unlockSent, [9_900, refused('lock-busy')]], 10_000],
    [
      'a request behind a command: when it is too late, not when it would have its turn',
      [...lockAccepted, [200, tap('unsecured', 2)]],
      10_200,
    ],
    [
      'a bolt that has arrived: when the word that it is pending counts no more',
      [...lockAccepted, [2_000, looked, seen('secured', 1)]],
      3_000,
    ],
    [
      'a request behind that: the same',
      [...lockAccepted, [2_000, looked, seen('secured', 1)], [2_100, tap('unsecured', 2)]],
      3_000,
    ],
  ])('for %s', (_, before, ms) => {
    expect(nextLookAt(sequence(...before).state)).toBe(ms === null ? null : START + ms);
  });

  it('of an idle machine is never', () => {
    expect(nextLookAt(IDLE)).toBeNull();
  });
});

describe('the shown target', () => {
  it.each<[string, readonly Reported[], string | null]>([
    ['of the command', unlockAccepted, 'unsecured'],
    ['of the request behind it', [...lockAccepted, [200, tap('unsecured', 2)]], 'unsecured'],
    ['of no overdue command', [...lockAccepted, [35_000, looked]], null],
    ['of nothing', [], null],
  ])('is that %s', (_, before, target) => {
    expect(shownTarget(sequence(...before).state)).toBe(target);
  });

  it('is reported once: an overdue command that another request follows adds no report', () => {
    const { last } = sequence(...lockAccepted, [35_000, looked], [36_000, tap('secured', 2)]);
    expect(last).toEqual(['lock: requested secured']);
  });
});
