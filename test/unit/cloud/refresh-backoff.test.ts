// The pause after a failed renewal: its length for each failure, and its end.
import { describe, expect, it } from 'vitest';
import { RefreshBackoff, retryAfterMs } from '../../../src/cloud/account/refresh-backoff.ts';
import { FinalError, type LatchkeyError, RetryError, WaitError } from '../../../src/support/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const FAULT = new RetryError('server-fault', 'HTTP 500.');
const REFUSED = new FinalError('bad-configuration', 'The client is refused.');

/** After these failures in a row, how long the last one stops renewals, in milliseconds. */
async function pauseAfter(...errors: readonly LatchkeyError[]): Promise<number> {
  const clock = new ManualClock();
  const backoff = new RefreshBackoff(clock);
  for (const error of errors) {
    backoff.failed(error);
  }
  for (let ms = 0; ms < 600_000; ms += 500) {
    try {
      backoff.throwWhileItLasts();
      return ms;
    } catch {
      await clock.advance(500);
    }
  }
  throw new Error('It never ends');
}

describe('a renewal that failed', () => {
  it.each<[string, number, readonly LatchkeyError[]]>([
    ['once, 2 s', 2_000, [FAULT]],
    ['three times, 8 s', 8_000, [FAULT, FAULT, FAULT]],
    ['ten times, a minute', 60_000, Array.from({ length: 10 }, () => FAULT)],
    [
      'without a network ten times, 2 s',
      2_000,
      Array.from({ length: 10 }, () => new RetryError('unreachable', 'No.')),
    ],
    [
      'at a full disk ten times, 2 s',
      2_000,
      Array.from({ length: 10 }, () => new RetryError('storage-failed', 'Full.')),
    ],
    ['for a configuration that is refused, five minutes', 300_000, [REFUSED]],
    ['with a wait, as long as the server asks', 7_500, [new WaitError('rate-limited', 'Later.', 7_500)]],
  ])('pauses renewals: %s', async (_, expected, errors) => {
    expect(await pauseAfter(...errors)).toBe(expected);
  });

  it.each([
    ['asleep, which counts', 7_000, 3_000 - 1],
    ['with a clock that was set by a little, which does not', 4_000, 10_000 - 1],
  ])('is paused for while the machine is %s', async (_, wallGainMs, restMs) => {
    const clock = new ManualClock();
    const backoff = new RefreshBackoff(clock);
    backoff.failed(new WaitError('rate-limited', 'Later.', 10_000));
    clock.jumpWallTo(clock.now() + wallGainMs);
    await clock.advance(restMs);
    const renew = (): void => {
      backoff.throwWhileItLasts();
    };
    expect(renew).toThrow(expect.objectContaining({ waitMs: 1 }));
    await clock.advance(1);
    expect(renew).not.toThrow();
  });

  it('is tried again at once twice, when the server may have received it', () => {
    const lost = new RetryError('timed-out', 'No answer.');
    expect([0, 1, 2].map((tries) => retryAfterMs(tries, lost))).toEqual([1_000, 3_000, null]);
    expect(retryAfterMs(0, new RetryError('unreachable', 'No network.'))).toBeNull();
    expect(retryAfterMs(0, REFUSED)).toBeNull();
  });
});
