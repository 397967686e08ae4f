// Which commands on access codes and guests are accepted from a broker.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessFacts,
  readAccessCommand,
} from '../../../../src/features/home-assistant/broker/access-command.ts';

const NOW = Date.UTC(2026, 3, 14, 12);
const WINDOW = { days: ['Monday'], from: '08:00', until: '10:00' };
const ANNA = { action: 'add', at: NOW, name: 'Anna', code: '2468' };

function read(payload: unknown, changes: Partial<AccessFacts> = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return readAccessCommand({
    payload: new TextEncoder().encode(text),
    repeat: null,
    time: { earliest: NOW - 3_000, latest: NOW },
    servedForMs: 3_600_000,
    lastAskedAt: null,
    mayUnlock: () => true,
    pinRefusal: () => null,
    ...changes,
  });
}

describe('a command on access codes', () => {
  it.each([
    [{ action: 'list' }, { action: 'list' }],
    [
      { action: 'remove', at: NOW, id: 'code-1' },
      { action: 'remove', id: 'code-1' },
    ],
    [
      ANNA,
      { action: 'add', draft: { name: 'Anna', pin: '2468', schedule: { kind: 'always' } }, locks: 'all' },
    ],
    [
      { ...ANNA, locks: ['front-1'], schedule: { from: '2026-04-14T12:00Z', until: NOW + 60_000 } },
      {
        action: 'add',
        draft: { name: 'Anna', pin: '2468', schedule: { kind: 'temporary', from: NOW, until: NOW + 60_000 } },
        locks: ['front-1'],
      },
    ],
    [
      { ...ANNA, schedule: { windows: [WINDOW] } },
      {
        action: 'add',
        draft: { name: 'Anna', pin: '2468', schedule: { kind: 'recurring', windows: [WINDOW] } },
        locks: 'all',
      },
    ],
  ])('is read: %o', (payload, command) => {
    expect(read(payload)).toMatchObject({ kind: 'command', command });
  });

  it.each([
    ['retained', ANNA, { repeat: 'retained' }, 'retained'],
    ['too early', ANNA, { repeat: 'too-early' }, 'too-early'],
    ['without a time', { ...ANNA, at: undefined }, {}, 'no-time'],
    ['asked 10 s ago', { ...ANNA, at: NOW - 10_001 }, {}, 'too-old'],
    ['asked before the start', { ...ANNA, at: NOW - 3_001 }, { servedForMs: 0 }, 'before-start'],
    ['that came already', ANNA, { lastAskedAt: NOW }, 'not-newer'],
    [
      'to remove one, that came already',
      { action: 'remove', at: NOW, id: 'x' },
      { lastAskedAt: NOW },
      'not-newer',
    ],
    ['for a lock that may not be unlocked', ANNA, { mayUnlock: () => false }, 'unlock-off'],
    ['with a wrong PIN', ANNA, { pinRefusal: () => 'wrong-pin' }, 'wrong-pin'],
    ['without a name', { ...ANNA, name: undefined }, {}, 'not-understood'],
    ['with a number for a code', { ...ANNA, code: 2468 }, {}, 'not-understood'],
    [
      'with a day that is none',
      { ...ANNA, schedule: { windows: [{ days: ['Mo'], from: '', until: '' }] } },
      {},
      'not-understood',
    ],
    ['with half a time', { ...ANNA, schedule: { from: NOW } }, {}, 'not-understood'],
    ['with locks that are none', { ...ANNA, locks: [1] }, {}, 'not-understood'],
    ['of another kind', { ...ANNA, action: 'clear' }, {}, 'not-understood'],
    ['that is no JSON', 'add', {}, 'not-understood'],
  ] as const)('is refused %s (faults#102)', (_, payload, changes, reason) => {
    expect(read(payload, changes)).toEqual({ kind: 'refused', reason });
  });

  it('adds nothing unless its request is less than ten seconds old, with any bytes (faults#126)', () => {
    const near = fc.integer({ min: NOW - 20_000, max: NOW + 20_000 });
    const payload = fc.record({
      action: fc.constantFrom('add', 'list', 'remove'),
      at: fc.option(fc.oneof(fc.double(), near)),
      name: fc.string(),
      code: fc.string(),
      id: fc.string(),
    });
    fc.assert(
      fc.property(
        fc.oneof(payload, fc.string()),
        fc.constantFrom(null, 'retained', 'too-early'),
        (sent, repeat) => {
          const reading = read(sent, { repeat });
          if (reading?.kind === 'command' && reading.command.action !== 'list') {
            expect(repeat).toBeNull();
            expect(Math.abs(NOW - (reading.askedAt ?? 0))).toBeLessThanOrEqual(10_000);
          }
        },
      ),
    );
  });

  it('that is empty removes a retained message, and carries no command', () => {
    expect(read('')).toBeNull();
  });
});
