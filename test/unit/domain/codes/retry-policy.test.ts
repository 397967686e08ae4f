// When what failed at a lock is tried again.
import { expect, it } from 'vitest';
import { pauseMs } from '../../../../src/domain/codes/retry-policy.ts';

const MINUTE = 60_000;

it('what is not ready is tried again within seconds for ten minutes, then as what a lock refused', () => {
  const pauses = Array.from({ length: 45 }, (_, index) => pauseMs(index + 1, 'not-ready'));
  expect(pauses.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect(pauses.slice(0, 43).reduce((sum, ms) => sum + ms, 0)).toBe(10 * MINUTE);
  expect(pauses.slice(43)).toEqual([5 * MINUTE, 10 * MINUTE]);
});

it('what a lock refused is tried again after 5, 10, 20 minutes and so on, up to 6 hours', () => {
  const pauses = Array.from({ length: 8 }, (_, index) => pauseMs(index + 1, 'refused') / MINUTE);
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 360]);
});
