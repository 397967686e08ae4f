// The order of claims: any order of arrival ends in the same belief, and never in "locked" on old or half evidence.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltState } from '../../../../src/domain/locks/bolt.ts';
import {
  type Belief,
  believedBolt,
  confirm,
  type Evidence,
  type EvidenceSource,
  type InFlightCommand,
  isEchoOfOrigin,
  lastPosition,
  NOTHING_BELIEVED,
  originReportedBy,
  raisesDoubt,
  undoesEvent,
  weigh,
  weighReport,
  withDates,
  withoutOlder,
  withStaleness,
} from '../../../../src/domain/locks/evidence-policy.ts';
import { LATE_AFTER_MS, REPORTED_WITHIN_MS } from '../../../../src/domain/time/time.ts';

const poll = (bolt: BoltState, at: number): Evidence => ({ source: 'poll', bolt, at });
const event = (bolt: BoltState, at: number): Evidence => ({ source: 'event', bolt, at });
const command = (bolt: BoltState, at: number): Evidence => ({ source: 'command', bolt, at });
const fold = (claims: readonly Evidence[]): Belief => claims.reduce(weigh, NOTHING_BELIEVED);

const anyClaim = fc.record({
  source: fc.constantFrom<EvidenceSource>('poll', 'command', 'event'),
  bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
  at: fc.integer({ min: 0, max: 6 }),
});

