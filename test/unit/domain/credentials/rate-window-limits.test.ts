// A rate window at its limits: when it has certainly ended, what counts in it, and what a clock that was set does to it.
import { describe, expect, it } from 'vitest';
import {
  cancelCall,
  expectedDurationMs,
  freshRateState,
  type RateFacts,
  type RateState,
  recordAnswer,
  recordRefusal,
  reserveCall,
} from '../../../../src/domain/credentials/rate-window-policy.ts';

const START = Date.UTC(2026, 3, 14, 12);
const SILENT: RateFacts = { limit: null, remaining: null, reset: null, date: null };
/** A call without an answer may be counted after 35 s, in a window that ends 60 s later, with a margin. */
const LONGEST_MS = 95_250;
const WINDOW_MS = 60_250;

const called = (state: RateState, now = START): RateState => reserveCall(state, now).state;
const one = called(freshRateState(5));

/** The answer to one call comes at once, and says that. */
function answered(facts: Partial<RateFacts>): RateState {
  return recordAnswer(one, 1, START, { ...SILENT, ...facts });
}
const from = (ms: number): number => START + ms;

describe('a call', () => {
  it('has a slot from the moment when it is sent', () => {
    expect(one).toEqual({
      limit: 5,
      lastId: 1,
      slots: [{ id: 1, endsBy: from(LONGEST_MS), reset: null }],
      window: null,
      blockedUntil: 0,
      seenAt: START,
    });
    expect(freshRateState(5)).toEqual({
      limit: 5,
      lastId: 0,
      slots: [],
      window: null,
      blockedUntil: 0,
      seenAt: 0,
    });
  });

  it('that has to wait takes no slot, and gets the end and the reason of the wait', () => {
    const full = called(called(freshRateState(2)), from(10));
    expect(reserveCall(full, from(20))).toEqual({
      state: { ...full, seenAt: from(20) },
      decision: { kind: 'wait', until: from(LONGEST_MS), why: 'limit' },
    });
    const refused = recordRefusal(recordRefusal(full, from(50)), from(40));
    expect(reserveCall(refused, from(20)).decision).toEqual({
      kind: 'wait',
      until: from(50),
      why: 'refused',
    });
    expect(reserveCall(refused, from(50)).decision).toMatchObject({ why: 'limit' });
  });
});

describe('the next free slot', () => {
  const both = called(called(freshRateState(2)));
  const untilOf = (state: RateState, now = START): number => {
    const { decision } = reserveCall(state, now);
    return decision.kind === 'wait' ? decision.until - START : 0;
  };

  it('comes with the first window that ends, in any order of the answers', () => {
    const answers = recordAnswer(recordAnswer(both, 2, from(1_000), SILENT), 1, from(3_000), SILENT);
    expect(untilOf(answers, from(4_000))).toBe(1_000 + WINDOW_MS);
    expect(reserveCall(answers, from(1_000 + WINDOW_MS - 1)).decision.kind).toBe('wait');
    expect(reserveCall(answers, from(1_000 + WINDOW_MS)).decision.kind).toBe('go');
  });

  it('comes with the last window under a limit that was lowered', () => {
    const lower = recordAnswer(recordAnswer(both, 1, from(1_000), SILENT), 2, from(3_000), {
      ...SILENT,
      limit: 1,
    });
    expect(untilOf(lower, from(4_000))).toBe(3_000 + WINDOW_MS);
  });

  it('comes with the end of the window in which other programs have used up the limit', () => {
    const facts = { limit: 5, remaining: 0, reset: from(30_000), date: START };
    const full = recordAnswer(one, 1, START, facts);
    expect(untilOf(full)).toBe(31_250);
    expect(reserveCall(full, from(31_249)).decision.kind).toBe('wait');
    expect(reserveCall(full, from(31_250)).decision.kind).toBe('go');
    // A call of ours that was never answered ends later, but takes one slot only.
    const unanswered = recordAnswer(called(one), 1, START, facts);
    expect(untilOf(unanswered)).toBe(31_250);
  });

  it('is that of a call that was not sent, and of no other', () => {
    const cancelled = cancelCall(both, 1);
    expect(cancelled.slots.map(({ id }) => id)).toEqual([2]);
    const again = reserveCall(cancelled, START);
    expect(again.decision).toEqual({ kind: 'go', id: 3 });
    expect(untilOf(again.state)).toBe(LONGEST_MS);
  });
});

