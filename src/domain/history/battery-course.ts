// The course of a battery: one level for each day on which it changed.
import type { Instant } from '../time/instant.ts';

export interface BatteryLevel {
  readonly at: Instant;
  /** Whole percent. */
  readonly percent: number;
}

/** Levels that are kept of one lock (our choice): more than a battery lasts. */
const MOST_LEVELS = 400;

const DAY_MS = 86_400_000;

/** The course with this level. An unchanged level adds nothing; of one day, the last level stays. */
export function withLevel(course: readonly BatteryLevel[], level: BatteryLevel): readonly BatteryLevel[] {
  const last = course.at(-1);
  if (last !== undefined && (last.percent === level.percent || last.at >= level.at)) {
    return course;
  }
  const isSameDay = last !== undefined && Math.floor(last.at / DAY_MS) === Math.floor(level.at / DAY_MS);
  // The first level stays: a course needs a beginning.
  const before = isSameDay && course.length > 1 ? course.slice(0, -1) : course;
  return [...before, level].slice(-MOST_LEVELS);
}
