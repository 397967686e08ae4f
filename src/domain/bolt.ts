// The smallest words of the house: what a bolt can be, and the instants at which it is said to be so.

/** Milliseconds since the Unix epoch on the service's clock, so that a jump of our own clock reorders nothing. */
export type Instant = number;

/** Where a bolt can rest, and so what a person can wish for. */
export type BoltPosition = 'secured' | 'unsecured';

/** What can be said of a bolt. `jammed` is a state of the lock, not a failure of ours. */
export type BoltState = BoltPosition | 'jammed' | 'unknown';

export function isBoltPosition(bolt: BoltState): bolt is BoltPosition {
  return bolt === 'secured' || bolt === 'unsecured';
}
