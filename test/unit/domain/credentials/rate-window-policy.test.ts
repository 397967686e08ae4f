// Rate window arithmetic as properties: against services whose windows begin where they like, by clocks that are off.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cancelCall,
  expectedDurationMs,
  freshRateState,
  MAX_IN_FLIGHT_MS,
  RATE_WINDOW_MS,
  type RateFacts,
  type RateState,
  recordAnswer,
  recordRefusal,
  reserveCall,
  WINDOW_MARGIN_MS,
} from '../../../../src/domain/credentials/rate-window-policy.ts';

const NOTHING_SAID: RateFacts = { limit: null, remaining: null, reset: null, date: null };
const START = Date.UTC(2026, 3, 14, 12);

/** A service with fixed windows, on a clock of its own. */
class Service {
  readonly perWindow: number[] = [];
  readonly #limit: number;
  readonly #aligned: boolean;
  readonly #skewMs: number;
  readonly #says: 'everything' | 'no-date' | 'nothing';
  readonly #round: (seconds: number) => number;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(facts: {
    limit: number;
    aligned: boolean;
    skewMs: number;
    says: 'everything' | 'no-date' | 'nothing';
    roundsUp: boolean;
  }) {
    this.#limit = facts.limit;
    this.#aligned = facts.aligned;
    this.#skewMs = facts.skewMs;
    this.#says = facts.says;
    this.#round = facts.roundsUp ? Math.ceil : Math.floor;
  }

  /** Counts a call that arrives at this instant of true time; answers what its headers say. */
  count(at: number): RateFacts {
    const now = at + this.#skewMs;
    if (now >= this.#endsAt) {
      const opensAt = this.#aligned ? now - (now % RATE_WINDOW_MS) : now;
      this.#endsAt = opensAt + RATE_WINDOW_MS;
      this.perWindow.push(0);
    }
    const counted = (this.perWindow.at(-1) ?? 0) + 1;
    this.perWindow[this.perWindow.length - 1] = counted;
    if (this.#says === 'nothing') {
      return NOTHING_SAID;
    }
    return {
      limit: this.#limit,
      remaining: Math.max(this.#limit - counted, 0),
      reset: this.#round(this.#endsAt / 1_000) * 1_000,
      date: this.#says === 'everything' ? Math.floor(now / 1_000) * 1_000 : null,
    };
  }
}

interface InFlight {
  readonly id: number;
  readonly arrivesAt: number;
  readonly answersAt: number;
}

/**
 * Calls as fast as the policy lets them leave, several at a time. What is counted is counted when it arrives; some answers are
 * lost. Gives the instants at which calls left.
 */
