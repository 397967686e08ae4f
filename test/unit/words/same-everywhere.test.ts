// One fact reads the same in the log, on the command line, on a page, in the history and at a broker.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryLines } from '../../../src/cli/history/lines.ts';
import { answered, asked, received } from '../../../src/cli/locks/move-machine.ts';
import { changeLines } from '../../../src/cli/terminal/lock-lines.ts';
import type { CommandOutcome } from '../../../src/domain/commands/command.ts';
import type { RequestRefusal } from '../../../src/domain/commands/intent-policy.ts';
import { isRefusalReason } from '../../../src/domain/commands/refusal.ts';
import type { HistoryWhat } from '../../../src/domain/history/history.ts';
import type { AccessMethod, Accessor } from '../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { type Lock, lockId, type Presence, unknownLock } from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import type { AlertReport } from '../../../src/domain/webhooks/service-event.ts';
import { describeEnd } from '../../../src/engine/commands/log.ts';
import { answerEvent, outcomeEvent } from '../../../src/features/home-assistant/broker/lock-events.ts';
import { alertLine, logMessages, refusalLine } from '../../../src/homekit/lock/log-messages.ts';
import { viewOf } from '../../../src/panel/views/lock.ts';
import { activityWords } from '../../../src/words/activity.ts';
import { REFUSALS, refusalWords } from '../../../src/words/refusals.ts';
import { capital, sentence } from '../../../src/words/sentence.ts';
import { answerSign } from '../../../web/panel/parts/lock-signs.ts';
import { named } from '../../support/named-lock.ts';

const NAME = 'Front door';
const LOCK = unknownLock(lockId('front'), named(NAME));

/** A lock before and after, as a log and a command line compare it. */
function compared(before: Lock, after: Lock): { readonly log: string; readonly line: string } {
  const log = logMessages(before, after)[0]?.text ?? '';
  const [line = ''] = changeLines(viewOf(before), viewOf(after));
  return { log, line };
}

function historyOf(what: HistoryWhat, by: Accessor): string {
  const entry = { id: '1', at: 0, offsetMinutes: 0, lock: LOCK.id, lockName: NAME, what, by };
  return (entryLines([entry], false)[0] ?? '').slice('2026-04-14 08:15:30 -04:00  '.length);
}

const NOBODY: Accessor = { method: 'other', id: null, name: null };

const MOVES: Readonly<Record<Exclude<AccessMethod, 'own-command'>, string>> = {
  'virtual-key': "unlocked by Ann (the lock's app)",
  'one-touch': 'unlocked by Ann (the button outside)',
  'access-code': 'unlocked by Ann (a code)',
  'auto-relock': 'unlocked by Ann (auto-relock)',
  thumbturn: 'unlocked by Ann (hand)',
  'unlock-button': 'unlocked by Ann (the button inside)',
  'lock-button': 'unlocked by Ann (the button inside)',
  schedule: 'unlocked by Ann (a schedule)',
  platform: 'unlocked by Ann (a smart home)',
  'platform-key': 'unlocked by Ann (a home key)',
  unavailable: 'unlocked by Ann',
  other: 'unlocked by Ann',
};

describe('a move', () => {
  it.each(Object.entries(MOVES))('by %s is "%s" everywhere', (method, words) => {
    const by: Accessor = { method: method as AccessMethod, id: 'x', name: 'Ann' };
    const before = advanceLock(LOCK, { type: 'reported', source: 'poll', at: 1, bolt: 'secured' });
    const event = { type: 'reported', source: 'event', at: 5, bolt: 'unsecured', accessor: by } as const;
    const after = advanceLock(before, event);
    expect(compared(before, after)).toEqual({ log: `${NAME}: ${words}`, line: `${NAME}: ${words}` });
    expect(activityWords({ type: 'bolt', bolt: 'unsecured', move: after.lastMove })).toBe(words);
    expect(historyOf('unsecured', by)).toBe(words);
  });
});

const PRESENCES = [
  ['offline', 'reachable', 'offline'],
  ['reachable', 'offline', 'back online'],
  ['missing', 'reachable', 'removed from the account'],
] as const satisfies readonly (readonly [Presence, Presence, string])[];

