// Tells the moves that our own commands brought about from those of everybody else, the person of the link included.
import type { Instant } from '../../domain/bolt.ts';
import { isBoltPosition } from '../../domain/bolt.ts';
import type { LockId } from '../../domain/lock.ts';
import { matchesOwnCommand, ownCommandOf, personNamed } from '../../domain/move-attribution-policy.ts';
import type { LinkPerson } from '../../domain/ports.ts';
import type { ServiceEvent } from '../../domain/service-event.ts';
import type { LockStore } from '../state/lock-store.ts';

export interface OwnMovesParts {
  readonly store: LockStore;
  readonly person: LinkPerson;
}

export class MoveAttribution {
  readonly #parts: OwnMovesParts;
  /** The latest command of ours of which the service told that it ended well, until its move has shown whom it names. */
  #lastEnd: { readonly id: LockId; readonly at: Instant } | null = null;

  constructor(parts: OwnMovesParts) {
    this.#parts = parts;
  }

  /** The event as the house tells it: what is certainly ours is told as ours. `at`: when it happened. */
  told<Event extends ServiceEvent>(event: Event, id: LockId, at: Instant): Event {
    if (
      event.type !== 'bolt' ||
      event.accessor === null ||
      event.bolt === null ||
      !isBoltPosition(event.bolt)
    ) {
      return event;
    }
    const { accessor: by, bolt: to } = event;
    const inFlight = this.#parts.store.get(id)?.inFlight ?? null;
    const ours =
      matchesOwnCommand(inFlight, { to, by, at }) && by.id !== null && this.#parts.person.is(by.id);
    return ours ? { ...event, accessor: ownCommandOf(by) } : event;
  }

  /** A move was told, and the lock knows it. */
  moved(id: LockId): void {
    if (this.#lastEnd?.id === id) {
      this.#learn(id, this.#lastEnd.at);
    }
  }

  /** The service told that a command of ours ended well, and when. The move may be told before or after. */
  ended(id: LockId, at: Instant): void {
    this.#lastEnd = { id, at };
    this.#learn(id, at);
  }

  /** Each command shows it once. */
  #learn(id: LockId, endedAt: Instant): void {
    const { inFlight = null, lastMove = null } = this.#parts.store.get(id) ?? {};
    const person = lastMove === null ? null : personNamed(inFlight, lastMove, endedAt);
    if (person !== null) {
      this.#lastEnd = null;
      this.#parts.person.named(person);
    }
  }
}
