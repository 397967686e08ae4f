// Lines about a lock for the log: one per thing that happened, loss once, return once, nothing private.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Accessor } from '../../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import type { LockEvent } from '../../../../src/domain/locks/event.ts';
import { type Lock, lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { lineAbout, logMessages, refusalLine } from '../../../../src/homekit/lock/log-messages.ts';
import { anyText } from '../../../support/any-text.ts';
import { named as description } from '../../../support/named-lock.ts';

function named(name: string): Lock {
  return unknownLock(lockId('a'), description(name));
}

/** The lines that a sequence of events leaves in the log. */
function linesOf(...events: readonly LockEvent[]): readonly string[] {
  let lock = named('Front door');
  return events.flatMap((event) => {
    const previous = lock;
    lock = advanceLock(lock, event);
    return logMessages(previous, lock).map(({ level, text }) => `${level} ${text}`);
  });
}

const polled = (at: number, bolt: BoltPosition): LockEvent => ({
  type: 'reported',
  source: 'poll',
  at,
  bolt,
});
const locked = (at: number): LockEvent => polled(at, 'secured');
const by = (at: number, accessor: Accessor): LockEvent => ({
  type: 'reported',
  source: 'event',
  at,
  bolt: 'unsecured',
  accessor,
});
const HAND: Accessor = { method: 'thumbturn', id: null, name: null };
const polledUnlocked = (at: number): LockEvent => polled(at, 'unsecured');
const CLEANER: Accessor = { method: 'access-code', id: 'x', name: 'Cleaner' };
const connected = (at: number, value: boolean): LockEvent => ({
  type: 'reported',
  source: 'event',
  at,
  connected: value,
});

describe('the log', () => {
  it.each<[string, readonly LockEvent[], readonly string[]]>([
    ['a first position', [locked(1), locked(2)], ['info Front door: locked']],
    [
      'a code, with the name that its owner gave it',
      [by(1, CLEANER)],
      ['info Front door: unlocked by Cleaner (a code)'],
    ],
    [
      'who it was, learned after the position',
      [polledUnlocked(5), by(6, HAND)],
      ['info Front door: unlocked', 'info Front door: unlocked by hand'],
    ],
    [
      'who it was, reported within half a minute after a reading has found it',
      [polledUnlocked(200_000), by(170_000, HAND)],
      ['info Front door: unlocked', 'info Front door: unlocked by hand'],
    ],
    [
      'a move that a reading has found once, where nobody knows who it was',
      [polledUnlocked(5), by(6, { method: 'other', id: null, name: null })],
      ['info Front door: unlocked'],
    ],
    [
      'what was long ago only for the curious, with its time',
      [polledUnlocked(200_000), by(169_999, CLEANER)],
      [
        'info Front door: unlocked',
        'debug Front door: reported late: unlocked by Cleaner (a code) at 1970-01-01T00:02:49.999Z',
      ],
    ],
    [
      'what was undone since only for the curious, with its time',
      [locked(19_000), by(8_000, HAND)],
      [
        'info Front door: locked',
        'debug Front door: reported late: unlocked by hand at 1970-01-01T00:00:08.000Z',
      ],
    ],
    [
      'a command of ours',
      [locked(1), { type: 'command-completed', target: 'unsecured', provenSince: 5, at: 6, next: null }],
      ['info Front door: locked', 'info Front door: unlocked by this plugin'],
    ],
    [
      'a jam and its end',
      [{ type: 'command-ended', at: 1, jammed: true, next: null }, locked(2)],
      [
        'warn Front door: jammed. Close the door fully, check that nothing blocks the bolt, then lock again.',
        'info Front door: locked',
      ],
    ],
    [
      'a loss and a return, each once',
      [locked(1), connected(2, false), connected(3, false), connected(4, true), connected(5, true)],
      [
        'info Front door: locked',
        'warn Front door: offline. Check its Wi-Fi and batteries.',
        'info Front door: back online',
      ],
    ],
    [
      'silence',
      [locked(1), { type: 'aged', staleBefore: 9 }, { type: 'aged', staleBefore: 10 }, locked(11)],
      [
        'info Front door: locked',
        'warn Front door: bolt position unknown: no update for too long',
        'info Front door: locked',
      ],
    ],
    [
      'silence of a lock that is offline, only for the curious',
      [locked(1), connected(2, false), { type: 'aged', staleBefore: 9 }],
      [
        'info Front door: locked',
        'warn Front door: offline. Check its Wi-Fi and batteries.',
        'debug Front door: bolt position unknown: no update for too long',
      ],
    ],
    [
      'an absence',
      [
        { type: 'missed', at: 1 },
        { type: 'missed', at: 1 },
        connected(1, true),
        { type: 'reported', source: 'poll', at: 1, connected: true },
      ],
      [
        "warn Front door: removed from the account. Check in the lock's app.",
        'info Front door: back in the account',
      ],
    ],
    ['nothing of requests', [{ type: 'requested', target: 'secured' }, { type: 'request-dropped' }], []],
  ])('reports %s', (_what, events, lines) => {
    expect(linesOf(...events)).toEqual(lines);
  });

  it.each(['ann@example.org', '4711', '+49 (170) 123-4567', '12 34', ''])(
    'does not repeat %j, which may be private',
    (name) => {
      expect(linesOf(by(1, { method: 'access-code', id: 'x', name }))).toEqual([
        'info Front door: unlocked by a code',
      ]);
    },
  );

  it('says why a request was refused', () => {
    expect(refusalLine(named('Front door'), 'secured', 'role-may-not-command')).toEqual({
      level: 'warn',
      text: 'Front door: couldn’t lock: this account can only view the lock. Ask its owner for access.',
    });
  });

  it('keeps any name on one line (faults#65)', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        expect(lineAbout(named(name), 'info', 'locked').text).toMatch(/^[^\p{Cc}\u2028\u2029]{1,200}$/u);
      }),
    );
  });

  it('calls a lock without a name by a general word', () => {
    expect(lineAbout(named('  '), 'info', 'locked').text).toBe('A lock without a name: locked');
  });
});
