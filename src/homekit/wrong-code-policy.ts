// When wrong codes at a keypad are an alert: so many within so much time, and then the count begins anew.

export interface WrongCodeLimits {
  /** That many wrong codes ... */
  readonly count: number;
  /** ... within that much time, in milliseconds. */
  readonly windowMs: number;
}

export interface WrongCodeCount {
  /** The instants of the wrong codes that still count, oldest first, in milliseconds of a clock that never jumps. */
  readonly recent: readonly number[];
  readonly alert: boolean;
}

/** Counts one more wrong code, entered `now`. Which code it was is nobody's business. */
export function countWrongCode(
  earlier: readonly number[],
  now: number,
  { count, windowMs }: WrongCodeLimits,
): WrongCodeCount {
  const recent = [...earlier.filter((at) => now - at < windowMs), now];
  return recent.length < count ? { recent, alert: false } : { recent: [], alert: true };
}
