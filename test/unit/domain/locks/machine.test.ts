// The lock machine: every event in the states that matter, and the promises that hold for any history.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltPosition, BoltState } from '../../../../src/domain/locks/bolt.ts';
import type { LockEvent, Reported } from '../../../../src/domain/locks/event.ts';
import { boltOf, type Lock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { LISTED_WITHIN_MS } from '../../../../src/domain/time/time.ts';
import {
  after,
  aged,
  BY_HAND,
  completed,
  ended,
  FRESH_LOCK,
  heard,
  missed,
  poll,
  requested,
  sent,
} from '../../../support/lock-events.ts';

/** Every doubted command of these tests but one left at 10. */
const doubted = (target: BoltPosition, until: number | null, since = 10): LockEvent => ({
  type: 'command-doubted',
  target,
  since,
  until,
});
const slept = (ms: number, at: number): LockEvent => ({ type: 'slept', ms, at });

const LOW = { grade: 'low', percent: 12 } as const;

/** Each fact that a report can carry, with a value that a lock does not have at first. */
const FACTS: Required<Omit<Reported, 'type' | 'source' | 'at' | 'boltAt' | 'accessor'>> = {
  bolt: 'unsecured',
  connected: false,
  battery: LOW,
  device: { type: 'lever', createdAt: 3, variableLengthCodes: true, offsetMinutes: 60 },
  wifiDbm: -70,
  description: { ...FRESH_LOCK.description, name: 'Back door' },
};

describe('a report', () => {
  it.each(Object.entries(FACTS))('of its %s alone changes the lock, once', (name, value) => {
    const report = { type: 'reported', source: 'event', at: 5, [name]: value } as Reported;
    const lock = advanceLock(FRESH_LOCK, report);
    expect(lock).not.toBe(FRESH_LOCK);
    expect(advanceLock(lock, report)).toEqual(lock);
  });

  const known = after(poll('secured', 10, { battery: LOW, wifiDbm: -70, device: FACTS.device }));
  const silent: Reported = { type: 'reported', source: 'event', at: 11 };
  const asked = advanceLock(known, requested('unsecured'));
  const moving = after(poll('secured', 1), sent('unsecured', 100));

  it.each<[string, Lock, LockEvent]>([
    ['a request for the target that it has', asked, requested('unsecured')],
    ['the end of a request that there is not', known, { type: 'request-dropped' }],
    ['the end of a command that there is not', FRESH_LOCK, ended(20)],
    ['an absence from before the last report', known, missed(9)],
    ['nothing at all', known, silent],
    ['parts that are the same', known, { ...silent, wifiDbm: -70, device: { ...FACTS.device } }],
    ['a known claim', known, { ...silent, source: 'poll', at: 10, bolt: 'secured' }],
    [
      'a known echo',
      after(poll('secured', 1), sent('unsecured', 2), poll('secured', 5)),
      { ...silent, source: 'poll', at: 5, bolt: 'secured' },
    ],
    ['an age that nothing has', FRESH_LOCK, aged(5)],
    ['an age by which nothing becomes stale', moving, aged(1)],
    ['a sleep without a command', FRESH_LOCK, slept(50, 300)],
    ['a sleep during a command without an end', moving, slept(50, 300)],
  ])('of %s keeps the reference of the lock', (_, lock, event) => {
    expect(advanceLock(lock, event)).toBe(lock);
  });

  it('changes the strength of the signal alone, also to one that is not known', () => {
    expect(advanceLock(known, { ...silent, wifiDbm: -71 })).toEqual({ ...known, wifiDbm: -71 });
    expect(advanceLock(known, { ...silent, wifiDbm: null }).wifiDbm).toBeNull();
  });

  it('of the same battery keeps its reference, and of another one replaces it', () => {
    expect(advanceLock(known, poll('secured', 11, { battery: { ...LOW } })).battery).toBe(known.battery);
    for (const battery of [{ ...LOW, percent: 11 }, { grade: 'normal', percent: 12 } as const]) {
      expect(advanceLock(known, poll('secured', 11, { battery })).battery).toEqual(battery);
    }
  });

  it('of the same instant counts for battery and connection, and an older one never does', () => {
    const normal = after(poll('secured', 10, { battery: { grade: 'normal', percent: 80 } }));
    const low = { battery: LOW, connected: false };
    const same = advanceLock(normal, poll('secured', 10, low));
    expect([same.battery.grade, same.presence]).toEqual(['low', 'offline']);
    const older = advanceLock(normal, poll('secured', 9, low));
    expect([older.battery.grade, older.presence]).toEqual(['normal', 'reachable']);
  });

  it('of a move counts by the time of the move, of one instant the first, and without a position never', () => {
    const by = (name: string) => ({ accessor: { method: 'access-code', id: null, name } as const });
    const moved = after(heard('secured', 5, by('Ann')), heard('secured', 5, by('Ben')));
    const late = advanceLock(moved, heard('unsecured', 4, by('Eve')));
    expect(late.lastMove).toEqual({ to: 'secured', by: by('Ann').accessor, at: 5 });
    expect(advanceLock(moved, heard('secured', 6, by('Ben'))).lastMove?.by.name).toBe('Ben');
    expect(advanceLock(FRESH_LOCK, heard('jammed', 11, { accessor: BY_HAND })).lastMove).toBeNull();
  });
});

describe('a listing of "locked" after an event of "unlocked"', () => {
  const opened = after(poll('secured', 5), heard('unsecured', 10));
  const lags = 10 + LISTED_WITHIN_MS;

  it.each<[string, readonly LockEvent[], BoltState, boolean]>([
    ['may lag behind: "unlocked" stays, disputed', [poll('secured', 11)], 'unsecured', true],
    ['may lag behind for ten seconds', [poll('secured', lags)], 'unsecured', true],
    ['counts after ten seconds', [poll('secured', 11), poll('secured', lags + 1)], 'secured', false],
    ['from before the event disputes nothing', [poll('secured', 9)], 'unsecured', false],
    ['ends with a listing that agrees', [poll('secured', 11), poll('unsecured', 12)], 'unsecured', false],
    [
      'may lag behind after a listing of "unlocked", which may be an old one (faults#184)',
      [poll('unsecured', 11), poll('secured', 12)],
      'unsecured',
      true,
    ],
    [
      'counts after a report of "locked", whatever is listed in between',
      [heard('secured', 11), poll('unsecured', 12), poll('secured', 13)],
      'secured',
      false,
    ],
    [
      'may lag behind though a report of "locked" from before the unlock came late',
      [heard('secured', 9), poll('secured', 12)],
      'unsecured',
      true,
    ],
    ['is no event of "locked", which counts at once', [heard('secured', 11)], 'secured', false],
    ['is no end of a command to lock', [sent('secured', 11), completed('secured', 12, 13)], 'secured', false],
    ['is no other position', [poll('unknown', 11)], 'unknown', false],
    [
      'counts after an event without an order (faults#83)',
      [{ type: 'order-unknown' }, poll('secured', 11)],
      'secured',
      false,
    ],
  ])('%s', (_, events, shown, disputed) => {
    const lock = events.reduce(advanceLock, opened);
    expect([boltOf(lock), lock.belief.disputed]).toEqual([shown, disputed]);
  });

  it('may also have overtaken that event (faults#140), but not for more than ten seconds, and not a later report of "locked"', () => {
    const overtaken = (...before: readonly LockEvent[]): BoltState =>
      boltOf(after(...before, heard('unsecured', 10)));
    expect(overtaken(poll('secured', 11))).toBe('unsecured');
    expect(overtaken(poll('secured', lags))).toBe('unsecured');
    expect(overtaken(poll('secured', lags + 1))).toBe('secured');
    expect(overtaken(heard('secured', 11), poll('secured', 12))).toBe('secured');
    expect(overtaken(poll('secured', 11), poll('unknown', 12))).toBe('unknown');
  });

  it('does not end the travel of a command to lock', () => {
    const locking = advanceLock(opened, sent('secured', 11));
    expect(advanceLock(locking, poll('secured', 12)).inFlight?.until).toBeNull();
  });

  it('is no listing after an event of "locked", which it confirms', () => {
    expect(after(heard('secured', 10), poll('secured', 11)).belief.confirmedAt).toBe(11);
  });

  it('changes nothing twice', () => {
    const lock = advanceLock(opened, poll('secured', 11));
    expect(advanceLock(lock, { type: 'reported', source: 'poll', at: 11, bolt: 'secured' })).toBe(lock);
  });
});

describe('a listing of which a part is missing', () => {
  const leftOut = (at: number): LockEvent => ({ type: 'left-out', at });

  it('makes the lock that it leaves out unknown, unless a later report knows it, and ends no jam (faults#183)', () => {
    const known = after(poll('secured', 10));
    expect(boltOf(advanceLock(known, leftOut(11)))).toBe('unknown');
    expect(boltOf(advanceLock(advanceLock(known, leftOut(11)), poll('secured', 12)))).toBe('secured');
    expect(boltOf(advanceLock(after(heard('secured', 12)), leftOut(11)))).toBe('secured');
    expect(boltOf(after(poll('jammed', 10), leftOut(11)))).toBe('jammed');
  });

  it('brings no lock back that the account no longer lists', () => {
    const missing = after(poll('secured', 10), missed(20), leftOut(30));
    expect(missing.presence).toBe('missing');
  });
});

describe('a move that was read in the history', () => {
  const by = { method: 'access-code', id: null, name: 'Ann' } as const;
  const read = after({ type: 'move-read', to: 'secured', by, at: 10 });

  it.each<[string, LockEvent, number]>([
    ['is not reported again by its late event', heard('secured', 2_010, { accessor: BY_HAND }), 10],
    ['is followed by an event of two seconds later', heard('secured', 2_011, { accessor: BY_HAND }), 2_011],
    ['is followed by an event of another position', heard('unsecured', 11, { accessor: BY_HAND }), 11],
    ['is followed by a later one', { type: 'move-read', to: 'secured', by, at: 11 }, 11],
    ['is not replaced by one of the same instant', { type: 'move-read', to: 'unsecured', by, at: 10 }, 10],
  ])('%s', (_, event, at) => {
    const lock = advanceLock(read, event);
    expect([lock.lastMove?.at, lock.lastMove === read.lastMove]).toEqual([at, at === 10]);
  });
});

describe('a lock that the account no longer lists', () => {
  const missing = after(poll('secured', 10), missed(20));
  const { connected: _, ...silent } = poll('secured', 30);

  it.each<[string, Lock, LockEvent, Lock['presence']]>([
    ['is missing from a listing without it on', after(poll('secured', 10)), missed(10), 'missing'],
    ['is back by a listing', missing, poll('secured', 30), 'reachable'],
    ['is back by a listing without its connection', missing, silent, 'reachable'],
    ['is back by a listing, though offline', missing, poll('secured', 30, { connected: false }), 'offline'],
    ['is not back by an event', missing, heard('secured', 30), 'missing'],
    ['is not back by a connected event', missing, heard('secured', 30, { connected: true }), 'missing'],
    ['is not back by a disconnected event', missing, heard('secured', 30, { connected: false }), 'missing'],
  ])('%s', (_title, lock, event, presence) => {
    expect(advanceLock(lock, event).presence).toBe(presence);
  });
});

const instant = fc.integer({ min: 0, max: 100 });
const position = fc.constantFrom<BoltPosition>('secured', 'unsecured');
const anyEvent: fc.Arbitrary<LockEvent> = fc.oneof(
  fc.record({
    type: fc.constant('reported' as const),
    source: fc.constantFrom('poll' as const, 'command' as const, 'event' as const),
    at: instant,
    bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
    connected: fc.boolean(),
  }),
  fc.tuple(position, instant).map(([target, at]) => sent(target, at)),
  fc.tuple(instant, fc.boolean(), fc.option(position)).map(([at, jammed, next]) => ended(at, jammed, next)),
  position.map(requested),
  instant.map(aged),
  instant.map(missed),
  fc.constant<LockEvent>({ type: 'request-dropped' }),
);

describe('a lock', () => {
  const locking = [poll('unsecured', 1), sent('secured', 2)];
  const arrived = [...locking, completed('secured', 3, 6)];
  const jammed = [...locking, ended(4, true), poll('unknown', 5)];
  const old = [poll('secured', 1), aged(2)];
  const learned = [sent('unsecured', 2), poll('secured', 5)];
  const echoed = [...locking, poll('unsecured', 50)];

  it.each<[string, readonly LockEvent[], BoltState, BoltPosition | null]>([
    ['follows a turn at the door', [poll('secured', 1), poll('unsecured', 2)], 'unsecured', null],
    [
      'keeps its position while a command travels',
      [...locking, poll('unsecured', 3)],
      'unsecured',
      'secured',
    ],
    [
      'stays where the command brought it at a late poll',
      [...arrived, poll('unsecured', 5)],
      'secured',
      null,
    ],
    ['that was turned back after the command is seen', [...arrived, poll('unsecured', 7)], 'unsecured', null],
    [
      "turned by hand while a command travels takes the hand's position, which the older proof does not undo",
      [...locking, heard('unsecured', 4), completed('secured', 3, 6)],
      'unsecured',
      null,
    ],
    ['jams on a failed command, through "Unknown" (faults#26)', jammed, 'jammed', null],
    ['stays jammed at a position from before', [...jammed, poll('unsecured', 3)], 'jammed', null],
    ['is no longer jammed once it rests again', [...jammed, poll('unsecured', 6)], 'unsecured', null],
    ['stays fresh by an echo of its departure', [...echoed, aged(40)], 'unsecured', 'secured'],
    ['learns nothing from such an echo', [...echoed, aged(51)], 'unknown', 'secured'],
    ['learns an unknown position from an echo', learned, 'secured', 'unsecured'],
    ['learns no more than that', [...learned, completed('unsecured', 2, 6)], 'unsecured', null],
    [
      'learns nothing from it that outranks a turn at the door',
      [sent('unsecured', 2), heard('unsecured', 4), poll('secured', 5)],
      'unsecured',
      'unsecured',
    ],
    [
      'learns nothing from an unknown echo',
      [sent('unsecured', 2), poll('unknown', 5)],
      'unknown',
      'unsecured',
    ],
    ['is jammed by a poll after a learnt origin', [...learned, poll('jammed', 6)], 'jammed', 'unsecured'],
    ['goes stale with age', old, 'unknown', null],
    ['is fresh again with the next report', [...old, poll('secured', 3)], 'secured', null],
  ])('%s', (_, events, bolt, target) => {
    const lock = after(...events);
    expect([boltOf(lock), lock.target]).toEqual([bolt, target]);
  });

  it('dates what it learns from an echo by the departure, and is confirmed by the echo', () => {
    const { belief, inFlight } = after(...learned);
    expect(belief).toMatchObject({ latest: { bolt: 'secured', at: 2 }, confirmedAt: 5 });
    expect(inFlight?.before).toBe('secured');
  });

  it('is not confirmed by an echo that does not repeat its belief', () => {
    const lock = after(poll('secured', 1), sent('unsecured', 2), doubted('unsecured', null, 2));
    expect(advanceLock(lock, poll('secured', 50)).belief).toBe(lock.belief);
  });

  it('never says secured without a secured report or a command that brought it there', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        if (boltOf(after(...events)) === 'secured') {
          expect(events.some((event) => event.type === 'reported' && event.bolt === 'secured')).toBe(true);
        }
      }),
    );
  });

  it('stays the same when an event is reported twice', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), anyEvent, (events, last) => {
        const once = advanceLock(after(...events), last);
        if (last.type !== 'command-sent') {
          expect(advanceLock(once, last)).toEqual(once);
        }
      }),
    );
  });

  it('that was left unlocked has its beginning marked, until it is locked', () => {
    const lock = advanceLock(FRESH_LOCK, { type: 'left-unlocked', since: 5 });
    expect(lock).toEqual({ ...FRESH_LOCK, leftUnlockedSince: 5 });
    expect(advanceLock(lock, { type: 'left-unlocked', since: 5 })).toBe(lock);
    expect(advanceLock(lock, { type: 'left-unlocked', since: null })).toEqual(FRESH_LOCK);
  });
});

