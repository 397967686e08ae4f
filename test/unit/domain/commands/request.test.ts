// Requests for a lock: which one is sent, and when; what a bolt that has arrived early keeps waiting; and what is due when.
import { describe, expect, it } from 'vitest';
import { mayLeave, nextCheckAt, shownTarget } from '../../../../src/domain/commands/machine.ts';
import type { CommandInput } from '../../../../src/domain/commands/state.ts';
import {
  arrival,
  checked,
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
  over,
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

describe('a request', () => {
  it.each([
    ['for a lock that is gone', null, 'lock-missing'],
    ['of a reader', { ...LOCKED, role: 'reader' }, 'role-may-not-command'],
  ] as const)('%s is refused, and drops no earlier request', (_, known, reason) => {
    const before: readonly Reported[] = [...lockAccepted, [200, tap('unsecured', 2)]];
    const { state, last } = sequence(...before, [300, tap('unsecured', 3), known]);
    expect(last).toEqual([`answer 3: unsecured refused ${reason}`]);
    expect(state).toEqual(sequence(...before).state);
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
      [400, checked, known],
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

  it.each([
    ['to unlock has ten seconds from its beginning', tap('unsecured', 1, 4_000), 6_000],
    ['to lock has 65 s from when it was taken in', tap('secured', 1, 4_000), 65_000],
    ['has no more time than its caller gives it', { ...tap('secured'), withinMs: 700 }, 700],
  ] as const)('%s', (_, request, ms) => {
    expect(sequence([0, request]).last[0]).toContain(`within ${ms},`);
  });

  const sentAndOver: readonly Reported[] = [...unlockSent, [100, notProcessed(null)]];
  it.each<[string, readonly Reported[], CommandInput, Known | null, string]>([
    ['as old as the last command', sentAndOver, tap('unsecured', 2), seen('unsecured', 0), 'send'],
    ['younger than it', sentAndOver, tap('unsecured', 2), seen('unsecured', 1), 'answer'],
    ['of "lock", however fresh (faults#114)', [], tap('secured'), seen('secured', 200), 'send'],
    ['of "lock" after a command (faults#114)', sentAndOver, tap('secured', 2), seen('secured', 200), 'send'],
  ])('is sent or fulfilled by evidence %s', (_, before, request, known, does) => {
    expect(sequence(...before, [200, request, known]).last[0]).toMatch(new RegExp(`^${does}`));
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
      ...over('unsent'),
      'lock: requested secured',
    ]);
    expect(sequence(...before, [100, checked]).last).toEqual([
      'send secured as 2, within 65000, issued at 100',
    ]);
  });

  it('waits for a command that was sent, however long it is pending, and shows its own target meanwhile', () => {
    const { state, last } = sequence(...unlockAccepted, [34_999, checked], [34_999, tap('secured', 2)]);
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
      doubt(null),
      'answer 1: unsecured uncertain',
      doubt(45_000),
      'poll-soon',
      arrival(35_000, 'secured'),
      ...over('uncertain'),
    ]);
  });

  it('ends an uncertain command, and is sent at the next step', () => {
    const before: readonly Reported[] = [...unlockSent, [100, lost()], [200, tap('secured', 2)]];
    expect(sequence(...before).last).toEqual(['poll-soon', arrival(200, 'secured'), ...over('uncertain')]);
    expect(sequence(...before, [200, checked]).last).toEqual([
      'send secured as 2, within 65000, issued at 200',
    ]);
  });

  it('is answered as too late while the other command is still under way, at that instant', () => {
    const held: readonly Reported[] = [...lockAccepted, [200, tap('unsecured', 2)]];
    expect(sequence(...held, [10_199, checked]).last).toEqual([]);
    const { state, last } = sequence(...held, [10_200, checked]);
    expect(last).toEqual(['answer 2: unsecured too-late', 'lock: requested secured']);
    expect(state).toMatchObject({ waiting: null, active: { key: 1 } });
  });
});

it('a command that cannot be sent in time is dropped, and its request is answered as too late', () => {
  const { last } = sequence([0, tap('unsecured')], [10_000, checked]);
  expect(last).toEqual(['answer 1: unsecured too-late', ...over('unsent'), 'lock: request-dropped']);
});

