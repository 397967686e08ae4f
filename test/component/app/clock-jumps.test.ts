// The wall clock of the machine jumps by days while the account is used: timers and tokens go by the other clock.
import { describe, expect, it } from 'vitest';
import { boltOf } from '../../../src/domain/locks/lock.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 4;

/** Renewals of the token in some hours of a life in which the wall clock is set at a given hour, with a restart or not. */
async function renewals(jumpMs: number, restarts: boolean): Promise<number> {
  const home = await SimulatedHome.linked();
  for (let hour = 0; hour < HOURS; hour += 1) {
    if (hour === 2) {
      await home.clock.advance(HOUR_MS / 2);
      home.wallOffMs += jumpMs;
      if (restarts) {
        await home.restart();
      }
      await home.clock.advance(HOUR_MS / 2);
    } else {
      await home.clock.advance(HOUR_MS);
    }
  }
  expect(home.app.runtime.linkState()).toBe('linked');
  expect(home.app.runtime.locks().map(boltOf)).toEqual(['secured', 'secured', 'secured']);
  const posts = await home.requests('POST', '/token');
  await home.close();
  return posts.filter(({ body }) => body?.includes('grant_type=refresh_token')).length;
}

/** The same hours without a jump, once for each way. */
const undisturbedLives = new Map<boolean, Promise<number>>();

async function undisturbedRenewals(restarts: boolean): Promise<number> {
  const known = undisturbedLives.get(restarts) ?? renewals(0, restarts);
  undisturbedLives.set(restarts, known);
  return known;
}

describe('a wall clock that is set', () => {
  it.each([
    [1, false],
    [-1, false],
    [30, false],
    [1, true],
    [-1, true],
  ])(
    'by %i day(s), with a restart: %s, costs one renewal of the token at most (faults#20)',
    async (days, restarts) => {
      const undisturbed = await undisturbedRenewals(restarts);
      const jumped = await renewals(days * DAY_MS, restarts);
      expect(undisturbed).toBeGreaterThanOrEqual(HOURS - 1);
      expect(jumped).toBeGreaterThanOrEqual(undisturbed);
      expect(jumped).toBeLessThanOrEqual(undisturbed + 1);
    },
  );
});
