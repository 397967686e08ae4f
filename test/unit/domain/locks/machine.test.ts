// The lock machine: every event in the states that matter, and the promises that hold for any history.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltPosition, BoltState } from '../../../../src/domain/locks/bolt.ts';
import type { LockEvent, Reported } from '../../../../src/domain/locks/event.ts';
import {
  boltOf,
  isOnlyFresher,
  type Lock,
  type LockDescription,
  lockId,
  unknownLock,
} from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';

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
const sent = (target: BoltPosition, at: number): LockEvent => ({ type: 'command-sent', target, at });

/** Each fact that a report can carry, with a value that a lock does not have at first. */
const FACTS: Required<Omit<Reported, 'type' | 'source' | 'at' | 'boltAt' | 'accessor'>> = {
  bolt: 'unsecured',
  connected: false,
  battery: { grade: 'low', percent: 12 },
  device: { type: 'lever', createdAt: 3, variableLengthCodes: true, offsetMinutes: 60 },
  wifiDbm: -70,
  description: { ...description, name: 'Back door' },
};

describe('a report', () => {
  it.each(Object.entries(FACTS))('of its %s alone changes the lock, once', (name, value) => {
    const report = { type: 'reported', source: 'event', at: 5, [name]: value } as Reported;
    const lock = advanceLock(fresh, report);
    expect(lock).not.toBe(fresh);
    expect(advanceLock(lock, report)).toEqual(lock);
  });
});

describe('a report without news', () => {
  const known = fold([poll('secured', 10, { battery: { grade: 'low', percent: 12 } })]);
  const asked = advanceLock(known, { type: 'requested', target: 'unsecured' });

  it.each<[string, Lock, LockEvent]>([
    ['a request for the target that it has', asked, { type: 'requested', target: 'unsecured' }],
    ['the end of a request that there is not', known, { type: 'request-dropped' }],
    ['an absence from before the last report', known, { type: 'missed', at: 9 }],
  ])('of %s keeps the reference of the lock', (_, lock, event) => {
    expect(advanceLock(lock, event)).toBe(lock);
  });

  it('of the same battery keeps the reference of the lock', () => {
    const battery = { grade: 'low', percent: 12 } as const;
    expect(advanceLock(known, poll('secured', 11, { battery })).battery).toBe(known.battery);
    expect(advanceLock(known, poll('secured', 11, { battery: { ...battery, percent: 11 } })).battery).toEqual(
      {
        grade: 'low',
        percent: 11,
      },
    );
    const normal = { grade: 'normal', percent: 12 } as const;
    expect(advanceLock(known, poll('secured', 11, { battery: normal })).battery).toEqual(normal);
  });
});

describe('two reports of one instant', () => {
  const by = (name: string): Partial<Reported> => ({
    source: 'event',
    accessor: { method: 'access-code', id: null, name },
  });

  it('of battery and connection: the later to arrive counts, and an older one never does', () => {
    const known = fold([poll('secured', 10, { battery: { grade: 'normal', percent: 80 } })]);
    const low = { battery: { grade: 'low', percent: 12 }, connected: false } as const;
    const same = advanceLock(known, poll('secured', 10, low));
    expect([same.battery.grade, same.presence]).toEqual(['low', 'offline']);
    const older = advanceLock(known, poll('secured', 9, low));
    expect([older.battery.grade, older.presence]).toEqual(['normal', 'reachable']);
  });

  it('of a move: the first to arrive counts', () => {
    const moved = fold([
      poll('secured', 5, by('Ann')),
      poll('secured', 5, by('Ben')),
      poll('secured', 4, by('Eve')),
    ]);
    expect(moved.lastMove?.by.name).toBe('Ann');
    expect(advanceLock(moved, poll('secured', 6, by('Ben'))).lastMove?.by.name).toBe('Ben');
  });
});