describe('the end of a command', () => {
  const unlocking = after(poll('secured', 1), sent('unsecured', 10));

  it('is proven for the instant when it was last pending', () => {
    const lock = advanceLock(unlocking, completed('unsecured', 12, 20));
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
    const lock = after(heard('secured', at), sent('unsecured', 10), completed('unsecured', 12, 20));
    expect(boltOf(lock)).toBe(shown);
    expect(lock.belief.latest?.at).toBe(shown === 'unknown' ? 20 : 12);
  });

  it('of an unlock is not undone by a listing that lags behind it, while a report of "locked" counts at once', () => {
    const unlocked = advanceLock(unlocking, completed('unsecured', 12, 20));
    const lags = 20 + LISTED_WITHIN_MS;
    expect(boltOf([poll('secured', 21), poll('secured', lags)].reduce(advanceLock, unlocked))).toBe(
      'unsecured',
    );
    expect(boltOf([poll('secured', lags), poll('secured', lags + 1)].reduce(advanceLock, unlocked))).toBe(
      'secured',
    );
    expect(advanceLock(unlocked, poll('secured', 21)).belief.disputed).toBe(true);
    expect(boltOf(advanceLock(unlocked, heard('secured', 21)))).toBe('secured');
    const locked = [sent('secured', 22), completed('secured', 23, 24), poll('secured', 25)];
    expect(boltOf(locked.reduce(advanceLock, unlocked))).toBe('secured');
  });

  it.each([
    ['as the command left: it locked since', 10, 'secured', 20],
    ['between that and its proof: a hand may have been last (faults#110)', 12, 'unknown', 12],
    ['of the instant of its proof: an event outranks it', 14, 'unsecured', 20],
  ] as const)('of "lock" is weighed against "unlocked" %s', (_, at, shown, until) => {
    const lock = after(sent('secured', 10), heard('unsecured', at), completed('secured', 14, 20));
    expect([boltOf(lock), lock.inFlight?.until]).toEqual([shown, until]);
  });

  it('of an unlock is disputed by an event of "locked" during its travel', () => {
    const lock = [heard('secured', 11), completed('unsecured', 12, 20)].reduce(advanceLock, unlocking);
    expect([boltOf(lock), lock.inFlight?.until]).toEqual(['unknown', 20]);
  });

  it('of "lock" lets the next listings count at once', () => {
    const locked = after(sent('secured', 10), completed('secured', 12, 14));
    expect(boltOf([poll('unsecured', 15), poll('secured', 16)].reduce(advanceLock, locked))).toBe('secured');
  });

  it.each<[string, LockEvent[], number | null]>([
    ['of the target', [sent('secured', 10), doubted('secured', 20), poll('secured', 15)], 15],
    ['of the target as it left', [sent('secured', 10), doubted('secured', 20), poll('secured', 10)], 10],
    ['of the target before its end', [sent('secured', 10), ended(20), poll('secured', 15)], 15],
    ['of the target at its end', [sent('secured', 10), ended(20), poll('secured', 20)], 20],
    [
      'of the target from before it left',
      [sent('secured', 10), doubted('secured', 20), poll('secured', 9)],
      20,
    ],
    ['of the target while it is followed', [sent('secured', 10), poll('secured', 15)], null],
    ['of another position', [sent('secured', 10), doubted('secured', 20), poll('unsecured', 15)], 20],
    ['of an unlock', [sent('unsecured', 10), doubted('unsecured', 20), poll('unsecured', 15)], 20],
    [
      'that is older than an event of the target',
      [sent('secured', 10), heard('secured', 12), doubted('secured', 20), poll('unsecured', 15)],
      12,
    ],
    [
      'where an event of the target is from before it left',
      [sent('secured', 10), heard('secured', 9), doubted('secured', 20), poll('unsecured', 15)],
      20,
    ],
  ])('that is not known is taken from a reading %s', (_, events, until) => {
    expect(after(poll('unsecured', 1), ...events).inFlight?.until).toBe(until);
  });

  it('of "lock" is disputed by no claim of "locked"', () => {
    const lock = after(heard('secured', 13), sent('secured', 10), completed('secured', 12, 20));
    expect(boltOf(lock)).toBe('secured');
  });

  it('of a jam outranks a claim that another clock dates later, and keeps its own time', () => {
    const jam = (at: number): LockEvent => ended(at, true, 'secured');
    expect(advanceLock(unlocking, jam(15)).belief.latest).toEqual({
      source: 'command',
      bolt: 'jammed',
      at: 15,
    });
    const jammed = after(sent('unsecured', 10), heard('unsecured', 30), jam(15));
    expect(jammed.belief.latest).toEqual({ source: 'command', bolt: 'jammed', at: 31 });
    expect([boltOf(jammed), jammed.target, jammed.inFlight?.until]).toEqual(['jammed', 'secured', 15]);
    expect(advanceLock(jammed, jam(15)).belief).toBe(jammed.belief);
    expect(advanceLock(jammed, jam(40)).belief.latest?.at).toBe(40);
    const first = advanceLock(FRESH_LOCK, jam(15));
    expect([first.belief.latest?.at, first.inFlight]).toEqual([15, null]);
  });

  it('counts as it is first reported, and changes nothing twice', () => {
    const lock = advanceLock(unlocking, ended(20));
    expect([lock.target, lock.inFlight?.until, boltOf(lock)]).toEqual([null, 20, 'secured']);
    expect(advanceLock(lock, ended(25))).toBe(lock);
    const next = advanceLock(lock, ended(25, false, 'secured'));
    expect([next.target, next.inFlight?.until]).toEqual(['secured', 20]);
    // The target may be the same before the end of the travel is known.
    const dropped = advanceLock(unlocking, { type: 'request-dropped' });
    expect(advanceLock(dropped, ended(20)).inFlight?.until).toBe(20);
  });
});

