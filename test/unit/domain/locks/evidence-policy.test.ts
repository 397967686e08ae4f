// The order of claims: any order of arrival ends in the same belief, and never in "locked" on old or half evidence.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltState } from '../../../../src/domain/locks/bolt.ts';
import {
  type Belief,
  believedBolt,
  confirm,
  datedEarlier,
  type Evidence,
  type EvidenceSource,
  isEchoOfOrigin,
  lastPosition,
  NOTHING_BELIEVED,
  originReportedBy,
  raisesDoubt,
  undoesEvent,
  weigh,
  withoutOlder,
  withStaleness,
} from '../../../../src/domain/locks/evidence-policy.ts';
import { LATE_AFTER_MS, REPORTED_WITHIN_MS } from '../../../../src/domain/time/time.ts';

const claim = (source: EvidenceSource, bolt: BoltState, at: number): Evidence => ({ source, bolt, at });
const fold = (claims: readonly Evidence[]): Belief => claims.reduce(weigh, NOTHING_BELIEVED);

const anyClaim = fc.record({
  source: fc.constantFrom<EvidenceSource>('poll', 'command', 'event'),
  bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
  at: fc.integer({ min: 0, max: 6 }),
});

describe('a belief', () => {
  it('is unknown before the first claim', () => {
    expect(believedBolt(NOTHING_BELIEVED)).toBe('unknown');
  });

  it.each<[string, readonly Evidence[], BoltState]>([
    ['one poll', [claim('poll', 'secured', 1)], 'secured'],
    ['a later poll', [claim('poll', 'secured', 1), claim('poll', 'unsecured', 2)], 'unsecured'],
    ['a late arrival', [claim('poll', 'unsecured', 2), claim('event', 'secured', 1)], 'unsecured'],
    [
      'an event of the same instant',
      [claim('event', 'unsecured', 1), claim('poll', 'secured', 1)],
      'unsecured',
    ],
    ['two polls of one instant', [claim('poll', 'unsecured', 1), claim('poll', 'secured', 1)], 'unsecured'],
    ['"Unknown" after rest', [claim('poll', 'secured', 1), claim('poll', 'unknown', 2)], 'unknown'],
    ['"Unknown" after a jam', [claim('command', 'jammed', 1), claim('poll', 'unknown', 2)], 'jammed'],
    ['rest after a jam', [claim('command', 'jammed', 1), claim('poll', 'secured', 2)], 'secured'],
    ['rest from before a jam', [claim('command', 'jammed', 2), claim('poll', 'secured', 1)], 'jammed'],
    [
      'rest from between a jam and "Unknown"',
      [claim('command', 'jammed', 1), claim('poll', 'unknown', 3), claim('event', 'secured', 2)],
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

  it('remembers through a jam where the bolt last rested', () => {
    expect(lastPosition(fold([claim('poll', 'unsecured', 1), claim('command', 'jammed', 2)]))).toBe(
      'unsecured',
    );
  });

  it('that is stale is unknown, but a stale jam is still a jam', () => {
    expect(believedBolt({ ...fold([claim('poll', 'secured', 1)]), stale: true })).toBe('unknown');
    expect(believedBolt({ ...fold([claim('command', 'jammed', 1)]), stale: true })).toBe('jammed');
  });
});

describe('a poll that was asked while a bolt travels', () => {
  const inFlight = { target: 'secured', before: 'unsecured', from: 10, until: null } as const;

  it.each<[string, Evidence, boolean]>([
    ['repeats the old position', claim('poll', 'unsecured', 12), true],
    ['shows the new position', claim('poll', 'secured', 12), false],
    ['was asked before the departure', claim('poll', 'unsecured', 9), false],
    ['is really an event', claim('event', 'unsecured', 12), false],
  ])('and %s is judged as an echo or not: %#', (_title, evidence, echo) => {
    expect(isEchoOfOrigin(inFlight, evidence)).toBe(echo);
  });

  it('is news again once the command has ended', () => {
    expect(isEchoOfOrigin({ ...inFlight, until: 15 }, claim('poll', 'unsecured', 16))).toBe(false);
    expect(isEchoOfOrigin({ ...inFlight, until: 15 }, claim('poll', 'unsecured', 15))).toBe(true);
  });

  it('from an unknown position may be an echo of any position but the target', () => {
    const blind = { ...inFlight, before: 'unknown' } as const;
    expect(isEchoOfOrigin(blind, claim('poll', 'unsecured', 12))).toBe(true);
    expect(isEchoOfOrigin(blind, claim('poll', 'secured', 12))).toBe(false);
  });
});

describe('an old claim', () => {
  const belief = fold([claim('poll', 'secured', 5)]);

  it('raises doubt when it contradicts, and none when it is the news itself', () => {
    expect(raisesDoubt(belief, claim('event', 'unsecured', 4), 9)).toBe(true);
    expect(raisesDoubt(belief, claim('event', 'unsecured', 5), 9)).toBe(true);
    expect(raisesDoubt(belief, claim('event', 'unsecured', 6), 9)).toBe(false);
    expect(raisesDoubt(NOTHING_BELIEVED, claim('event', 'unsecured', 1), 9)).toBe(false);
  });

  it('that agrees raises doubt only after a read position: another reading may be under way', () => {
    const reported = fold([claim('event', 'secured', 5)]);
    expect(raisesDoubt(belief, claim('event', 'secured', 4), 4 + LATE_AFTER_MS)).toBe(true);
    expect(raisesDoubt(belief, claim('event', 'secured', 4), 5 + LATE_AFTER_MS)).toBe(false);
    expect(raisesDoubt(reported, claim('event', 'secured', 4), 9)).toBe(false);
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

describe('a reading that undoes the belief', () => {
  const event = fold([claim('event', 'secured', 5)]);
  const undone = (at: number) => fold([claim('event', 'secured', 5), claim('poll', 'unsecured', at)]);

  it('causes another reading when the belief is a recent event, which may have come in meanwhile', () => {
    expect(undoesEvent(event, undone(6))).toBe(true);
    expect(undoesEvent(event, undone(5 + REPORTED_WITHIN_MS))).toBe(true);
    expect(undoesEvent(event, undone(6 + REPORTED_WITHIN_MS))).toBe(false);
  });

  it('is believed when the belief is a reading, or when nothing changes', () => {
    expect(undoesEvent(fold([claim('poll', 'secured', 5)]), undone(6))).toBe(false);
    expect(undoesEvent(event, undone(4))).toBe(false);
    expect(undoesEvent(event, fold([claim('poll', 'secured', 6)]))).toBe(false);
    expect(undoesEvent(NOTHING_BELIEVED, undone(6))).toBe(false);
  });
});

describe('a report that repeats the belief', () => {
  const belief = fold([claim('poll', 'secured', 5)]);

  it('makes it fresh from then on, and an older report changes nothing', () => {
    const stale = { ...belief, stale: true };
    expect(confirm(stale, 6)).toEqual({ ...belief, confirmedAt: 6, stale: false });
    expect(confirm(belief, 5)).toBe(belief);
    expect(confirm(belief, 4)).toBe(belief);
    expect(confirm(NOTHING_BELIEVED, 6)).toBe(NOTHING_BELIEVED);
  });

  it('counts as its confirmation, whatever older claims come in after it', () => {
    const confirmed = confirm(belief, 9);
    expect(weigh(confirmed, claim('command', 'jammed', 4))).toMatchObject({
      latest: { bolt: 'secured', at: 5 },
      jam: { at: 4 },
      confirmedAt: 9,
    });
  });
});

describe('a belief that nothing confirms', () => {
  const belief = confirm(fold([claim('poll', 'secured', 5)]), 8);

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
    ['"locked" from before it', claim('poll', 'secured', since - 1), 'unknown', null],
    [
      '"locked" dated two seconds after it, by another clock',
      claim('event', 'secured', since + 2_000),
      'unknown',
      null,
    ],
    ['"locked" from later', claim('event', 'secured', since + 2_001), 'secured', 'secured'],
    ['"unlocked" from before it', claim('poll', 'unsecured', since - 1), 'unknown', 'unsecured'],
    ['"unlocked" of the same instant', claim('event', 'unsecured', since), 'unknown', 'unsecured'],
    ['"unlocked" from after it', claim('poll', 'unsecured', since + 2), 'unsecured', 'unsecured'],
  ])('leaves of %s the expected part', (_title, known, shown, rest) => {
    expect(bolt(known)).toBe(shown);
    expect(lastPosition(withoutOlder(fold([known]), since))).toBe(rest);
  });

  it('withdraws "locked" for good: the same claim does not bring it back', () => {
    const late = claim('event', 'secured', since + 2_000);
    const hidden = withoutOlder(fold([late]), since);
    expect(hidden.latest).toEqual({ source: 'command', bolt: 'unknown', at: since + 2_001 });
    expect(believedBolt(weigh(hidden, late))).toBe('unknown');
    const early = withoutOlder(fold([claim('poll', 'secured', 7)]), since);
    expect(early.latest).toEqual({ source: 'command', bolt: 'unknown', at: since + 1 });
    expect(withoutOlder(NOTHING_BELIEVED, since).latest).toEqual(early.latest);
  });

  it('keeps a jam that came after "locked", and not one that "locked" had ended', () => {
    expect(bolt(claim('poll', 'secured', 7), claim('command', 'jammed', 8))).toBe('jammed');
    expect(bolt(claim('poll', 'secured', 7), claim('command', 'jammed', 6))).toBe('unknown');
    expect(bolt(claim('event', 'secured', 7), claim('command', 'jammed', 7))).toBe('unknown');
  });

  it('lets a jam of the same instant end "locked" only where it ranks higher', () => {
    expect(believedBolt(fold([claim('poll', 'secured', 7), claim('command', 'jammed', 7)]))).toBe('jammed');
    expect(believedBolt(fold([claim('event', 'secured', 7), claim('command', 'jammed', 7)]))).toBe('secured');
  });
});

describe('a claim during an unlock', () => {
  const unlocking = { target: 'unsecured', before: 'secured', from: 10, until: 15 } as const;
  const echo = (
    source: EvidenceSource,
    bolt: BoltState,
    at: number,
    before: BoltState = 'secured',
  ): boolean => isEchoOfOrigin({ ...unlocking, before }, claim(source, bolt, at));

  it('of "locked" is an echo from the departure to the end, also by an event', () => {
    expect([9, 10, 15, 16].map((at) => echo('event', 'secured', at))).toEqual([false, true, true, false]);
    expect([9, 10, 15, 16].map((at) => echo('poll', 'secured', at))).toEqual([false, true, true, false]);
  });

  it('is never an echo when a command proves it, or when an event claims another position', () => {
    expect(echo('command', 'secured', 12)).toBe(false);
    expect([echo('event', 'unsecured', 12), echo('event', 'jammed', 12)]).toEqual([false, false]);
    expect(isEchoOfOrigin(null, claim('poll', 'secured', 12))).toBe(false);
  });

  it('of "locked" is an echo also where another position was believed before', () => {
    expect([echo('poll', 'secured', 12, 'unsecured'), echo('poll', 'secured', 12, 'jammed')]).toEqual([
      true,
      true,
    ]);
    expect(echo('poll', 'jammed', 12)).toBe(false);
  });

  it('is no echo by an event while the command is to lock', () => {
    const locking = { target: 'secured', before: 'unsecured', from: 10, until: null } as const;
    expect(isEchoOfOrigin(locking, claim('event', 'unsecured', 12))).toBe(false);
    expect(isEchoOfOrigin(locking, claim('event', 'secured', 12))).toBe(false);
    expect(isEchoOfOrigin(locking, claim('poll', 'secured', 12))).toBe(false);
  });
});

describe('"locked" while an unlock from before the command may still open the bolt', () => {
  const locking = { target: 'secured', before: 'unknown', from: 10, until: 12, mayOpenUntil: 20 } as const;

  it('is no news until then, by a poll, and "unlocked" is', () => {
    const echoes = [19, 20, 21].map((at) => isEchoOfOrigin(locking, claim('poll', 'secured', at)));
    expect(echoes).toEqual([true, true, false]);
    expect(isEchoOfOrigin(locking, claim('poll', 'unsecured', 19))).toBe(false);
    expect(isEchoOfOrigin({ ...locking, mayOpenUntil: null }, claim('poll', 'secured', 19))).toBe(false);
  });

  it('does not prove where the bolt was at the departure', () => {
    const unlocking = { ...locking, target: 'unsecured' } as const;
    expect(originReportedBy(unlocking, claim('poll', 'secured', 20))).toBeNull();
    expect(originReportedBy(unlocking, claim('poll', 'secured', 21))).toEqual(claim('poll', 'secured', 10));
    expect(originReportedBy(unlocking, claim('poll', 'unsecured', 11))).toEqual(
      claim('poll', 'unsecured', 10),
    );
  });
});

describe('the position before a command', () => {
  const blind = { target: 'unsecured', before: 'unknown', from: 10, until: null } as const;

  it('is learnt from an echo that was asked for after the departure', () => {
    expect(originReportedBy(blind, claim('poll', 'secured', 10))).toEqual(claim('poll', 'secured', 10));
    expect(originReportedBy(blind, claim('poll', 'secured', 9))).toBeNull();
    expect(originReportedBy(blind, claim('poll', 'jammed', 12))).toBeNull();
    expect(originReportedBy({ ...blind, before: 'secured' }, claim('poll', 'secured', 12))).toBeNull();
  });
});

describe('a clock that was set back', () => {
  it('dates every claim earlier by as much, and leaves unknown dates unchanged', () => {
    const belief = confirm(fold([claim('poll', 'secured', 50), claim('command', 'jammed', 60)]), 70);
    expect(datedEarlier({ ...belief, stale: true }, 20)).toEqual({
      latest: claim('command', 'jammed', 40),
      rest: claim('poll', 'secured', 30),
      jam: claim('command', 'jammed', 40),
      confirmedAt: 50,
      stale: true,
    });
    expect(datedEarlier(NOTHING_BELIEVED, 20)).toEqual(NOTHING_BELIEVED);
  });
});

describe('doubt', () => {
  it('is raised by an old claim of another position, however late it comes', () => {
    const reported = fold([claim('event', 'secured', 5)]);
    expect(raisesDoubt(reported, claim('event', 'unsecured', 4), 4 + LATE_AFTER_MS + 1)).toBe(true);
  });

  it('is raised by no change other than a reading', () => {
    const event = fold([claim('event', 'secured', 5)]);
    expect(undoesEvent(event, fold([claim('event', 'unsecured', 6)]))).toBe(false);
    expect(undoesEvent(event, NOTHING_BELIEVED)).toBe(false);
  });
});