describe('a belief', () => {
  it.each<[string, readonly Evidence[], BoltState]>([
    ['one poll', [poll('secured', 1)], 'secured'],
    ['a later poll', [poll('secured', 1), poll('unsecured', 2)], 'unsecured'],
    ['a late arrival', [poll('unsecured', 2), event('secured', 1)], 'unsecured'],
    ['an event of the same instant', [event('unsecured', 1), poll('secured', 1)], 'unsecured'],
    ['two polls of one instant', [poll('unsecured', 1), poll('secured', 1)], 'unsecured'],
    ['"Unknown" after rest', [poll('secured', 1), poll('unknown', 2)], 'unknown'],
    ['"Unknown" after a jam', [command('jammed', 1), poll('unknown', 2)], 'jammed'],
    ['rest after a jam', [command('jammed', 1), poll('secured', 2)], 'secured'],
    ['rest from before a jam', [command('jammed', 2), poll('secured', 1)], 'jammed'],
    [
      'rest from between a jam and "Unknown"',
      [command('jammed', 1), poll('unknown', 3), event('secured', 2)],
      'unknown',
    ],
  ])('after %s follows the latest claim', (_title, claims, bolt) => {
    expect(believedBolt(fold(claims))).toBe(bolt);
  });

  it('is the same for all orders of five claims, and for any repetition (faults#47, faults#45)', () => {
    fc.assert(
      fc.property(fc.array(anyClaim, { minLength: 1, maxLength: 5 }), (claims) => {
        const expected = fold(claims);
        for (const order of permutations(claims)) {
          expect(fold([...order, ...order])).toEqual(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its reference when a claim changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyClaim, { minLength: 1, maxLength: 8 }), (claims) => {
        const belief = fold(claims);
        expect(claims.map((known) => weigh(belief, known) === belief)).toEqual(claims.map(() => true));
      }),
    );
  });

  it('is never secured unless the very latest claim is', () => {
    fc.assert(
      fc.property(fc.array(anyClaim, { maxLength: 8 }), (claims) => {
        if (believedBolt(fold(claims)) === 'secured') {
          const newest = Math.max(...claims.map(({ at }) => at));
          expect(claims.some(({ at, bolt }) => at === newest && bolt === 'secured')).toBe(true);
        }
      }),
    );
  });

  it('that is stale is unknown, but a stale jam is still a jam', () => {
    expect(believedBolt({ ...fold([poll('secured', 1)]), stale: true })).toBe('unknown');
    expect(believedBolt({ ...fold([command('jammed', 1)]), stale: true })).toBe('jammed');
  });
});

describe('a claim while a bolt travels', () => {
  const locking = { target: 'secured', before: 'unsecured', from: 10, until: 15 } as const;
  const unlocking = { target: 'unsecured', before: 'secured', from: 10, until: 15 } as const;
  const endless = { ...locking, until: null };
  const fromJam = { ...unlocking, before: 'jammed' } as const;
  const again = { ...unlocking, before: 'unsecured' } as const;
  const blind = { ...locking, before: 'unknown' } as const;

  it.each<[string, InFlightCommand | null, EvidenceSource, BoltState, readonly number[]]>([
    ['the old position by a poll, from the departure to the end', locking, 'poll', 'unsecured', [10, 15]],
    ['the same while there is no end', endless, 'poll', 'unsecured', [10, 15, 16]],
    ['the new position by a poll', locking, 'poll', 'secured', []],
    ['the old position by an event', locking, 'event', 'unsecured', []],
    ['the new position by an event', locking, 'event', 'secured', []],
    ['any position but the target, where the old one is not known', blind, 'poll', 'unsecured', [10, 15]],
    ['the target, where the old one is not known', blind, 'poll', 'secured', []],
    ['"locked" by an event during an unlock', unlocking, 'event', 'secured', [10, 15]],
    ['"locked" by a poll during an unlock', unlocking, 'poll', 'secured', [10, 15]],
    ['"locked" that a command proves', unlocking, 'command', 'secured', []],
    ['"unlocked" by an event during an unlock', unlocking, 'event', 'unsecured', []],
    ['a jam by an event during an unlock', unlocking, 'event', 'jammed', []],
    ['a jam by a poll during an unlock', unlocking, 'poll', 'jammed', []],
    ['"locked" during an unlock of what was unlocked', again, 'poll', 'secured', [10, 15]],
    ['"locked" during an unlock of what was jammed', fromJam, 'poll', 'secured', [10, 15]],
    ['"locked" without a command', null, 'poll', 'secured', []],
  ])('is an echo of the departure or news: %s', (_title, inFlight, source, bolt, echoes) => {
    const isEcho = (at: number): boolean => isEchoOfOrigin(inFlight, { source, bolt, at });
    expect([9, 10, 15, 16].filter(isEcho)).toEqual(echoes);
  });

  const unknown = { ...unlocking, before: 'unknown' } as const;
  it.each<[string, InFlightCommand, Evidence, Evidence | null]>([
    ['an echo that was asked for after the departure', unknown, poll('secured', 10), poll('secured', 10)],
    ['no reading from before it', unknown, poll('secured', 9), null],
    ['no jam', unknown, poll('jammed', 12), null],
    ['no echo of what was known', unlocking, poll('secured', 12), null],
  ])('tells where the bolt was at the departure: %s', (_title, inFlight, echo, origin) => {
    expect(originReportedBy(inFlight, echo)).toEqual(origin);
  });
});

describe('an old claim', () => {
  const polled = fold([poll('secured', 5)]);
  const reported = fold([event('secured', 5)]);

  it.each<[string, Belief, Evidence, number, boolean]>([
    ['an older one that contradicts', polled, event('unsecured', 4), 9, true],
    ['one of the same instant that contradicts', polled, event('unsecured', 5), 9, true],
    ['none that is the news itself', polled, event('unsecured', 6), 9, false],
    ['none where nothing is believed', NOTHING_BELIEVED, event('unsecured', 1), 9, false],
    ['one that contradicts, however late it comes', reported, event('unsecured', 4), 5 + LATE_AFTER_MS, true],
    [
      'one that agrees with a reading, which another may undo',
      polled,
      event('secured', 4),
      4 + LATE_AFTER_MS,
      true,
    ],
    ['none that agrees and comes late', polled, event('secured', 4), 5 + LATE_AFTER_MS, false],
    ['none that agrees with an event', reported, event('secured', 4), 9, false],
  ])('raises doubt or not: %s', (_title, belief, old, now, doubt) => {
    expect(raisesDoubt(belief, old, now)).toBe(doubt);
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  return items.length === 0
    ? [[]]
    : items.flatMap((item, index) =>
        permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) =>
          [item].concat(rest),
        ),
      );
}

describe('a change of belief', () => {
  const reported = fold([event('secured', 5)]);
  const undone = (at: number) => fold([event('secured', 5), poll('unsecured', at)]);

  it.each<[string, Belief, Belief, boolean]>([
    ['a reading against a recent event, which may have come in meanwhile', reported, undone(6), true],
    ['a reading that does so just in time', reported, undone(5 + REPORTED_WITHIN_MS), true],
    ['no later one', reported, undone(6 + REPORTED_WITHIN_MS), false],
    ['no reading that contradicts a reading', fold([poll('secured', 5)]), undone(6), false],
    ['no reading that changes nothing', reported, undone(4), false],
    ['no reading that agrees', reported, fold([poll('secured', 6)]), false],
    ['no reading of what was not known', NOTHING_BELIEVED, undone(6), false],
    ['no event', reported, fold([event('unsecured', 6)]), false],
    ['no loss of all belief', reported, NOTHING_BELIEVED, false],
  ])('causes another reading or not: %s', (_title, before, after, undoes) => {
    expect(undoesEvent(before, after)).toBe(undoes);
  });
});

describe('a report that repeats the belief', () => {
  const belief = fold([poll('secured', 5)]);

  it('makes it fresh from then on, and an older report changes nothing', () => {
    const stale = { ...belief, stale: true };
    expect(confirm(stale, 6)).toEqual({ ...belief, confirmedAt: 6, stale: false });
    expect(confirm(belief, 5)).toBe(belief);
    expect(confirm(belief, 4)).toBe(belief);
    expect(confirm(NOTHING_BELIEVED, 6)).toBe(NOTHING_BELIEVED);
  });

  it('counts as its confirmation, whatever older claims come in after it', () => {
    const confirmed = confirm(belief, 9);
    expect(weigh(confirmed, command('jammed', 4))).toMatchObject({
      latest: { bolt: 'secured', at: 5 },
      jam: { at: 4 },
      confirmedAt: 9,
    });
  });
});

describe('a belief that nothing confirms', () => {
  const belief = confirm(fold([poll('secured', 5)]), 8);

  it('is stale from the instant after its last confirmation, once', () => {
    expect(withStaleness(belief, 8)).toBe(belief);
    const stale = withStaleness(belief, 9);
    expect(stale).toEqual({ ...belief, stale: true });
    expect(withStaleness(stale, 10)).toBe(stale);
    expect(withStaleness(NOTHING_BELIEVED, 9)).toBe(NOTHING_BELIEVED);
  });
});

describe('an unlock that may have moved the bolt', () => {
  const since = 100_000;
  const bolt = (...claims: readonly Evidence[]): BoltState => believedBolt(withoutOlder(fold(claims), since));

  it.each<[string, Evidence, BoltState, string | null]>([
    ['"locked" from before it', poll('secured', since - 1), 'unknown', null],
    ['"locked" dated two seconds later by another clock', event('secured', since + 2_000), 'unknown', null],
    ['"locked" from later', event('secured', since + 2_001), 'secured', 'secured'],
    ['"unlocked" from before it', poll('unsecured', since - 1), 'unknown', 'unsecured'],
    ['"unlocked" of the same instant', event('unsecured', since), 'unknown', 'unsecured'],
    ['"unlocked" from after it', poll('unsecured', since + 2), 'unsecured', 'unsecured'],
  ])('leaves of %s the expected part', (_title, known, shown, rest) => {
    expect(bolt(known)).toBe(shown);
    expect(lastPosition(withoutOlder(fold([known]), since))).toBe(rest);
  });

  it('withdraws "locked" for good: the same claim does not bring it back', () => {
    const late = event('secured', since + 2_000);
    const hidden = withoutOlder(fold([late]), since);
    expect(hidden.latest).toEqual({ source: 'command', bolt: 'unknown', at: since + 2_001 });
    expect(believedBolt(weigh(hidden, late))).toBe('unknown');
    const early = withoutOlder(fold([poll('secured', 7)]), since);
    expect(early.latest).toEqual({ source: 'command', bolt: 'unknown', at: since + 1 });
    expect(withoutOlder(NOTHING_BELIEVED, since).latest).toEqual(early.latest);
  });

  it('keeps a jam that came after "locked", and not one that "locked" had ended', () => {
    expect(bolt(poll('secured', 7), command('jammed', 8))).toBe('jammed');
    expect(bolt(poll('secured', 7), command('jammed', 6))).toBe('unknown');
    expect(bolt(event('secured', 7), command('jammed', 7))).toBe('unknown');
  });

  it('lets a jam of the same instant end "locked" only where it ranks higher', () => {
    expect(believedBolt(fold([poll('secured', 7), command('jammed', 7)]))).toBe('jammed');
    expect(believedBolt(fold([event('secured', 7), command('jammed', 7)]))).toBe('secured');
  });
});

it('a clock that was set back dates every claim earlier by as much, and leaves unknown dates unchanged', () => {
  const belief = confirm(fold([poll('secured', 50), command('jammed', 60)]), 70);
  const earlier = (known: Belief): Belief => withDates(known, (at) => at - 20);
  expect(earlier({ ...belief, stale: true })).toEqual({
    ...belief,
    latest: command('jammed', 40),
    rest: poll('secured', 30),
    jam: command('jammed', 40),
    confirmedAt: 50,
    stale: true,
  });
  const opened = [event('secured', 49), event('unsecured', 50)].reduce(weighReport, NOTHING_BELIEVED);
  expect(earlier(opened)).toEqual(
    [event('secured', 29), event('unsecured', 30)].reduce(weighReport, NOTHING_BELIEVED),
  );
  expect(earlier(NOTHING_BELIEVED)).toEqual(NOTHING_BELIEVED);
});
