// The estimate of the service's clock in single steps: the effect of each answer, sleep, question and event.
import { describe, expect, it } from 'vitest';
import {
  answered,
  askedAt,
  boundsOf,
  eventReceived,
  likeliest,
  noticeSleep,
  questionAsked,
  type TimeEstimate,
  unmeasured,
} from '../../../../src/domain/time/estimate.ts';

const WALL = 1_000_000;
const begun = unmeasured({ monotonicMs: 0, wallMs: WALL });
/** The machine is awake until that monotonic time. */
const awake = (estimate: TimeEstimate, monotonicMs: number, sleptMs = 0): TimeEstimate =>
  noticeSleep(estimate, { monotonicMs, wallMs: WALL + monotonicMs + sleptMs });
/** Known to 1.1 s: the date counts whole seconds, and its answer took 100 ms. */
const measured = answered(awake(begun, 100), { dateMs: WALL, sentAt: 0, receivedAt: 100 });

describe('the estimate before the first answer', () => {
  it('takes the machine’s clock, and is exact to two seconds', () => {
    const estimate = unmeasured({ monotonicMs: 1_000, wallMs: 500_000 });
    const bounds = { earliest: 500_000, latest: 502_000, unconfirmedSleepMs: 0, setBackMs: 0 };
    expect(boundsOf(estimate)).toEqual(bounds);
    expect(estimate.sleeps).toEqual([]);
    expect(likeliest(estimate)).toBeNull();
  });

  it.each([
    ['a date one minute ahead', begun, WALL + 60_000, 0, true],
    ['a date further ahead waits for a second', begun, WALL + 60_001, 0, false],
    ['after an unconfirmed sleep, as much more', awake(begun, 100, 10_000), WALL + 60_100, 100, true],
    ['after it, further ahead is too far', awake(begun, 100, 10_000), WALL + 60_101, 100, false],
  ] as const)('believes %s', (_, estimate, dateMs, at, isMeasured) => {
    expect(answered(estimate, { dateMs, sentAt: at, receivedAt: at }).isMeasured).toBe(isMeasured);
  });
});

describe('the likeliest time', () => {
  it('is the middle of what the answers allow, and half of that is its uncertainty', () => {
    expect(likeliest(measured)).toEqual({ at: 1_000_550, uncertaintyMs: 550 });
    expect(boundsOf(measured)).toMatchObject({ earliest: 1_000_000, latest: 1_001_100 });
  });

  it('follows the claim of a date that waits for a second one', () => {
    const strange = answered(awake(begun, 100), { dateMs: 2 * WALL, sentAt: 0, receivedAt: 100 });
    expect(likeliest(strange)).toEqual({ at: 2_000_550, uncertaintyMs: 550 });
    expect(boundsOf(strange)).toMatchObject({ earliest: 1_000_100, latest: 1_002_100 });
  });
});

describe('two dates', () => {
  it('agree when they have one millisecond in common', () => {
    const exact = answered(measured, { dateMs: 1_001_100, sentAt: 100, receivedAt: 100 });
    expect(boundsOf(exact)).toMatchObject({ earliest: 1_001_100, latest: 1_001_100 });
    const strange = answered(measured, { dateMs: 1_001_101, sentAt: 100, receivedAt: 100 });
    const contradiction = { low: 1_001_001, high: 1_002_001, measuredAt: 100 };
    expect(strange).toEqual({ ...measured, contradiction });
  });

  it('that contradict the estimate count together, unless both were under way at once', () => {
    const first = answered(awake(measured, 300), { dateMs: 5 * WALL, sentAt: 200, receivedAt: 300 });
    const then = awake(first, 400);
    expect(answered(then, { dateMs: 5 * WALL, sentAt: 299, receivedAt: 400 })).toBe(then);
    const second = answered(then, { dateMs: 5 * WALL, sentAt: 300, receivedAt: 400 });
    expect(boundsOf(second)).toMatchObject({ earliest: 5_000_099, latest: 5_001_100 });
    expect(second.contradiction).toBeNull();
  });
});

