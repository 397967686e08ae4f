// What the house is shown of one command under way: its departure, its arrival, or that it came to nothing.
import type { BoltPosition, Instant } from '../../domain/bolt.ts';
import type { CommandDraft } from '../../domain/command.ts';
import { boltOf } from '../../domain/lock.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import type { LockStore } from '../state/lock-store.ts';

/** What waits behind a command: the last wish that was not sent, or null. */
export type NextTarget = () => BoltPosition | null;

export interface OptimisticStateParts {
  readonly store: LockStore;
  readonly serviceClock: ServiceClock;
  readonly command: CommandDraft;
  readonly nextTarget: NextTarget;
}

export class OptimisticState {
  readonly #parts: OptimisticStateParts;

  constructor(parts: OptimisticStateParts) {
    this.#parts = parts;
  }

  /** It is on its way: the target is where it was wished, or where a later wish wants it. */
  depart(): void {
    const { store, command, nextTarget } = this.#parts;
    const { lockId, target, issuedAt } = command;
    store.apply(lockId, { type: 'command-sent', target, at: issuedAt, next: nextTarget() });
  }

  /** The bolt is where it was wished. `provenSince`: the last instant at which it was certainly still on its way. */
  arrive(provenSince: Instant): void {
    const { store, serviceClock, command, nextTarget } = this.#parts;
    const { lockId, target } = command;
    store.apply(lockId, {
      type: 'command-completed',
      target,
      provenSince,
      at: serviceClock.now(),
      next: nextTarget(),
    });
  }

  /**
   * It is no longer on its way, and the target follows the truth, or whatever is wished next. `goesOn`: its own wish waits
   * for another try. `jammed`: the lock said so.
   */
  land({
    goesOn = false,
    jammed = false,
  }: {
    readonly goesOn?: boolean;
    readonly jammed?: boolean;
  } = {}): void {
    const { store, serviceClock, command, nextTarget } = this.#parts;
    const next = nextTarget() ?? (goesOn ? command.target : null);
    store.apply(command.lockId, { type: 'command-ended', at: serviceClock.now(), jammed, next });
  }

  /** Whether the lock was seen where it was wished by evidence younger than the command, and had been elsewhere. */
  get isSeenAtTarget(): boolean {
    const { store, command } = this.#parts;
    const lock = store.get(command.lockId);
    return (
      lock !== undefined &&
      boltOf(lock) === command.target &&
      (lock.belief.latest?.at ?? 0) > command.issuedAt &&
      lock.inFlight?.before !== command.target
    );
  }
}