function drive(service: Service, limit: number, calls: number, draws: () => number): readonly number[] {
  let state = freshRateState(limit);
  let now = START;
  const leftAt: number[] = [];
  const underWay: (InFlight & { facts: RateFacts | null; lost: boolean })[] = [];
  const learn = (until: number): void => {
    for (const call of underWay.toSorted((one, other) => one.arrivesAt - other.arrivesAt)) {
      if (call.facts === null && call.arrivesAt <= until) {
        call.facts = service.count(call.arrivesAt);
      }
    }
    for (const call of [...underWay].filter(({ answersAt }) => answersAt <= until)) {
      underWay.splice(underWay.indexOf(call), 1);
      if (!call.lost && call.facts !== null) {
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
    underWay.push({
      id: decision.id,
      arrivesAt,
      answersAt: arrivesAt + Math.floor(draws() * 400),
      facts: null,
      lost: draws() < 0.02,
    });
    now += Math.floor(draws() * 300);
    learn(now);
  }
  learn(Number.POSITIVE_INFINITY);
  return leftAt;
}

const services = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  aligned: fc.boolean(),
  skewMs: fc.integer({ min: -5_000, max: 5_000 }),
  says: fc.constantFrom('everything' as const, 'no-date' as const, 'nothing' as const),
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

  it('learns a higher and a lower limit from the headers', () => {
    for (const limit of [3, 250]) {
      let state = freshRateState(100);
      const first = reserveCall(state, START);
      expect(first.decision.kind).toBe('go');
      const facts = { limit, remaining: limit - 1, reset: START + RATE_WINDOW_MS, date: START };
      state = recordAnswer(first.state, 1, START, facts);
      let left = 1;
      for (;;) {
        const { state: next, decision } = reserveCall(state, START);
        state = next;
        if (decision.kind === 'wait') {
          break;
        }
        left += 1;
      }
      expect(left).toBe(limit);
    }
  });

  it('leaves room for calls of other machines that the headers report', () => {
    const { state } = reserveCall(freshRateState(100), START);
    const facts = { limit: 100, remaining: 2, reset: START + 30_000, date: START };
    let after = recordAnswer(state, 1, START, facts);
    for (const expected of ['go', 'go', 'wait']) {
      const { state: next, decision } = reserveCall(after, START);
      expect(decision.kind).toBe(expected);
      after = next;
    }
    expect(reserveCall(after, START + 32_000).decision.kind).toBe('go');
  });

  it('holds the slot of a call without an answer for as long as the call may still be counted', () => {
    const { state } = reserveCall(freshRateState(1), START);
    const longest = MAX_IN_FLIGHT_MS + RATE_WINDOW_MS + WINDOW_MARGIN_MS;
    expect(reserveCall(state, START + longest - 1).decision).toMatchObject({
      kind: 'wait',
      until: START + longest,
    });
    expect(reserveCall(state, START + longest).decision.kind).toBe('go');
  });

  it('frees the slot of a call that was not sent', () => {
    const { state } = reserveCall(freshRateState(1), START);
    expect(reserveCall(cancelCall(state, 1), START).decision.kind).toBe('go');
  });

  it('waits after a refusal, whatever room there is', () => {
    const refused = recordRefusal(freshRateState(100), START + 37_000);
    expect(reserveCall(refused, START + 36_999).decision).toEqual({
      kind: 'wait',
      until: START + 37_000,
      why: 'refused',
    });
    expect(reserveCall(refused, START + 37_000).decision.kind).toBe('go');
  });

  it('does not wait for hours after the clock was set back', () => {
    const { state } = reserveCall(freshRateState(1), START);
    const back = START - 3_600_000;
    const { state: moved, decision } = reserveCall(state, back);
    expect(decision).toMatchObject({ kind: 'wait' });
    const longest = MAX_IN_FLIGHT_MS + RATE_WINDOW_MS + WINDOW_MARGIN_MS;
    expect(reserveCall(moved, back + longest).decision.kind).toBe('go');
  });

  it.each([
    ['in the past', { reset: START - 5_000, date: START }],
    ['of next year', { reset: START + 365 * 86_400_000, date: START }],
    ['without a date', { reset: START + 500_000, date: null }],
  ])('takes a reset %s for no more than a window of 60 s', (_, said) => {
    const { state } = reserveCall(freshRateState(1), START);
    const after = recordAnswer(state, 1, START, { limit: 1, remaining: 0, ...said });
    expect(reserveCall(after, START + RATE_WINDOW_MS + WINDOW_MARGIN_MS).decision.kind).toBe('go');
    expect(reserveCall(after, START + RATE_WINDOW_MS - 1).decision.kind).toBe('wait');
  });

  it('believes a longer window of the service, up to an hour', () => {
    const { state } = reserveCall(freshRateState(1), START);
    const facts = { limit: 1, remaining: 0, reset: START + 600_000, date: START };
    const after = recordAnswer(state, 1, START, facts);
    expect(reserveCall(after, START + 599_000).decision.kind).toBe('wait');
    expect(reserveCall(after, START + 602_000).decision.kind).toBe('go');
  });

  it('keeps what it knows of a newer window when an answer of an older one comes late', () => {
    let state: RateState = freshRateState(2);
    state = reserveCall(state, START).state;
    state = reserveCall(state, START).state;
    const newer = { limit: 2, remaining: 0, reset: START + 120_000, date: START + 61_000 };
    state = recordAnswer(state, 2, START + 61_000, newer);
    const older = { limit: 2, remaining: 1, reset: START + 60_000, date: START };
    state = recordAnswer(state, 1, START + 61_000, older);
    expect(state.window?.reset).toBe(START + 120_000);
    expect(reserveCall(state, START + 62_000).decision.kind).toBe('wait');
  });

  it('expects an import to take a window for each hundred calls after the first', () => {
    const state = freshRateState(100);
    expect(expectedDurationMs(state, 0, START)).toBe(0);
    expect(expectedDurationMs(state, 100, START)).toBe(0);
    expect(expectedDurationMs(state, 101, START)).toBe(RATE_WINDOW_MS);
    expect(Math.round(expectedDurationMs(state, 1_000, START) / RATE_WINDOW_MS)).toBe(9);
  });
});
