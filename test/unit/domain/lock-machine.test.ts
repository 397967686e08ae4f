// The lock machine: every event in the states that matter, and the promises that hold for any history.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltPosition, BoltState } from '../../../src/domain/bolt.ts';
import {
  boltOf,
  isOnlyFresher,
  type Lock,
  type LockDescription,
  lockId,
  unknownLock,
} from '../../../src/domain/lock.ts';
import type { LockEvent, Reported } from '../../../src/domain/lock-event.ts';
import { advanceLock } from '../../../src/domain/lock-machine.ts';

const description: LockDescription = {
  name: 'Front door',
  model: 'Model-D1',
  serial: '0000A1B2C3',
  firmware: '10.21.0',
  role: 'owner',
};
const fresh = unknownLock(lockId('lock-1'), description);
const poll = (bolt: BoltState, at: number, more: Partial<Reported> = {}): Reported => ({
  type: 'reported',
  source: 'poll',
  at,
  bolt,
  connected: true,
  ...more,
});
const fold = (events: readonly LockEvent[], from: Lock = fresh): Lock => events.reduce(advanceLock, from);
const departed = (target: BoltPosition, at: number): LockEvent => ({ type: 'command-sent', target, at });

const anyEvent: fc.Arbitrary<LockEvent> = fc.oneof(
  fc.record({
    type: fc.constant('reported' as const),
    source: fc.constantFrom('poll' as const, 'command' as const, 'event' as const),
    at: fc.integer({ min: 0, max: 100 }),
    bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
    connected: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('command-sent' as const),
    target: fc.constantFrom<BoltPosition>('secured', 'unsecured'),
    at: fc.integer({ min: 0, max: 100 }),
  }),
  fc.record({
    type: fc.constant('command-ended' as const),
    at: fc.integer({ min: 0, max: 100 }),
    jammed: fc.boolean(),
    next: fc.constantFrom<BoltPosition | null>('secured', 'unsecured', null),
  }),
  fc.record({
    type: fc.constant('requested' as const),
    target: fc.constantFrom<BoltPosition>('secured', 'unsecured'),
  }),
  fc.record({
    type: fc.constant('aged' as const),
    staleBefore: fc.integer({ min: 0, max: 100 }),
  }),
  fc.record({ type: fc.constant('missed' as const), at: fc.integer({ min: 0, max: 100 }) }),
  fc.constant<LockEvent>({ type: 'request-dropped' }),
);