describe('the window of an answered call', () => {
  it.each<[string, Partial<RateFacts>, number]>([
    ['its length after the answer, where nothing is said', {}, WINDOW_MS],
    ['its reset by the service’s own clock', { reset: from(130_000), date: from(100_000) }, 31_250],
    ['its reset by ours and five seconds, without a date', { reset: from(30_000) }, 36_250],
    [
      'its length, where the reset is later by less than ten seconds',
      { reset: from(68_750), date: START },
      WINDOW_MS,
    ],
    ['its reset, where it is longer', { reset: from(68_751), date: START }, 70_001],
    ['its reset, where it is an hour', { reset: from(3_598_750), date: START }, 3_600_000],
    ['its length, where the reset makes no sense', { reset: from(3_598_751), date: START }, WINDOW_MS],
    ['its length, where the reset is far and without a date', { reset: from(500_000) }, WINDOW_MS],
    ['its length, where the reset has long passed', { reset: from(-1_250), date: START }, WINDOW_MS],
    ['its reset, where that is a moment ahead', { reset: from(-1_249), date: START }, 1],
  ])('has ended by %s', (_, facts, endsInMs) => {
    const { slots } = answered(facts);
    expect(slots).toEqual([{ id: 1, endsBy: from(endsInMs), reset: facts.reset ?? null }]);
  });

  it.each<[string, Partial<RateFacts>, number, number]>([
    ['what the service counted', { limit: 9, remaining: 4 }, 9, 5],
    ['none where it did not say the rest', { limit: 9 }, 9, 0],
    ['none where it did not say the limit', { remaining: 4 }, 5, 0],
    ['none where more is left than allowed', { limit: 9, remaining: 10 }, 9, 0],
    ['all where nothing is left', { limit: 1, remaining: 0 }, 1, 1],
    ['by the former limit where the new one is none', { limit: 0, remaining: 0 }, 5, 0],
  ])('counts %s', (_, facts, limit, counted) => {
    const state = answered({ ...facts, reset: from(30_000), date: START });
    expect(state.limit).toBe(limit);
    expect(state.window).toEqual({ reset: from(30_000), endsBy: from(31_250), counted });
  });

  it('is the same as another whose reset is two seconds off, and no more', () => {
    const two = called(answered({ limit: 9, remaining: 4, reset: from(30_000), date: START }), from(1));
    const next = (reset: number, remaining: number) =>
      recordAnswer(two, 2, START, { limit: 9, remaining, reset, date: START });
    expect(next(from(32_000), 6)).toMatchObject({
      window: { reset: from(32_000), endsBy: from(31_250), counted: 5 },
      slots: [
        { id: 1, endsBy: from(31_250) },
        { id: 2, endsBy: from(31_250) },
      ],
    });
    expect(next(from(28_000), 2)).toMatchObject({
      window: { reset: from(28_000), endsBy: from(29_250), counted: 7 },
      slots: [
        { id: 1, endsBy: from(29_250) },
        { id: 2, endsBy: from(29_250) },
      ],
    });
    expect(next(from(32_001), 8).window).toEqual({ reset: from(32_001), endsBy: from(33_251), counted: 1 });
    // An older one changes nothing but the slot of its own call.
    expect(next(from(27_999), 0)).toMatchObject({
      window: { reset: from(30_000), counted: 5 },
      slots: [
        { id: 1, endsBy: from(31_250) },
        { id: 2, endsBy: from(29_249) },
      ],
    });
  });

  it('leaves room for the calls of other programs until it has ended', () => {
    const others = answered({ limit: 3, remaining: 0, reset: from(30_000), date: START });
    expect(reserveCall(others, from(31_249)).decision).toEqual({
      kind: 'wait',
      until: from(31_250),
      why: 'limit',
    });
    expect(reserveCall(others, from(31_250))).toMatchObject({
      decision: { kind: 'go', id: 2 },
      state: { window: null, slots: [{ id: 2 }] },
    });
  });
});

describe('a clock that was set back', () => {
  const known = recordRefusal(answered({ reset: from(30_000), date: START }), from(9_000));

  it('by more than a second moves all slots with it', () => {
    const { state } = reserveCall(known, from(-1_001));
    expect(state).toEqual({
      ...known,
      slots: [{ id: 1, endsBy: from(30_249), reset: from(30_000) }],
      window: { reset: from(30_000), endsBy: from(30_249), counted: 0 },
      blockedUntil: from(7_999),
      seenAt: from(-1_001),
    });
  });

  it('by a second or less moves no slot', () => {
    expect(reserveCall(known, from(-1_000)).state).toEqual(known);
  });

  it('removes the slots that have ended by then', () => {
    const { state } = reserveCall({ ...known, seenAt: from(40_000) }, from(9_000));
    expect(state).toMatchObject({ slots: [{ id: 2 }], window: null, blockedUntil: 0, seenAt: from(9_000) });
  });
});

describe('the expected time of calls', () => {
  it('is zero for no calls, and the requested wait where there is room', () => {
    const refused = recordRefusal(one, from(9_000));
    expect(expectedDurationMs(refused, 0, START)).toBe(0);
    expect(expectedDurationMs(refused, 4, START)).toBe(9_000);
    expect(expectedDurationMs(refused, 4, from(9_000))).toBe(0);
  });

  it('is a window for each round after those that find room', () => {
    expect(expectedDurationMs(one, 4, START)).toBe(0);
    expect(expectedDurationMs(one, 5, START)).toBe(60_000);
    expect(expectedDurationMs(one, 9, START)).toBe(60_000);
    expect(expectedDurationMs(one, 10, START)).toBe(60_000 + WINDOW_MS);
    expect(expectedDurationMs(recordRefusal(one, from(99_000)), 5, START)).toBe(99_000);
  });

  it('begins with the end of the first slot where there is no room', () => {
    const full = called(called(freshRateState(2)), from(10));
    expect(expectedDurationMs(full, 1, from(1_000))).toBe(LONGEST_MS - 1_000);
    expect(expectedDurationMs(full, 2, from(1_000))).toBe(LONGEST_MS - 1_000);
    expect(expectedDurationMs(full, 3, from(1_000))).toBe(LONGEST_MS - 1_000 + WINDOW_MS);
  });
});
