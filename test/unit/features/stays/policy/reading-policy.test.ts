// When a calendar is read again.
import { expect, it } from 'vitest';
import { nextReadingMs } from '../../../../../src/features/stays/policy/reading-policy.ts';

const MINUTE_MS = 60_000;

it('a calendar is read every quarter of an hour, an hour apart at most after failures, and never before the portal wants it', () => {
  expect(nextReadingMs(0, 0)).toBe(15 * MINUTE_MS);
  expect(nextReadingMs(20, 0)).toBe(60 * MINUTE_MS);
  expect(nextReadingMs(1, 0.9, 3 * 60 * MINUTE_MS)).toBe(180 * MINUTE_MS);
  expect(nextReadingMs(20, 0, MINUTE_MS)).toBe(60 * MINUTE_MS);
});