describe('a lock', () => {
  it('follows a turn at the door', () => {
    expect(boltOf(fold([poll('secured', 1), poll('unsecured', 2)]))).toBe('unsecured');
  });

  it('keeps its position while a command travels, and its wish beside it', () => {
    const travelling = fold([poll('unsecured', 1), departed('secured', 2), poll('unsecured', 3)]);
    expect([boltOf(travelling), travelling.target]).toEqual(['unsecured', 'secured']);
  });

  it('stays where the command brought it when a poll from under way is answered late', () => {
    const arrived = fold([
      poll('unsecured', 1),
      departed('secured', 2),
      { type: 'command-completed', target: 'secured', provenSince: 3, at: 6, next: null },
      poll('unsecured', 5),
    ]);
    expect([boltOf(arrived), arrived.target]).toEqual(['secured', null]);
  });

  it('that was turned back after the command is seen by the next poll', () => {
    const turned = fold([
      poll('unsecured', 1),
      departed('secured', 2),
      { type: 'command-completed', target: 'secured', provenSince: 3, at: 6, next: null },
      poll('unsecured', 7),
    ]);
    expect(boltOf(turned)).toBe('unsecured');
  });

  it('turned by hand while a command travels is told by its event, which the older proof does not undo', () => {
    const turned = fold([
      poll('unsecured', 1),
      departed('secured', 2),
      { type: 'reported', source: 'event', at: 4, bolt: 'unsecured' },
      { type: 'command-completed', target: 'secured', provenSince: 3, at: 6, next: null },
    ]);
    expect(boltOf(turned)).toBe('unsecured');
  });

  it('jams on a failed command, through "Unknown", until it rests again (faults#26)', () => {
    const jammed = fold([
      poll('unsecured', 1),
      departed('secured', 2),
      { type: 'command-ended', at: 4, jammed: true, next: null },
      poll('unknown', 5),
    ]);
    expect([boltOf(jammed), jammed.target]).toEqual(['jammed', null]);
    expect(boltOf(advanceLock(jammed, poll('unsecured', 3)))).toBe('jammed');
    expect(boltOf(advanceLock(jammed, poll('unsecured', 6)))).toBe('unsecured');
  });

  it('stays fresh under echoes of its departure, and they teach nothing', () => {
    const echoed = fold([poll('unsecured', 1), departed('secured', 2), poll('unsecured', 50)]);
    expect(boltOf(advanceLock(echoed, { type: 'aged', staleBefore: 40 }))).toBe('unsecured');
    expect(boltOf(advanceLock(echoed, { type: 'aged', staleBefore: 51 }))).toBe('unknown');
  });

  it('of which nothing was known at the departure learns from an echo where it stood then, and no more', () => {
    const learned = fold([departed('unsecured', 2), poll('secured', 5)]);
    expect([boltOf(learned), learned.target]).toEqual(['secured', 'unsecured']);
    expect(learned.belief).toMatchObject({ latest: { bolt: 'secured', at: 2 }, confirmedAt: 5 });
    // What the command brought about is younger than that, however late the echo was asked for.
    const arrived: LockEvent = {
      type: 'command-completed',
      target: 'unsecured',
      provenSince: 2,
      at: 6,
      next: null,
    };
    expect(boltOf(advanceLock(learned, arrived))).toBe('unsecured');
    // And so is a turn at the door of which an event told.
    const turned = fold([
      departed('unsecured', 2),
      { type: 'reported', source: 'event', at: 4, bolt: 'unsecured' },
      poll('secured', 5),
    ]);
    expect(boltOf(turned)).toBe('unsecured');
  });

  it('of which nothing was known at the departure learns nothing from an echo that names no rest', () => {
    expect(boltOf(fold([departed('unsecured', 2), poll('unknown', 5)]))).toBe('unknown');
    const jam: LockEvent = { type: 'reported', source: 'event', at: 1, bolt: 'jammed' };
    expect(boltOf(fold([jam, departed('unsecured', 2), poll('secured', 5)]))).toBe('jammed');
  });

  it('goes stale with age and is fresh again with the next report', () => {
    const old = fold([poll('secured', 1), { type: 'aged', staleBefore: 2 }]);
    expect(boltOf(old)).toBe('unknown');
    expect(boltOf(advanceLock(old, poll('secured', 3)))).toBe('secured');
  });

  it('is missing after a listing without it, and back with one that names it, whatever events tell', () => {
    const missing = fold([poll('secured', 1), { type: 'missed', at: 2 }]);
    const told = { type: 'reported', source: 'event', at: 3, bolt: 'secured' } as const;
    const after = [told, { ...told, connected: true }, { ...told, connected: false }, poll('secured', 3)];
    expect(
      [missing, ...after.map((event) => advanceLock(missing, event))].map(({ presence }) => presence),
    ).toEqual(['missing', 'missing', 'missing', 'missing', 'reachable']);
  });

  it('remembers who moved it last, by the time of the move', () => {
    const accessor = { method: 'thumbturn', id: null, name: null } as const;
    const moved = fold([{ type: 'reported', source: 'event', at: 5, bolt: 'unsecured', accessor }]);
    const late = advanceLock(moved, {
      type: 'reported',
      source: 'event',
      at: 4,
      bolt: 'secured',
      accessor: { method: 'auto-relock', id: null, name: null },
    });
    expect(late.lastMove).toEqual({ to: 'unsecured', by: accessor, at: 5 });
  });

  it('never says secured without a secured report or a command that brought it there', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        if (boltOf(fold(events)) === 'secured') {
          expect(events.some((event) => event.type === 'reported' && event.bolt === 'secured')).toBe(true);
        }
      }),
    );
  });

  it('keeps its reference when an event is told twice', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), anyEvent, (events, last) => {
        const once = advanceLock(fold(events), last);
        if (last.type !== 'command-sent') {
          expect(advanceLock(once, last)).toEqual(once);
        }
      }),
    );
  });
});

describe('a listing that repeats what is known', () => {
  const quiet = fold([poll('secured', 1)]);

  it('makes a lock only fresher', () => {
    const again = advanceLock(quiet, poll('secured', 31));
    expect(again).not.toBe(quiet);
    expect(isOnlyFresher(quiet, again)).toBe(true);
  });

  it('is no less quiet when a command sets out that was wished before', () => {
    const requested = advanceLock(quiet, { type: 'requested', target: 'unsecured' });
    expect(isOnlyFresher(requested, advanceLock(requested, departed('unsecured', 5)))).toBe(true);
  });

  it.each<[string, LockEvent]>([
    ['another position', poll('unsecured', 31)],
    [
      'a word of who moved the bolt',
      { ...poll('secured', 31), accessor: { method: 'thumbturn', id: null, name: null } },
    ],
    ['a lost connection', { ...poll('secured', 31), connected: false }],
    ['another battery', { ...poll('secured', 31), battery: { grade: 'low', percent: 9 } }],
    ['a wish', { type: 'requested', target: 'unsecured' }],
    ['an absence', { type: 'missed', at: 31 }],
    ['old age', { type: 'aged', staleBefore: 30 }],
    [
      'a command that proved the same',
      { type: 'command-completed', target: 'secured', provenSince: 31, at: 32, next: null },
    ],
  ])('does not when it brings %s', (_, event) => {
    expect(isOnlyFresher(quiet, advanceLock(quiet, event))).toBe(false);
  });
});