describe('an estimate that goes back', () => {
  const reported = eventReceived(begun, WALL);

  it.each([
    ['by a millisecond says so, and forgets what was dated until then', 1, 1, Number.NEGATIVE_INFINITY],
    ['by nothing keeps it', 0, 0, WALL],
  ] as const)('%s', (_, receivedAt, setBackMs, datedUntil) => {
    const next = answered(awake(reported, receivedAt), { dateMs: WALL, sentAt: 0, receivedAt });
    expect([next.setBackMs, next.datedUntil]).toEqual([setBackMs, datedUntil]);
  });

  it('is not reported when the estimate goes on', () => {
    const next = answered(reported, { dateMs: WALL + 30_000, sentAt: 0, receivedAt: 0 });
    expect([next.setBackMs, next.datedUntil]).toEqual([0, WALL]);
  });
});

describe('a sleep', () => {
  it('is not assumed while both clocks go on alike: only the time is noted', () => {
    expect(awake(begun, 100)).toEqual({ ...begun, seen: { monotonicMs: 100, wallMs: WALL + 100 } });
  });

  it('is remembered for as long as a question may be under way', () => {
    const once = awake(begun, 2_000, 10_000);
    expect(once.sleeps).toEqual([{ noticedAt: 2_000, ms: 10_000 }]);
    expect(boundsOf(once)).toMatchObject({ earliest: 1_002_000, unconfirmedSleepMs: 10_000 });
    expect(awake(once, 61_999, 30_000).sleeps).toEqual([
      { noticedAt: 2_000, ms: 10_000 },
      { noticedAt: 61_999, ms: 20_000 },
    ]);
    expect(awake(once, 62_000, 30_000).sleeps).toEqual([{ noticedAt: 62_000, ms: 20_000 }]);
  });

  it('that is not confirmed makes no question later', () => {
    expect(askedAt(awake(measured, 200, 10_000), 200)).toBe(1_000_097);
  });
});

describe('a question', () => {
  it('is dated by the earliest time of the service, with the drift of both clocks since', () => {
    expect(askedAt(measured, 50)).toBe(999_950);
    expect(askedAt(measured, 1_000_100)).toBe(1_999_800);
  });

  it('is later than everything dated before it', () => {
    expect(questionAsked(eventReceived(measured, 999_000)).datedUntil).toBe(999_001);
  });
});

describe('an estimate from before a sleep', () => {
  const asleep = awake(measured, 200, 10_000);
  const confirmed = answered(asleep, { dateMs: null, sentAt: 200, receivedAt: 200 });

  it('is confirmed by an answer without a date: a sleep is likelier than a clock that was set', () => {
    expect(confirmed).toEqual({ ...asleep, unconfirmedSleepMs: 0 });
  });

  it('dates a question from before the sleep as if there had been none', () => {
    expect(askedAt(confirmed, 150)).toBe(1_000_049);
    expect(askedAt(confirmed, 200)).toBe(1_010_097);
  });

  it('is less exact with time, in both directions', () => {
    expect(boundsOf(awake(measured, 1_000_100))).toMatchObject({ earliest: 1_999_800, latest: 2_001_300 });
  });
});

describe('an event', () => {
  it('may be dated up to the latest time of the service’s clock, and no later', () => {
    const { latest } = boundsOf(measured);
    expect(eventReceived(measured, latest).datedUntil).toBe(latest);
    expect(eventReceived(measured, latest + 1)).toBe(measured);
  });

  it('moves the last date on, and an older or equal one does not', () => {
    const reported = eventReceived(measured, 999_000);
    expect(reported).toEqual({ ...measured, datedUntil: 999_000 });
    expect(eventReceived(reported, 999_000)).toBe(reported);
    expect(eventReceived(reported, 998_999)).toBe(reported);
  });
});