describe('a lock that the account no longer lists', () => {
  const missing = fold([poll('secured', 10), { type: 'missed', at: 20 }]);

  it('is missing from the instant of a listing without it', () => {
    expect([missing.presence, fold([poll('secured', 10), { type: 'missed', at: 10 }]).presence]).toEqual([
      'missing',
      'missing',
    ]);
  });

  it('is back by a listing, with or without its connection, and by no event', () => {
    const { connected: _, ...silent } = poll('secured', 30);
    expect(advanceLock(missing, silent).presence).toBe('reachable');
    expect(advanceLock(missing, poll('secured', 30, { connected: false })).presence).toBe('offline');
    expect(advanceLock(missing, poll('secured', 30, { source: 'event' })).presence).toBe('missing');
  });
});

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

  it('keeps its position while a command travels, and shows its target', () => {
    const travelling = fold([poll('unsecured', 1), sent('secured', 2), poll('unsecured', 3)]);
    expect([boltOf(travelling), travelling.target]).toEqual(['unsecured', 'secured']);
  });

  it('stays where the command brought it when a poll from before the end is answered late', () => {
    const arrived = fold([
      poll('unsecured', 1),
      sent('secured', 2),
      { type: 'command-completed', target: 'secured', provenSince: 3, at: 6, next: null },
      poll('unsecured', 5),
    ]);
    expect([boltOf(arrived), arrived.target]).toEqual(['secured', null]);
  });

  it('that was turned back after the command is seen by the next poll', () => {
    const turned = fold([
      poll('unsecured', 1),
      sent('secured', 2),
      { type: 'command-completed', target: 'secured', provenSince: 3, at: 6, next: null },
      poll('unsecured', 7),
    ]);
    expect(boltOf(turned)).toBe('unsecured');
  });

  it("turned by hand while a command travels takes the hand's position from the event, which the older proof does not undo", () => {
    const turned = fold([
      poll('unsecured', 1),
      sent('secured', 2),
      { type: 'reported', source: 'event', at: 4, bolt: 'unsecured' },
      { type: 'command-completed', target: 'secured', provenSince: 3, at: 6, next: null },
    ]);
    expect(boltOf(turned)).toBe('unsecured');
  });

  it('jams on a failed command, through "Unknown", until it rests again (faults#26)', () => {
    const jammed = fold([
      poll('unsecured', 1),
      sent('secured', 2),
      { type: 'command-ended', at: 4, jammed: true, next: null },
      poll('unknown', 5),
    ]);
    expect([boltOf(jammed), jammed.target]).toEqual(['jammed', null]);
    expect(boltOf(advanceLock(jammed, poll('unsecured', 3)))).toBe('jammed');
    expect(boltOf(advanceLock(jammed, poll('unsecured', 6)))).toBe('unsecured');
  });

  it('stays fresh by echoes of its departure, and learns nothing from them', () => {
    const echoed = fold([poll('unsecured', 1), sent('secured', 2), poll('unsecured', 50)]);
    expect(boltOf(advanceLock(echoed, { type: 'aged', staleBefore: 40 }))).toBe('unsecured');
    expect(boltOf(advanceLock(echoed, { type: 'aged', staleBefore: 51 }))).toBe('unknown');
  });

  it('with an unknown position at the departure learns it from an echo, and no more', () => {
    const learned = fold([sent('unsecured', 2), poll('secured', 5)]);
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
    // And so is a turn at the door that an event reported.
    const turned = fold([
      sent('unsecured', 2),
      { type: 'reported', source: 'event', at: 4, bolt: 'unsecured' },
      poll('secured', 5),
    ]);
    expect(boltOf(turned)).toBe('unsecured');
  });

  it('with an unknown position at the departure learns nothing from an echo without a position', () => {
    expect(boltOf(fold([sent('unsecured', 2), poll('unknown', 5)]))).toBe('unknown');
    const jam: LockEvent = { type: 'reported', source: 'event', at: 1, bolt: 'jammed' };
    expect(boltOf(fold([jam, sent('unsecured', 2), poll('secured', 5)]))).toBe('jammed');
  });

  it('goes stale with age and is fresh again with the next report', () => {
    const old = fold([poll('secured', 1), { type: 'aged', staleBefore: 2 }]);
    expect(boltOf(old)).toBe('unknown');
    expect(boltOf(advanceLock(old, poll('secured', 3)))).toBe('secured');
  });

  it('is missing after a listing without it, and back with one that names it, whatever events come', () => {
    const missing = fold([poll('secured', 1), { type: 'missed', at: 2 }]);
    const reported = { type: 'reported', source: 'event', at: 3, bolt: 'secured' } as const;
    const after = [
      reported,
      { ...reported, connected: true },
      { ...reported, connected: false },
      poll('secured', 3),
    ];
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

  it('keeps its reference when an event is reported twice', () => {
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

describe('a listing that repeats the known state', () => {
  const quiet = fold([poll('secured', 1)]);

  it('makes a lock only fresher', () => {
    const again = advanceLock(quiet, poll('secured', 31));
    expect(again).not.toBe(quiet);
    expect(isOnlyFresher(quiet, again)).toBe(true);
  });

  it('does the same when a command is sent that was requested before', () => {
    const requested = advanceLock(quiet, { type: 'requested', target: 'unsecured' });
    expect(isOnlyFresher(requested, advanceLock(requested, sent('unsecured', 5)))).toBe(true);
  });

  it.each<[string, LockEvent]>([
    ['another position', poll('unsecured', 31)],
    [
      'a word of who moved the bolt',
      { ...poll('secured', 31), accessor: { method: 'thumbturn', id: null, name: null } },
    ],
    ['a lost connection', { ...poll('secured', 31), connected: false }],
    ['another battery', { ...poll('secured', 31), battery: { grade: 'low', percent: 9 } }],
    ['a request', { type: 'requested', target: 'unsecured' }],
    ['an absence', { type: 'missed', at: 31 }],
    ['old age', { type: 'aged', staleBefore: 30 }],
    [
      'a command that proved the same',
      { type: 'command-completed', target: 'secured', provenSince: 31, at: 32, next: null },
    ],
  ])('does more than that when it brings %s', (_, event) => {
    expect(isOnlyFresher(quiet, advanceLock(quiet, event))).toBe(false);
  });
});

describe('a sleep of the machine', () => {
  const doubted = { type: 'command-doubted', target: 'unsecured', since: 100, until: 200 } as const;

  it.each([
    ['while an unlock may still open the bolt, prolongs that', 5_190, 'unknown'],
    ['that began after it could, changes nothing', 5_200, 'secured'],
  ] as const)('%s', (_, at, shown) => {
    const lock = fold([
      poll('secured', 1),
      sent('unsecured', 100),
      doubted,
      { type: 'slept', ms: 5_000, at },
    ]);
    expect(boltOf(advanceLock(lock, poll('secured', 5_195)))).toBe(shown);
  });
});

describe('a report without news for a part of a lock', () => {
  const known = fold([poll('secured', 10, { wifiDbm: -70, device: FACTS.device })]);
  const silent: Reported = { type: 'reported', source: 'event', at: 11 };

  it('keeps all parts that it leaves out, and every part that is the same', () => {
    expect(advanceLock(known, silent)).toBe(known);
    expect(advanceLock(known, { ...silent, wifiDbm: -70, device: { ...FACTS.device } })).toBe(known);
    expect(advanceLock(known, { ...silent, wifiDbm: -71 })).toEqual({ ...known, wifiDbm: -71 });
    expect(advanceLock(known, { ...silent, wifiDbm: null }).wifiDbm).toBeNull();
  });

  it('keeps the reference of the lock for a known claim', () => {
    expect(advanceLock(known, { ...silent, source: 'poll', at: 10, bolt: 'secured' })).toBe(known);
    const moving = fold([poll('secured', 1), sent('unsecured', 2), poll('secured', 5)]);
    expect(advanceLock(moving, { ...silent, source: 'poll', at: 5, bolt: 'secured' })).toBe(moving);
  });

  it('keeps the last move when it names no position', () => {
    const accessor = { method: 'thumbturn', id: null, name: null } as const;
    const jam = { ...silent, bolt: 'jammed', accessor } as const;
    expect(advanceLock(known, jam).lastMove).toBeNull();
  });
});

describe('the end of a command', () => {
  const unlocking = fold([poll('secured', 1), sent('unsecured', 10)]);
  const completed = (provenSince: number, at = 20): LockEvent => ({
    type: 'command-completed',
    target: 'unsecured',
    provenSince,
    at,
    next: null,
  });
  const jam = (at: number): LockEvent => ({ type: 'command-ended', at, jammed: true, next: 'secured' });

  it('is proven for the instant when it was last pending', () => {
    const lock = advanceLock(unlocking, completed(12));
    expect(lock.belief.latest).toEqual({ source: 'command', bolt: 'unsecured', at: 12 });
    expect([lock.target, lock.inFlight?.until]).toEqual([null, 20]);
  });

  it.each([
    ['after the last word that it was pending: which is older is not known', 13, 'unknown'],
    ['of the same instant as that word: not known either', 12, 'unknown'],
    ['after the command left: a hand may have been last (faults#110)', 11, 'unknown'],
    ['from before the command left: the bolt opened since', 10, 'unsecured'],
  ] as const)('of an unlock is weighed against "locked" %s', (_, at, shown) => {
    // Reported before the command left, by a clock that is ahead.
    const ahead = fold([{ type: 'reported', source: 'event', at, bolt: 'secured' }, sent('unsecured', 10)]);
    const lock = advanceLock(ahead, completed(12));
    expect(boltOf(lock)).toBe(shown);
    expect(lock.belief.latest?.at).toBe(shown === 'unknown' ? 20 : 12);
  });

  it('of "lock" is disputed by no claim of "locked"', () => {
    const ahead = fold([{ type: 'reported', source: 'event', at: 13, bolt: 'secured' }, sent('secured', 10)]);
    const end: LockEvent = { ...completed(12), target: 'secured' } as LockEvent;
    expect(boltOf(advanceLock(ahead, end))).toBe('secured');
  });

  it('of a jam outranks a claim that another clock dates later, and keeps its own time', () => {
    expect(advanceLock(unlocking, jam(15)).belief.latest).toEqual({
      source: 'command',
      bolt: 'jammed',
      at: 15,
    });
    const ahead = fold([
      sent('unsecured', 10),
      { type: 'reported', source: 'event', at: 30, bolt: 'unsecured' },
    ]);
    const jammed = advanceLock(ahead, jam(15));
    expect(jammed.belief.latest).toEqual({ source: 'command', bolt: 'jammed', at: 31 });
    expect([boltOf(jammed), jammed.target, jammed.inFlight?.until]).toEqual(['jammed', 'secured', 15]);
    expect(advanceLock(jammed, jam(15)).belief).toBe(jammed.belief);
    expect(advanceLock(jammed, jam(40)).belief.latest?.at).toBe(40);
    const first = advanceLock(fresh, jam(15));
    expect([first.belief.latest?.at, first.inFlight]).toEqual([15, null]);
  });

  it('counts as it is first reported, and changes nothing twice', () => {
    const end: LockEvent = { type: 'command-ended', at: 20, jammed: false, next: null };
    const ended = advanceLock(unlocking, end);
    expect([ended.target, ended.inFlight?.until]).toEqual([null, 20]);
    expect(boltOf(ended)).toBe('secured');
    expect(advanceLock(ended, { ...end, at: 25 })).toBe(ended);
    const next = advanceLock(ended, { ...end, at: 25, next: 'secured' });
    expect([next.target, next.inFlight?.until]).toEqual(['secured', 20]);
    // The target may be the same before the end of the travel is known.
    const dropped = advanceLock(unlocking, { type: 'request-dropped' });
    expect(advanceLock(dropped, end).inFlight?.until).toBe(20);
    expect(advanceLock(fresh, end)).toBe(fresh);
  });
});

describe('an unlock that may have moved the bolt', () => {
  const unlocking = fold([poll('secured', 1), sent('unsecured', 10)]);
  const doubted = (target: BoltPosition, until: number | null): LockEvent => ({
    type: 'command-doubted',
    target,
    since: 10,
    until,
  });

  it('withdraws "locked" until a reading from after its travel', () => {
    const lock = advanceLock(unlocking, doubted('unsecured', 20));
    expect([boltOf(lock), lock.inFlight?.until]).toEqual(['unknown', 20]);
    expect(boltOf(advanceLock(lock, poll('secured', 20)))).toBe('unknown');
    expect(boltOf(advanceLock(lock, poll('secured', 21)))).toBe('secured');
  });

  it('goes on travelling where its end is not known', () => {
    const lock = advanceLock(unlocking, doubted('unsecured', null));
    expect([boltOf(lock), lock.inFlight]).toEqual(['unknown', unlocking.inFlight]);
    expect(advanceLock(lock, doubted('unsecured', null))).toBe(lock);
    expect(advanceLock(lock, doubted('unsecured', 20)).inFlight?.until).toBe(20);
  });

  it('is no command to lock, which withdraws nothing', () => {
    const locking = fold([poll('unsecured', 1), sent('secured', 10)]);
    const lock = advanceLock(locking, doubted('secured', 20));
    expect([boltOf(lock), lock.belief, lock.inFlight?.until]).toEqual(['unsecured', locking.belief, 20]);
  });

  it.each<[string, readonly LockEvent[], number | null]>([
    ['after an unlock: as long as that may open it', [sent('unsecured', 10), doubted('unsecured', 20)], 20],
    ['after an unlock that travels: not known', [sent('unsecured', 10)], null],
    ['after a command to lock: nothing', [sent('secured', 10), doubted('secured', 20)], null],
    [
      'after an unlock and a command to lock: as long as the unlock may',
      [sent('unsecured', 10), doubted('unsecured', 20), sent('secured', 11), doubted('secured', 21)],
      20,
    ],
    [
      'after two unlocks: as long as either may',
      [sent('unsecured', 10), doubted('unsecured', 20), sent('unsecured', 11), doubted('unsecured', 21)],
      21,
    ],
    [
      'after two unlocks, the second refused as busy: as long as the first may',
      [
        sent('unsecured', 10),
        doubted('unsecured', 20),
        sent('unsecured', 11),
        { type: 'command-ended', at: 12, jammed: false, next: null },
      ],
      20,
    ],
  ])('reaches into the next command %s', (_, events, until) => {
    expect(fold([...events, sent('secured', 30)]).inFlight?.mayOpenUntil).toBe(until);
  });

  it('of an earlier process counts like one of this process', () => {
    const recalled: LockEvent = { type: 'unlock-recalled', at: 10, until: 20 };
    const lock = fold([poll('secured', 5), recalled]);
    expect(lock.inFlight).toEqual({ target: 'unsecured', before: 'unknown', from: 10, until: 20 });
    expect([boltOf(lock), lock.target]).toEqual(['unknown', null]);
    expect(boltOf(advanceLock(lock, poll('secured', 21)))).toBe('secured');
  });

  it('of an earlier process is forgotten once a command was sent at the same instant or later', () => {
    const recalled: LockEvent = { type: 'unlock-recalled', at: 10, until: 20 };
    for (const from of [10, 11]) {
      const lock = fold([poll('unsecured', 5), sent('secured', from)]);
      expect(advanceLock(lock, recalled)).toBe(lock);
    }
    expect(fold([sent('secured', 9), recalled]).inFlight?.from).toBe(10);
  });
});

describe('a lock that was left unlocked', () => {
  it('has its beginning marked, until it is locked', () => {
    const lock = advanceLock(fresh, { type: 'left-unlocked', since: 5 });
    expect(lock).toEqual({ ...fresh, leftUnlockedSince: 5 });
    expect(advanceLock(lock, { type: 'left-unlocked', since: 5 })).toBe(lock);
    expect(advanceLock(lock, { type: 'left-unlocked', since: null })).toEqual(fresh);
  });
});

describe('an echo of the departure', () => {
  it('proves where the bolt was, and so what the next echoes repeat', () => {
    const learned = fold([sent('unsecured', 2), poll('secured', 5)]);
    expect(learned.inFlight?.before).toBe('secured');
    expect(boltOf(advanceLock(learned, poll('jammed', 6)))).toBe('jammed');
  });

  it('confirms no belief that it does not repeat', () => {
    const doubted: LockEvent = { type: 'command-doubted', target: 'unsecured', since: 2, until: null };
    const lock = fold([poll('secured', 1), sent('unsecured', 2), doubted]);
    expect(advanceLock(lock, poll('secured', 50)).belief).toBe(lock.belief);
  });
});

describe('a change of time', () => {
  const moving = fold([poll('secured', 1), sent('unsecured', 100)]);
  const slept = (ms: number, at: number): LockEvent => ({ type: 'slept', ms, at });

  it('by which nothing becomes stale changes nothing', () => {
    expect(advanceLock(fresh, { type: 'aged', staleBefore: 5 })).toBe(fresh);
    expect(advanceLock(moving, { type: 'aged', staleBefore: 1 })).toBe(moving);
  });

  it('by a sleep prolongs only what had not run out before the sleep', () => {
    expect(advanceLock(fresh, slept(50, 300))).toBe(fresh);
    expect(advanceLock(moving, slept(50, 300))).toBe(moving);
    const until = { ...moving.inFlight, until: 200, mayOpenUntil: 250 } as Lock['inFlight'];
    const lock: Lock = { ...moving, inFlight: until };
    expect(advanceLock(lock, slept(50, 249)).inFlight).toMatchObject({ until: 250, mayOpenUntil: 300 });
    expect(advanceLock(lock, slept(50, 250)).inFlight).toMatchObject({ until: 200, mayOpenUntil: 300 });
    expect(advanceLock(lock, slept(50, 300))).toBe(lock);
  });

  it('by a clock that is set back dates earlier only what lies ahead of the clock', () => {
    const accessor = { method: 'thumbturn', id: null, name: null } as const;
    const battery = { grade: 'low', percent: 12 } as const;
    const known = fold([poll('unsecured', 90, { accessor, battery }), sent('secured', 95)]);
    const lock: Lock = {
      ...known,
      inFlight: { ...known.inFlight, until: 96, mayOpenUntil: 97 } as Lock['inFlight'],
    };
    expect(advanceLock(lock, { type: 'clock-set-back', byMs: 30, latest: 89 })).toEqual({
      ...lock,
      belief: {
        latest: { source: 'poll', bolt: 'unsecured', at: 60 },
        rest: { source: 'poll', bolt: 'unsecured', at: 60 },
        jam: null,
        confirmedAt: 60,
        stale: false,
      },
      presenceAt: 60,
      batteryAt: 60,
      inFlight: { target: 'secured', before: 'unsecured', from: 65, until: 66, mayOpenUntil: 67 },
      lastMove: { to: 'unsecured', by: accessor, at: 60 },
    });
    expect(advanceLock(lock, { type: 'clock-set-back', byMs: 30, latest: 97 })).toEqual(lock);
    expect(advanceLock(lock, { type: 'clock-set-back', byMs: 30, latest: 90 })).toEqual({
      ...lock,
      inFlight: { target: 'secured', before: 'unsecured', from: 65, until: 66, mayOpenUntil: 67 },
    });
  });

  it('by a clock that is set back dates a confirmation from ahead earlier, though the confirmed claim is not ahead (faults#112)', () => {
    const known = fold([poll('secured', 90)]);
    const lock: Lock = { ...known, belief: { ...known.belief, confirmedAt: 120 } };
    expect(advanceLock(lock, { type: 'clock-set-back', byMs: 30, latest: 100 }).belief).toEqual({
      ...known.belief,
      confirmedAt: 90,
    });
    expect(advanceLock(known, { type: 'clock-set-back', byMs: 30, latest: 100 }).belief).toEqual(
      known.belief,
    );
  });

  it('by a clock that is set back leaves unknown dates unchanged', () => {
    expect(advanceLock(fresh, { type: 'clock-set-back', byMs: 30, latest: 5 })).toEqual(fresh);
    expect(advanceLock(moving, { type: 'clock-set-back', byMs: 30, latest: 5 }).inFlight).toEqual({
      target: 'unsecured',
      before: 'secured',
      from: 70,
      until: null,
      mayOpenUntil: null,
    });
  });
});
