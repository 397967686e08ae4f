import { expect, test } from 'vitest';
import { type BatteryLevel, withLevel } from '../../../../src/domain/history/battery-course.ts';

const DAY_MS = 86_400_000;

const course = (...levels: readonly (readonly [number, number])[]): readonly BatteryLevel[] =>
  levels
    .map(([day, percent]) => ({ at: day * DAY_MS, percent }))
    .reduce<readonly BatteryLevel[]>((known, level) => withLevel(known, level), []);

const percents = (levels: readonly BatteryLevel[]): readonly number[] => levels.map(({ percent }) => percent);

test('an unchanged level adds nothing, and returns the same course', () => {
  const before = course([1, 90], [2, 88]);
  expect(withLevel(before, { at: 3 * DAY_MS, percent: 88 })).toBe(before);
});

test('of one day the last level stays, and the beginning of the course stays always', () => {
  expect(percents(course([1, 90], [1.2, 89]))).toEqual([90, 89]);
  expect(percents(course([1, 90], [2, 88], [2.1, 87], [2.9, 99]))).toEqual([90, 99]);
});

test('a level that is older than the last changes nothing', () => {
  expect(percents(course([5, 90], [4, 80]))).toEqual([90]);
});

test('keeps 400 levels, the newest', () => {
  const many = course(...Array.from({ length: 500 }, (_, day) => [day, day % 100] as const));
  expect(many).toHaveLength(400);
  expect(many.at(-1)?.at).toBe(499 * DAY_MS);
});
