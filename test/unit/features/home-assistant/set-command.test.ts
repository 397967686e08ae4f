// Which commands from a broker are accepted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSetCommand, type SetFacts } from '../../../../src/features/home-assistant/broker/set-command.ts';

const NOW = Date.UTC(2026, 3, 14, 12);

function read(payload: unknown, changes: Partial<SetFacts> = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return readSetCommand({
    payload: payload instanceof Uint8Array ? payload : new TextEncoder().encode(text),
    repeat: null,
    time: { earliest: NOW - 3_000, latest: NOW },
    servedForMs: 3_600_000,
    lastAskedAt: null,
    commands: 'both',
    pinRefusal: () => null,
    ...changes,
  });
}

describe('a command from a broker', () => {
  it.each([
    ['a word alone', 'LOCK', 'secured', NOW - 3_000],
    ['an object without a time', { action: 'lock' }, 'secured', NOW - 3_000],
    ['an unlock with its time', { action: 'unlock', at: NOW - 500 }, 'unsecured', NOW - 500],
    ['a time as text', { action: 'UNLOCK', at: '2026-04-14T13:59:55+02:00' }, 'unsecured', NOW - 5_000],
    [
      'an unlock of now, by a time that is not known exactly',
      { action: 'unlock', at: NOW },
      'unsecured',
      NOW,
    ],
    ['a lock asked an hour ago', { action: 'lock', at: NOW - 3_600_000 }, 'secured', NOW - 3_000],
    ['a lock from the future', { action: 'lock', at: NOW + 3_600_000 }, 'secured', NOW - 3_000],
    ['a lock with a time that is none', { action: 'lock', at: 'now' }, 'secured', NOW - 3_000],
    ['members of a later form', { action: 'lock', at: NOW, from: 'porch' }, 'secured', NOW],
  ])('is read: %s', (_, payload, target, askedAt) => {
    expect(read(payload)).toEqual({ kind: 'command', target, askedAt });
  });

  it.each([
    ['retained, whatever it says', { action: 'lock', at: NOW }, { repeat: 'retained' }, 'retained'],
    ['one that came too early', { action: 'lock', at: NOW }, { repeat: 'too-early' }, 'too-early'],
    ['an unlock without a time', 'UNLOCK', {}, 'no-time'],
    ['an unlock asked 10 s ago', { action: 'unlock', at: NOW - 10_001 }, {}, 'too-old'],
    [
      'an unlock from before the start',
      { action: 'unlock', at: NOW - 3_001 },
      { servedForMs: 0 },
      'before-start',
    ],
    ['an unlock while no time is known', { action: 'unlock', at: NOW }, { time: null }, 'time-unknown'],
    ['one from the future', { action: 'unlock', at: NOW + 2_001 }, {}, 'clock-ahead'],
    ['the same once more', { action: 'unlock', at: NOW - 5 }, { lastAskedAt: NOW - 5 }, 'not-newer'],
    ['one overtaken by a newer', { action: 'unlock', at: NOW - 5 }, { lastAskedAt: NOW }, 'not-newer'],
    ['any, when none is accepted', { action: 'lock', at: NOW }, { commands: 'none' }, 'commands-off'],
    [
      'an unlock, when it is forbidden',
      { action: 'unlock', at: NOW },
      { commands: 'lockOnly' },
      'unlock-off',
    ],
    ['a wrong PIN', { action: 'unlock', at: NOW }, { pinRefusal: () => 'wrong-pin' }, 'wrong-pin'],
    ['no action', { at: NOW }, {}, 'not-understood'],
    ['a time without a zone', { action: 'unlock', at: '2026-04-14T12:00:00' }, {}, 'not-understood'],
    ['a time that is none', { action: 'unlock', at: true }, {}, 'not-understood'],
    ['a list', [{ action: 'lock' }], {}, 'not-understood'],
    ['too long a text', `lock${' '.repeat(1_100)}`, {}, 'not-understood'],
  ] as const)('is refused: %s (faults#102)', (_, payload, changes, reason) => {
    expect(read(payload, changes)).toMatchObject({ kind: 'refused', reason });
  });

  it.each([
    [{ lastAskedAt: NOW + 3_600_000 }],
    [{ time: null, servedForMs: 0 }],
    [{ servedForMs: 0 }],
    [{ commands: 'lockOnly' }],
  ] as const)('to lock is carried out with any former clocks: %o (faults#127)', (changes) => {
    const reading = read({ action: 'lock', at: NOW - 60_000 }, changes);
    expect(reading).toMatchObject({ kind: 'command', target: 'secured' });
  });

  it('that is empty removes a retained message, and carries no command', () => {
    expect(read('')).toBeNull();
  });

  it('to unlock is refused unless its request is less than ten seconds old, with any bytes (faults#102)', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc
        .record({ action: fc.constantFrom('unlock', 'lock', 'UNLOCK'), at: fc.option(fc.double()) })
        .map((value) => new TextEncoder().encode(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(payload, fc.constantFrom(null, 'retained', 'too-early'), (bytes, repeat) => {
        const reading = read(bytes, { repeat });
        if (reading?.kind === 'command' && reading.target === 'unsecured') {
          expect(repeat).toBeNull();
          expect(NOW - (reading.askedAt ?? 0)).toBeLessThanOrEqual(10_000);
          expect(new TextDecoder().decode(bytes)).toContain('at');
        }
      }),
    );
  });
});
