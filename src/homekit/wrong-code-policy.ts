// When wrong codes at a keypad are an alert: so many within so much time, and then the count begins anew.
import type { Instant } from '../domain/bolt.ts';

export interface WrongCodeLimits {
  /** That many wrong codes ... */
  readonly count: number;
  /** ... within that much time, in milliseconds. */
  readonly windowMs: number;
}

export interface WrongCodeCount {
  /** When the wrong codes were entered that still count, in any order. */
  readonly recent: readonly Instant[];
  readonly alert: boolean;
}

/** Counts one more wrong code, by when it was entered, not by when it was told. Which code it was is nobody's business. */
export function countWrongCode(
  earlier: readonly Instant[],
  at: Instant,
  { count, windowMs }: WrongCodeLimits,
): WrongCodeCount {
  const all = [...earlier, at];
  const newest = Math.max(...all);
  const recent = all.filter((one) => newest - one < windowMs);
  return recent.length < count ? { recent, alert: false } : { recent: [], alert: true };
}
