// Exponential back-off: the pause doubles with each failure in a row, up to a limit.

/** Pauses in milliseconds: the one after a first failure, and the one that none exceeds. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause after that many failures in a row, 1 or more, in milliseconds and before jitter. */
export function backOffMs(failures: number, { firstMs, longestMs }: BackOff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
