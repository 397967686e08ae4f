// Rate windows: properties against services whose windows begin where they like, by clocks that are off, and every limit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RateFacts } from '../../../../src/domain/polling/rate-facts.ts';
import {
  cancelCall,
  expectedDurationMs,
  freshRateState,
  RATE_WINDOW_MS,
  type RateState,
  recordAnswer,
  recordRefusal,
  reserveCall,
  WINDOW_MARGIN_MS,
} from '../../../../src/features/credentials/policy/rate-window-policy.ts';

const SILENT: RateFacts = { limit: null, remaining: null, reset: null, date: null };
const START = Date.UTC(2026, 3, 14, 12);
/** A call without an answer may be counted after 35 s, in a window that ends 60 s later, with a margin. */
const LONGEST_MS = 95_250;
const WINDOW_MS = 60_250;

const called = (state: RateState, now = START): RateState => reserveCall(state, now).state;
const FIRST = called(freshRateState(5));

/** The answer to one call comes at once, and says that. */
function answered(facts: Partial<RateFacts>): RateState {
  return recordAnswer(FIRST, 1, START, { ...SILENT, ...facts });
}
const from = (ms: number): number => START + ms;

interface ServiceFacts {
  readonly limit: number;
  /** Whether its windows begin with the minutes of its clock, and not with a call. */
  readonly aligned: boolean;
  readonly skewMs: number;
  readonly says: 'everything' | 'no-date' | 'nothing';
  readonly roundsUp: boolean;
}

/** A service with fixed windows, on a clock of its own. */
class Service {
  readonly perWindow: number[] = [];
  readonly #facts: ServiceFacts;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(facts: ServiceFacts) {
    this.#facts = facts;
  }

  /** Counts a call that arrives at this instant of true time; answers what its headers say. */
  count(at: number): RateFacts {
    const { limit, aligned, skewMs, says, roundsUp } = this.#facts;
    const now = at + skewMs;
    if (now >= this.#endsAt) {
      this.#endsAt = (aligned ? now - (now % RATE_WINDOW_MS) : now) + RATE_WINDOW_MS;
      this.perWindow.push(0);
    }
    const counted = (this.perWindow.at(-1) ?? 0) + 1;
    this.perWindow[this.perWindow.length - 1] = counted;
    const reset = (roundsUp ? Math.ceil : Math.floor)(this.#endsAt / 1_000) * 1_000;
    const date = says === 'everything' ? Math.floor(now / 1_000) * 1_000 : null;
    return says === 'nothing' ? SILENT : { limit, remaining: Math.max(limit - counted, 0), reset, date };
  }
}

interface InFlight {
  readonly id: number;
  readonly arrivesAt: number;
  readonly answersAt: number;
  readonly isLost: boolean;
  facts: RateFacts | null;
}

/**
 * Calls as fast as the policy lets them leave, several at a time. What is counted is counted when it arrives; some answers are
 * lost. Gives the instants at which calls left.
 */
function drive(service: Service, limit: number, calls: number, draws: () => number): readonly number[] {
  let state = freshRateState(limit);
  let now = START;
  const leftAt: number[] = [];
  const underWay: InFlight[] = [];
  const learn = (until: number): void => {
    for (const call of underWay.toSorted((one, other) => one.arrivesAt - other.arrivesAt)) {
      if (call.facts === null && call.arrivesAt <= until) {
        call.facts = service.count(call.arrivesAt);
      }
    }
    for (const call of [...underWay].filter(({ answersAt }) => answersAt <= until)) {
      underWay.splice(underWay.indexOf(call), 1);
      if (!call.isLost && call.facts !== null) {
        state = recordAnswer(state, call.id, call.answersAt, call.facts);
      }
    }
  };
  while (leftAt.length < calls) {
    const { state: next, decision } = reserveCall(state, now);
    state = next;
    if (decision.kind === 'wait') {
      expect(decision.until).toBeGreaterThan(now);
      const nextAnswer = Math.min(decision.until, ...underWay.map(({ answersAt }) => answersAt));
      now = Math.max(nextAnswer, now + 1);
      learn(now);
      continue;
    }
    leftAt.push(now);
    const arrivesAt = now + Math.floor(draws() * 400);
    const answersAt = arrivesAt + Math.floor(draws() * 400);
    underWay.push({ id: decision.id, arrivesAt, answersAt, isLost: draws() < 0.02, facts: null });
    now += Math.floor(draws() * 300);
    learn(now);
  }
  learn(Number.POSITIVE_INFINITY);
  return leftAt;
}

const services: fc.Arbitrary<ServiceFacts> = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  aligned: fc.boolean(),
  skewMs: fc.integer({ min: -5_000, max: 5_000 }),
  says: fc.constantFrom('everything', 'no-date', 'nothing'),
  roundsUp: fc.boolean(),
});