describe('an unlock that may have moved the bolt', () => {
  const unlocking = after(poll('secured', 1), sent('unsecured', 10));

  it('withdraws "locked" until a reading from after its travel', () => {
    const lock = advanceLock(unlocking, doubted('unsecured', 20));
    expect([boltOf(lock), lock.inFlight?.until]).toEqual(['unknown', 20]);
    const lags = 20 + LISTED_WITHIN_MS;
    expect(boltOf(advanceLock(lock, poll('secured', lags)))).toBe('unknown');
    expect(boltOf(advanceLock(lock, poll('secured', lags + 1)))).toBe('secured');
    expect(boltOf(advanceLock(lock, heard('secured', 21)))).toBe('secured');
  });

  it('goes on travelling where its end is not known', () => {
    const lock = advanceLock(unlocking, doubted('unsecured', null));
    expect([boltOf(lock), lock.inFlight]).toEqual(['unknown', unlocking.inFlight]);
    expect(advanceLock(lock, doubted('unsecured', null))).toBe(lock);
    expect(advanceLock(lock, doubted('unsecured', 20)).inFlight?.until).toBe(20);
  });

  it('is no command to lock, which withdraws nothing', () => {
    const locking = after(poll('unsecured', 1), sent('secured', 10));
    const lock = advanceLock(locking, doubted('secured', 20));
    expect([boltOf(lock), lock.belief, lock.inFlight?.until]).toEqual(['unsecured', locking.belief, 20]);
  });

  const lostUnlock = [sent('unsecured', 10), doubted('unsecured', 20)];
  it.each<[string, readonly LockEvent[], number | null]>([
    ['after an unlock: as long as that may open it', lostUnlock, 20],
    ['after an unlock that travels: from the next command on', [sent('unsecured', 10)], 30],
    ['after a command to lock: nothing', [sent('secured', 10), doubted('secured', 20)], null],
    ['after both: as the unlock may', [...lostUnlock, sent('secured', 11), doubted('secured', 21)], 20],
    [
      'after two unlocks: as either may',
      [...lostUnlock, sent('unsecured', 11), doubted('unsecured', 21)],
      21,
    ],
    [
      'after two unlocks, one refused as busy: as the other may',
      [...lostUnlock, sent('unsecured', 11), ended(12)],
      20,
    ],
  ])(
    'lets listings of "locked" prove nothing for ten seconds more, whatever is sent then: %s',
    (_, events, until) => {
      const { opening } = after(...events, sent('secured', 30)).belief;
      expect(opening?.until ?? null).toBe(until === null ? null : until + LISTED_WITHIN_MS);
    },
  );

  it('of an earlier process counts like one of this process, until a command was sent as late', () => {
    const recalled: LockEvent = { type: 'unlock-recalled', at: 10, until: 20 };
    const lock = after(poll('secured', 5), recalled);
    expect(lock.inFlight).toEqual({ target: 'unsecured', before: 'unknown', from: 10, until: 20 });
    expect([boltOf(lock), lock.target]).toEqual(['unknown', null]);
    expect(boltOf(advanceLock(lock, poll('secured', 20 + LISTED_WITHIN_MS)))).toBe('unknown');
    expect(boltOf(advanceLock(lock, poll('secured', 21 + LISTED_WITHIN_MS)))).toBe('secured');
    for (const from of [10, 11]) {
      const later = after(poll('unsecured', 5), sent('secured', from));
      expect(advanceLock(later, recalled)).toBe(later);
    }
    expect(after(sent('secured', 9), recalled).inFlight?.from).toBe(10);
  });
});

