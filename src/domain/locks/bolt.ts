// The states of a bolt.

/** The positions in which a bolt can rest, and that can be requested. */
export type BoltPosition = 'secured' | 'unsecured';

/** Every state of a bolt. `jammed` is a state of the lock, not a failure of ours. */
export type BoltState = BoltPosition | 'jammed' | 'unknown';

export function isBoltPosition(bolt: BoltState): bolt is BoltPosition {
  return bolt === 'secured' || bolt === 'unsecured';
}