function drawsOf(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('the rate window policy', () => {
  it('never lets more than the limit into any window of the service (faults#39)', () => {
    fc.assert(
      fc.property(services, fc.integer({ min: 1, max: 1_000_000 }), (facts, seed) => {
        const service = new Service(facts);
        drive(service, facts.limit, facts.limit * 8, drawsOf(seed));
        expect(Math.max(...service.perWindow)).toBeLessThanOrEqual(facts.limit);
      }),
      { numRuns: 500 },
    );
  });

  it('loses little time: a window that its first call opens is used again within 1.5 s of its reset', () => {
    fc.assert(
      fc.property(services, fc.integer({ min: 1, max: 1_000_000 }), (facts, seed) => {
        const service = new Service({ ...facts, aligned: false });
        const draws = drawsOf(seed);
        const leftAt = drive(service, facts.limit, facts.limit * 4, () => Math.max(draws(), 0.03));
        const firsts = leftAt.filter((_, index) => index % facts.limit === 0);
        for (const [index, first] of firsts.slice(1).entries()) {
          // The call that opened the window was on its way for 0.8 s at the most.
          expect(first - (firsts[index] ?? 0)).toBeLessThanOrEqual(RATE_WINDOW_MS + 800 + WINDOW_MARGIN_MS);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a call', () => {
  it('has a slot from the moment when it is sent', () => {
    const fresh = { limit: 5, lastId: 0, slots: [], window: null, blockedUntil: 0, seenAt: 0 };
    const slot = { id: 1, endsBy: from(LONGEST_MS), reset: null };
    expect(freshRateState(5)).toEqual(fresh);
    expect(FIRST).toEqual({ ...fresh, lastId: 1, slots: [slot], seenAt: START });
  });

  it('that has to wait takes no slot, and gets the end and the reason of the wait', () => {
    const full = called(called(freshRateState(2)), from(10));
    expect(reserveCall(full, from(20))).toEqual({
      state: { ...full, seenAt: from(20) },
      decision: { kind: 'wait', until: from(LONGEST_MS), why: 'limit' },
    });
    const refused = recordRefusal(recordRefusal(full, from(50)), from(40));
    const wait = { kind: 'wait', until: from(50), why: 'refused' };
    expect(reserveCall(refused, from(20)).decision).toEqual(wait);
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
    const lower = { ...SILENT, limit: 1 };
    const lowered = recordAnswer(recordAnswer(both, 1, from(1_000), SILENT), 2, from(3_000), lower);
    expect(untilOf(lowered, from(4_000))).toBe(3_000 + WINDOW_MS);
  });

  it('comes with the end of the window in which other programs have used up the limit', () => {
    const facts = { limit: 5, remaining: 0, reset: from(30_000), date: START };
    const full = recordAnswer(FIRST, 1, START, facts);
    expect(untilOf(full)).toBe(31_250);
    expect(reserveCall(full, from(31_249)).decision.kind).toBe('wait');
    expect(reserveCall(full, from(31_250)).decision.kind).toBe('go');
    // A call of ours that was never answered ends later, but takes one slot only.
    const unanswered = recordAnswer(called(FIRST), 1, START, facts);
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
    ['its length, where the reset is little later', { reset: from(68_750), date: START }, WINDOW_MS],
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
    const next = (resetMs: number, remaining: number) => {
      const facts = { limit: 9, remaining, reset: from(resetMs), date: START };
      const { window, slots } = recordAnswer(two, 2, START, facts);
      return { window, slots: slots.map(({ endsBy }) => endsBy - START) };
    };
    const window = (resetMs: number, endsMs: number, counted: number) => ({
      reset: from(resetMs),
      endsBy: from(endsMs),
      counted,
    });
    expect(next(32_000, 6)).toEqual({ window: window(32_000, 31_250, 5), slots: [31_250, 31_250] });
    expect(next(28_000, 2)).toEqual({ window: window(28_000, 29_250, 7), slots: [29_250, 29_250] });
    expect(next(32_001, 8).window).toEqual(window(32_001, 33_251, 1));
    // An older one changes nothing but the slot of its own call.
    expect(next(27_999, 0)).toEqual({ window: window(30_000, 31_250, 5), slots: [31_250, 29_249] });
  });

  it('leaves room for the calls of other programs until it has ended', () => {
    const others = answered({ limit: 3, remaining: 0, reset: from(30_000), date: START });
    const wait = { kind: 'wait', until: from(31_250), why: 'limit' };
    expect(reserveCall(others, from(31_249)).decision).toEqual(wait);
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
    const refused = recordRefusal(FIRST, from(9_000));
    expect(expectedDurationMs(refused, 0, START)).toBe(0);
    expect(expectedDurationMs(refused, 4, START)).toBe(9_000);
    expect(expectedDurationMs(refused, 4, from(9_000))).toBe(0);
  });

  it('is a window for each round after those that find room', () => {
    expect(expectedDurationMs(FIRST, 4, START)).toBe(0);
    expect(expectedDurationMs(FIRST, 5, START)).toBe(60_000);
    expect(expectedDurationMs(FIRST, 9, START)).toBe(60_000);
    expect(expectedDurationMs(FIRST, 10, START)).toBe(60_000 + WINDOW_MS);
    expect(expectedDurationMs(recordRefusal(FIRST, from(99_000)), 5, START)).toBe(99_000);
  });

  it('begins with the end of the first slot where there is no room', () => {
    const full = called(called(freshRateState(2)), from(10));
    expect(expectedDurationMs(full, 1, from(1_000))).toBe(LONGEST_MS - 1_000);
    expect(expectedDurationMs(full, 2, from(1_000))).toBe(LONGEST_MS - 1_000);
    expect(expectedDurationMs(full, 3, from(1_000))).toBe(LONGEST_MS - 1_000 + WINDOW_MS);
  });
});
