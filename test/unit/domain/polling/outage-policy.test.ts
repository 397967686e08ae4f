// The meaning of failures in a row: their beginning, the pause, and the wait that the service asked for.
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterSleep,
  failingForMs,
  type Outage,
  outagePauseMs,
  restOfWaitMs,
} from '../../../../src/domain/polling/outage-policy.ts';

function after(...failures: readonly (readonly [now: number, waitMs: number | null])[]): Outage {
  const outage = failures.reduce<Outage | null>(
    (before, [now, waitMs]) => afterFailure(before, now, waitMs),
    null,
  );
  if (outage === null) {
    throw new Error('At least one failure is needed');
  }
  return outage;
}

describe('an outage', () => {
  it('lasts since its first failure, and has no beginning without one', () => {
    expect(failingForMs(after([1_000, null], [5_000, null]), 6_000)).toBe(5_000);
    expect(failingForMs(null, 6_000)).toBeNull();
  });

  it.each([
    [1, 2_000],
    [2, 4_000],
    [6, 60_000],
    [10, 60_000],
    [11, 120_000],
    [50, 120_000],
  ])('pauses after %i failures for %i ms', (failures, pauseMs) => {
    const times = Array.from({ length: failures }, (_, at) => [at, null] as const);
    expect(outagePauseMs(after(...times))).toBe(pauseMs);
  });

  it.each<[string, Outage | null, number]>([
    ['is nothing without an outage', null, 0],
    ['is nothing where the service named none', after([0, null]), 0],
    ['is what is left of the named one', after([0, 30_000]), 20_000],
    ['is over afterwards', after([0, 9_000]), 0],
    ['outlives a failure that names none (faults#38)', after([0, 30_000], [5_000, null]), 20_000],
    ['is that of the latest', after([0, 30_000], [5_000, 60_000]), 55_000],
    ['goes on while the machine sleeps', afterSleep(after([0, 30_000]), 15_000), 5_000],
    ['is over after a longer sleep', afterSleep(after([0, 30_000]), 3_600_000), 0],
    ['is nothing after a sleep where the service named none', afterSleep(after([0, null]), 15_000), 0],
    ['is nothing after a sleep without an outage', afterSleep(null, 15_000), 0],
  ])('the wait %s', (_title, outage, restMs) => {
    expect(restOfWaitMs(outage, 10_000)).toBe(restMs);
  });
});