describe('a connection', () => {
  it.each(PRESENCES)('that is %s after it was %s is "%s" everywhere', (presence, before, words) => {
    const { log, line } = compared({ ...LOCK, presence: before }, { ...LOCK, presence });
    expect(log.startsWith(`${NAME}: ${words}`)).toBe(true);
    expect(line).toBe(`${NAME}: ${words}`);
    expect(activityWords({ type: 'presence', presence })).toBe(words);
    if (presence !== 'missing') {
      expect(historyOf(presence === 'offline' ? 'offline' : 'online', NOBODY)).toBe(words);
    }
  });
});

const ALERTS: Readonly<Record<AlertReport['type'], string>> = {
  'wrong-code': 'a wrong code was entered',
  'keypad-locked-out': 'the keypad locked itself after wrong codes',
  alarm: 'the alarm sounded',
};

describe('an alert', () => {
  it.each(Object.entries(ALERTS))('%s is "%s" everywhere', (type, words) => {
    const alert = type as AlertReport['type'];
    expect(alertLine(LOCK, alert).text.startsWith(`${NAME}: ${words}`)).toBe(true);
    expect(activityWords({ type: 'alert', alert })).toBe(words);
    expect(historyOf(alert, NOBODY)).toBe(words);
  });
});

const REFUSED: Readonly<Record<RequestRefusal, string>> = {
  'not-linked': 'the account is not connected',
  'remote-unlock-forbidden': 'remote unlock is turned off for this lock',
  'role-may-not-command': 'this account can only view the lock',
  'lock-missing': 'this lock was removed from the account',
  'too-late': 'Homebridge was asleep, so this command expired',
};

describe('a request that is refused', () => {
  it.each(Object.entries(REFUSED))('as %s says "%s" everywhere, and what to do', (reason, why) => {
    const answer = { kind: 'refused', reason: reason as RequestRefusal } as const;
    const said = refusalLine(LOCK, 'secured', answer.reason).text;
    expect(said.startsWith(`${NAME}: couldn’t lock: ${why}. `)).toBe(true);
    const advice = said.slice(`${NAME}: couldn’t lock: ${why}. `.length);
    expect(advice).toMatch(/^[A-Z].*\.$/u);
    expect(answered(asked('secured'), answer).end?.words).toBe(`couldn’t lock: ${why}. ${advice}`);
    expect(answerSign(answer)).toBe(`${capital(why)}. ${advice}`);
    // A broker may keep a command for long, and then nobody was asleep.
    expect(answerEvent('secured', answer)?.words).toBe(
      reason === 'too-late' ? 'This command expired. Try again.' : `${capital(why)}. ${advice}`,
    );
  });
});

describe('the end of a command', () => {
  const reasons = fc.constantFrom(...Object.keys(REFUSALS).filter(isRefusalReason));
  const outcomes: fc.Arbitrary<CommandOutcome> = fc.oneof(
    reasons.map((reason): CommandOutcome => ({ kind: 'refused', reason })),
    reasons.map((reason): CommandOutcome => ({ kind: 'uncertain', reason })),
    fc.constantFrom<CommandOutcome>({ kind: 'uncertain' }, { kind: 'overdue' }),
  );
  const targets = fc.constantFrom<BoltPosition>('secured', 'unsecured');

  it('reads the same in the log, on a page and at a broker', () => {
    fc.assert(
      fc.property(outcomes, targets, (outcome, target) => {
        const words = activityWords({ type: 'command', target, outcome });
        expect(outcomeEvent(target, outcome)?.words).toBe(sentence(words));
        const isBusy = outcome.kind === 'refused' && outcome.reason === 'lock-busy';
        expect(describeEnd(target, outcome)?.startsWith(words) ?? isBusy).toBe(true);
      }),
    );
  });

  it('gives the reason of a refusal on the command line as elsewhere', () => {
    fc.assert(
      fc.property(
        reasons.filter((reason) => reason !== 'lock-busy'),
        targets,
        (reason, target) => {
          const outcome = { kind: 'refused', reason } as const;
          const event = { type: 'command-ended', id: LOCK.id, target, outcome } as const;
          const end = received(answered(asked(target), { kind: 'accepted' }), event).end?.words;
          expect(end).toBe(activityWords({ type: 'command', target, outcome }));
          expect(end).toContain(refusalWords(reason));
        },
      ),
    );
  });
});