describe('a sleep of the machine', () => {
  it.each([
    ['while a listing may lag behind an unlock, prolongs that', 15_100, 'unknown'],
    ['that began after it could, changes nothing', 15_200, 'secured'],
  ] as const)('%s', (_, at, shown) => {
    const lost = [poll('secured', 1), sent('unsecured', 100), doubted('unsecured', 200, 100)];
    expect(boltOf(after(...lost, slept(5_000, at), poll('secured', 15_195)))).toBe(shown);
  });

  it('prolongs only what had not run out before it', () => {
    const lock = after(poll('secured', 1), sent('unsecured', 100), doubted('unsecured', 200, 100));
    const untils = ({ inFlight, belief }: Lock) => [inFlight?.until, belief.opening?.until];
    expect(untils(lock)).toEqual([200, 10_200]);
    expect(untils(advanceLock(lock, slept(50, 249)))).toEqual([250, 10_250]);
    expect(untils(advanceLock(lock, slept(50, 250)))).toEqual([200, 10_250]);
    expect(advanceLock(lock, slept(50, 10_250))).toBe(lock);
  });
});

describe('a clock that is set back', () => {
  const setBack = (latest: number): LockEvent => ({ type: 'clock-set-back', byMs: 30, latest });

  it('dates earlier only what lies ahead of the clock', () => {
    const known = after(poll('unsecured', 90, { accessor: BY_HAND, battery: LOW }), sent('secured', 95));
    const inFlight = { ...known.inFlight, until: 96 } as Lock['inFlight'];
    const belief = { ...known.belief, opening: { since: 80, until: 97 }, lockedAt: 85 };
    const lock: Lock = { ...known, belief, inFlight };
    const earlier = { ...inFlight, from: 65, until: 66 };
    const claim = { source: 'poll', bolt: 'unsecured', at: 60 };
    expect(advanceLock(lock, setBack(89))).toEqual({
      ...lock,
      belief: {
        latest: claim,
        rest: claim,
        jam: null,
        confirmedAt: 60,
        stale: false,
        opening: { since: 50, until: 67 },
        lockedAt: 55,
        disputed: false,
      },
      presenceAt: 60,
      batteryAt: 60,
      inFlight: earlier,
      lastMove: { to: 'unsecured', by: BY_HAND, at: 60 },
      recent: {
        moves: [{ to: 'unsecured', by: BY_HAND, at: 60 }],
        commands: [
          {
            target: 'secured',
            before: 'unsecured',
            from: 65,
            since: 60,
            lastMoveAt: 60,
            until: null,
            hasMoved: false,
            isReported: false,
          },
        ],
      },
    });
    expect(advanceLock(lock, setBack(97))).toEqual(lock);
    expect(advanceLock(lock, setBack(90))).toMatchObject({
      lastMove: lock.lastMove,
      belief: { ...belief, opening: { since: 80, until: 67 } },
      inFlight: earlier,
    });
  });

  it('dates a confirmation from ahead earlier, though the confirmed claim is not ahead (faults#112)', () => {
    const known = after(poll('secured', 90));
    const lock: Lock = { ...known, belief: { ...known.belief, confirmedAt: 120 } };
    expect(advanceLock(lock, setBack(100)).belief).toEqual({ ...known.belief, confirmedAt: 90 });
    expect(advanceLock(known, setBack(100)).belief).toEqual(known.belief);
  });
});
