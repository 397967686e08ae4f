// One lock in the form that pages and the command line show.
import { speakableAccessor } from '../../domain/locks/access.ts';
import type { BoltPosition, BoltState } from '../../domain/locks/bolt.ts';
import { lastConfirmedAt } from '../../domain/locks/evidence-policy.ts';
import { boltOf, type Lock } from '../../domain/locks/lock.ts';
import type { LastMove } from '../../domain/locks/move.ts';
import type { Instant } from '../../domain/time/instant.ts';

/** Members of a lock that no page shows. */
type Hidden = 'belief' | 'presenceAt' | 'batteryAt' | 'inFlight' | 'recent' | 'device' | 'wifiDbm';

/** Every other fact of a lock, with the belief as a position. Instants are on the service's clock. */
export interface LockView extends Omit<Lock, Hidden> {
  readonly bolt: BoltState;
  /** The instant for which the position was last confirmed; null when it never was. */
  readonly confirmedAt: Instant | null;
  /** The last command since this process began; null without one. */
  readonly lastCommand: LastCommand | null;
}

export interface LastCommand {
  readonly target: BoltPosition;
  /** When the command was sent. */
  readonly sentAt: Instant;
  /** Until then the command may have moved the bolt; null while that is not known. */
  readonly movesUntil: Instant | null;
}

export function viewOf(lock: Lock): LockView {
  return {
    id: lock.id,
    description: lock.description,
    bolt: boltOf(lock),
    confirmedAt: lastConfirmedAt(lock.belief),
    target: lock.target,
    lastCommand: lastCommandOf(lock),
    presence: lock.presence,
    battery: lock.battery,
    leftUnlockedSince: lock.leftUnlockedSince,
    lastMove: lock.lastMove === null ? null : speakableMove(lock.lastMove),
  };
}

function lastCommandOf({ inFlight }: Lock): LastCommand | null {
  return inFlight === null
    ? null
    : { target: inFlight.target, sentAt: inFlight.from, movesUntil: inFlight.until };
}

/** The move without a name that may be a secret. */
export function speakableMove(move: LastMove): LastMove {
  return { ...move, by: speakableAccessor(move.by) };
}
