// The order of claims: whatever arrives when, the same belief comes out, and never "locked" on old or half evidence.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltState } from '../../../src/domain/bolt.ts';
import {
  type Belief,
  believedBolt,
  type Evidence,
  type EvidenceSource,
  isEchoOfOrigin,
  lastPosition,
  NOTHING_BELIEVED,
  raisesDoubt,
  undoesEvent,
  weigh,
} from '../../../src/domain/evidence-policy.ts';
import { LATE_AFTER_MS, REPORTED_WITHIN_MS } from '../../../src/domain/time.ts';

const claim = (source: EvidenceSource, bolt: BoltState, at: number): Evidence => ({ source, bolt, at });
const fold = (claims: readonly Evidence[]): Belief => claims.reduce(weigh, NOTHING_BELIEVED);

const anyClaim = fc.record({
  source: fc.constantFrom<EvidenceSource>('poll', 'command', 'event'),
  bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
  at: fc.integer({ min: 0, max: 6 }),
});

describe('a belief', () => {
  it('is unknown before anybody has spoken', () => {
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
  ])('after %s is what the latest claim says', (_title, claims, bolt) => {
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

  it('never says secured unless the very latest claim does', () => {
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

  it('that is stale is none, but a stale jam is still a jam', () => {
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
  ])('and %s: an echo? %#', (_title, evidence, echo) => {
    expect(isEchoOfOrigin(inFlight, evidence)).toBe(echo);
  });

  it('is news again once the command has ended', () => {
    expect(isEchoOfOrigin({ ...inFlight, until: 15 }, claim('poll', 'unsecured', 16))).toBe(false);
    expect(isEchoOfOrigin({ ...inFlight, until: 15 }, claim('poll', 'unsecured', 15))).toBe(true);
  });

  it('from an unknown position may be an echo whatever it says, unless it shows the target', () => {
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

  it('that agrees raises doubt only as news of a position that was read: another reading may be under way', () => {
    const told = fold([claim('event', 'secured', 5)]);
    expect(raisesDoubt(belief, claim('event', 'secured', 4), 4 + LATE_AFTER_MS)).toBe(true);
    expect(raisesDoubt(belief, claim('event', 'secured', 4), 5 + LATE_AFTER_MS)).toBe(false);
    expect(raisesDoubt(told, claim('event', 'secured', 4), 9)).toBe(false);
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

describe('a reading that undoes what was believed', () => {
  const event = fold([claim('event', 'secured', 5)]);
  const undone = (at: number) => fold([claim('event', 'secured', 5), claim('poll', 'unsecured', at)]);

  it('is read again when that was a recent event, which may have come in meanwhile', () => {
    expect(undoesEvent(event, undone(6))).toBe(true);
    expect(undoesEvent(event, undone(5 + REPORTED_WITHIN_MS))).toBe(true);
    expect(undoesEvent(event, undone(6 + REPORTED_WITHIN_MS))).toBe(false);
  });

  it('is believed when that was another reading, or when it changes nothing', () => {
    expect(undoesEvent(fold([claim('poll', 'secured', 5)]), undone(6))).toBe(false);
    expect(undoesEvent(event, undone(4))).toBe(false);
    expect(undoesEvent(event, fold([claim('poll', 'secured', 6)]))).toBe(false);
    expect(undoesEvent(NOTHING_BELIEVED, undone(6))).toBe(false);
  });
});
