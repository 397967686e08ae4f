// When the way of webhooks is tested, and when its silence is a reason for doubt: the policy as a table.
import { describe, expect, it } from 'vitest';
import {
  type DeliveryPathFacts,
  EVENT_VOUCHES_MS,
  nextTestAt,
  silentAt,
  testsAreInconclusive,
} from '../../../../src/domain/webhooks/self-test-policy.ts';

const NEW: DeliveryPathFacts = {
  now: 1_000_000,
  lastEventAt: null,
  lastThroughAt: null,
  lastTestAt: null,
  failures: 0,
  testable: true,
};

describe('a self-test', () => {
  const cameThrough = { lastTestAt: 900_000, lastThroughAt: 900_000 };

  it.each<[string, Partial<DeliveryPathFacts>, number | null]>([
    ['at once when there was none', {}, 1_000_000],
    ['never while it would tell nothing', { testable: false }, null],
    ['five minutes after the last one that came through', cameThrough, 1_200_000],
    ['five minutes after a later event', { ...cameThrough, lastEventAt: 990_000 }, 1_290_000],
    ['half a minute after one that was lost', { lastTestAt: 990_000, failures: 1 }, 1_020_000],
    ['ever later when more are lost', { lastTestAt: 990_000, failures: 3 }, 1_110_000],
    ['after a quarter of an hour at the latest', { lastTestAt: 990_000, failures: 40 }, 1_890_000],
  ])('is due or not: %s', (_title, facts, due) => {
    expect(nextTestAt({ ...NEW, ...facts })).toBe(due);
  });
});

describe('silence of webhooks', () => {
  const untested = { failures: 9, lastTestAt: 900_000 };
  const tested = { lastThroughAt: 500_000, lastTestAt: 900_000 };
  it.each<[string, Partial<DeliveryPathFacts>, number | null]>([
    ['never while nothing has ever come in', untested, null],
    ['not after one test was lost', { ...tested, failures: 1 }, null],
    ['after two tests were lost', { ...tested, failures: 2 }, 900_000],
    ['but not while an event came in of late', { ...tested, failures: 2, lastEventAt: 890_000 }, 1_190_000],
    ['half a day after the last event without any test', { ...untested, lastEventAt: 800_000 }, 44_000_000],
  ])('is a reason for doubt or not: %s', (_title, facts, at) => {
    expect(silentAt({ ...NEW, ...facts })).toBe(at);
  });

  it('of the tests alone is no reason when events arrive although the tests are lost', () => {
    const lost = { ...NEW, ...tested, failures: 2 };
    expect(testsAreInconclusive({ ...lost, lastEventAt: 900_001 })).toBe(true);
    expect(testsAreInconclusive({ ...lost, lastEventAt: 900_000 })).toBe(false);
    expect(EVENT_VOUCHES_MS).toBe(43_200_000);
    expect(testsAreInconclusive({ ...lost, lastEventAt: 900_001, failures: 1 })).toBe(false);
  });
});