describe('a bolt at its target while the service has the command pending', () => {
  const locked: readonly Reported[] = [...lockAccepted, [2_000, checked, seen('secured', 1_500)]];
  const opened: readonly Reported[] = [...unlockAccepted, [2_000, checked, seen('unsecured', 1_500)]];

  it('ends the command, whose own end is still read', () => {
    const { state, last } = sequence(...locked);
    expect(last).toEqual([
      'poll-soon',
      arrival(2_000),
      ...over('moved', 'secured'),
      'read c-1 after 480, sent 2000 ago',
    ]);
    expect(state).toMatchObject({
      active: null,
      trailing: { commandId: 'c-1', target: 'secured', sentAt: START, issuedAt: START, until: START + 3_000 },
    });
    expect(sequence(...unlockAccepted, [2_999, checked, seen('unsecured', 1)]).state.trailing).not.toBeNull();
  });

  const next: readonly Reported[] = [...locked, [2_100, tap('unsecured', 2)]];
  itReports([
    [
      'does not end the travel of an unlock: a hand may have opened the bolt before',
      opened,
      ['poll-soon', ...over('moved'), 'read c-1 after 480, sent 2000 ago', 'lock: request-dropped'],
    ],
    [
      "counts as done 3 s after the service's last report of an unlock",
      [...unlockAccepted, [3_000, checked, seen('unsecured', 1)]],
      ['poll-soon', doubt(10_000), arrival(3_000), ...over('moved')],
    ],
    ['keeps the next request waiting', next, ['lock: requested unsecured']],
    [
      'lets it be sent once the service has ended the command',
      [...next, [2_200, endReported(2_150, SUCCESS)]],
      ['stop-reading', 'send unsecured as 2, within 9900, issued at 2200'],
    ],
    ['keeps it waiting for less than 3 s after the last report', [...next, [2_999, checked]], []],
    [
      'lets it be sent 3 s after the last report',
      [...next, [3_000, checked]],
      ['stop-reading', 'send unsecured as 2, within 9100, issued at 3000'],
    ],
  ]);

  it('lets "lock" be sent once more afterwards, since a hand may have opened the door unseen (faults#114)', () => {
    const again: readonly Reported[] = [...locked, [2_100, tap('secured', 2)]];
    const { state } = sequence(...again);
    expect([state.waiting?.target, state.active]).toEqual(['secured', null]);
    expect(sequence(...again, [2_200, readBack(2_150, SUCCESS)]).last).toContain(
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
    ['a failure', readBack(2_150, failure('lock-silent')), [doubt(10_000)]],
    ['a reading that finds nothing', readBackLost(), [doubt(10_000)]],
  ] as const)('is ended by %s: an unlock has ended, and the lock is read', (_, input, doubted) => {
    expect(sequence(...opened, [2_200, input]).last).toEqual([
      ...doubted,
      'poll-soon',
      arrival(2_200),
      'stop-reading',
    ]);
    expect(sequence(...locked, [2_200, input]).last).toEqual(['stop-reading']);
  });
});

describe('the next wake-up', () => {
  const arrived: readonly Reported[] = [...lockAccepted, [2_000, checked, seen('secured', 1)]];

  it.each<[string, readonly Reported[], number | null]>([
    ['a command that has not left: when it is too late', [[0, tap('unsecured')]], 10_000],
    ['"lock" without an answer: never, the call ends by itself', lockSent, null],
    ['an unlock without an answer: when it is silent', unlockSent, 2_900],
    ['a silent unlock: never again', [...unlockSent, [2_900, checked]], null],
    ['an accepted "lock": when it is overdue', lockAccepted, 35_000],
    ['an accepted unlock: when it is silent', unlockAccepted, 6_000],
    ['a silent one that was accepted: when it is overdue', [...unlockAccepted, [6_000, checked]], 35_000],
    ['an overdue one: when it is given up', [...lockAccepted, [35_000, checked]], 65_000],
    ['an uncertain one: when it is over', [...unlockSent, [100, lost()]], 35_000],
    ['a busy lock: when it is asked again', [...unlockSent, [100, refused('lock-busy')]], 600],
    ['a busy lock: not after it is too late', [...unlockSent, [9_900, refused('lock-busy')]], 10_000],
    [
      'a request behind a command: when it is too late',
      [...lockAccepted, [200, tap('unsecured', 2)]],
      10_200,
    ],
    ['a bolt that has arrived: when pending counts no more', arrived, 3_000],
    ['a request behind that: the same', [...arrived, [2_100, tap('unsecured', 2)]], 3_000],
    ['nothing: never', [], null],
  ])('for %s', (_, before, ms) => {
    expect(nextCheckAt(sequence(...before).state)).toBe(ms === null ? null : START + ms);
  });
});

it('the shown target is reported once: an overdue command that another request follows adds no report', () => {
  const { last } = sequence(...lockAccepted, [35_000, checked], [36_000, tap('secured', 2)]);
  expect(last).toEqual(['lock: requested secured']);
});
