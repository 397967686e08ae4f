// One lock in the form that pages and the command line show.
import { speakableName } from '../domain/access.ts';
import type { BoltPosition, BoltState, Instant } from '../domain/bolt.ts';
import {
  type Battery,
  boltOf,
  type LastMove,
  type Lock,
  type LockDescription,
  type LockId,
  type Presence,
} from '../domain/lock.ts';

/** Instants are on the service's clock. */
export interface LockView {
  readonly id: LockId;
  readonly description: LockDescription;
  readonly bolt: BoltState;
  /** The instant for which the position was last confirmed; null when it never was. */
  readonly confirmedAt: Instant | null;
  readonly target: BoltPosition | null;
  readonly presence: Presence;
  readonly battery: Battery;
  readonly lastMove: LastMove | null;
}

export function viewOf(lock: Lock): LockView {
  return {
    id: lock.id,
    description: lock.description,
    bolt: boltOf(lock),
    confirmedAt: lock.belief.confirmedAt,
    target: lock.target,
    presence: lock.presence,
    battery: lock.battery,
    lastMove: lock.lastMove === null ? null : speakableMove(lock.lastMove),
  };
}

/** The move without a name that may be a secret. */
export function speakableMove(move: LastMove): LastMove {
  return { ...move, by: { ...move.by, name: speakableName(move.by.name) } };
}
