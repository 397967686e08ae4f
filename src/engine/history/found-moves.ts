// Reads in the history who made a move that a listing found, or that counts as ours by the result of a command alone.
import {
  authorsRead,
  type FoundMove,
  isReportedMeanwhile,
  movesRead,
} from '../../domain/history/found-move-policy.ts';
import type { HistoryEntry } from '../../domain/history/history.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { hasLearnedMove, NO_MOVES, unreportedOwnMoves } from '../../domain/locks/move.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import { LISTED_WITHIN_MS, REPORTED_WITHIN_MS } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { HistoryReader } from './history-reader.ts';

/** Histories read at once (our choice): after an outage, one listing may find a whole house moved. */
const MOST_READINGS = 4;

export class FoundMoves {
  readonly #parts;
  /** Found moves of locks whose history is not due yet; the earliest decides from when entries count. */
  readonly #waiting = new Map<LockId, { readonly found: FoundMove; readonly cancel: CancelTimer }>();
  readonly #due = new Map<LockId, FoundMove>();
  /** Locks with a move that only the result of our command shows, until their history is read. */
  readonly #unreported = new Map<LockId, CancelTimer>();
  #readings = 0;
  #disposed = false;

  constructor(
    parts: Pick<CommonParts, 'bus' | 'clock' | 'log' | 'store'> & {
      readonly reader: Pick<HistoryReader, 'readListed'>;
      readonly webhooks: { readonly health: string };
      readonly serviceClock: ServiceClock;
    },
  ) {
    this.#parts = parts;
    parts.bus.on('move-found', ({ id, to, since }) => {
      this.#found(id, { to, since, until: parts.serviceClock.now() });
    });
    parts.bus.on('lock-changed', ({ lock: { id, recent }, previous }) => {
      const isUnreported = unreportedOwnMoves(recent).some(({ move }) => move === recent.moves.at(-1));
      if (isUnreported && hasLearnedMove(previous.recent, recent)) {
        this.#askLater(id);
      }
    });
    parts.bus.on('history-read', ({ id, entries }) => {
      for (const author of authorsRead(parts.store.get(id)?.recent ?? NO_MOVES, entries)) {
        parts.store.apply(id, author);
      }
    });
    parts.bus.on('lock-removed', ({ id }) => this.#forget(id));
  }

  dispose(): void {
    this.#disposed = true;
    for (const id of [...this.#waiting.keys(), ...this.#due.keys(), ...this.#unreported.keys()]) {
      this.#forget(id);
    }
  }

  /** Where webhooks work, the event of the move may still come. */
  #found(id: LockId, move: FoundMove): void {
    const { clock, webhooks } = this.#parts;
    const earlier = this.#waiting.get(id);
    earlier?.cancel();
    const found = { ...move, since: Math.min(move.since, earlier?.found.since ?? move.since) };
    const waitMs = webhooks.health === 'healthy' ? REPORTED_WITHIN_MS : 0;
    const cancel = clock.after(waitMs, () => {
      this.#waiting.delete(id);
      this.#due.set(id, { ...found, since: Math.min(found.since, this.#due.get(id)?.since ?? found.since) });
      void this.#readDue();
    });
    this.#waiting.set(id, { found, cancel });
  }

  /** A hand may have been faster than our command: the history, which may lag as a listing does, tells whose move it was. */
  #askLater(id: LockId): void {
    const { clock, webhooks, store } = this.#parts;
    this.#unreported.get(id)?.();
    const waitMs = webhooks.health === 'healthy' ? REPORTED_WITHIN_MS : LISTED_WITHIN_MS;
    const cancel = clock.after(waitMs, () => {
      this.#unreported.delete(id);
      if (unreportedOwnMoves(store.get(id)?.recent ?? NO_MOVES).length > 0) {
        void this.#entries(id);
      }
    });
    this.#unreported.set(id, cancel);
  }

  /** Never rejects. */
  async #readDue(): Promise<void> {
    if (this.#readings === MOST_READINGS) {
      return;
    }
    this.#readings += 1;
    for (const [id, found] of this.#due) {
      this.#due.delete(id);
      await this.#read(id, found);
    }
    this.#readings -= 1;
  }

  /** Never rejects. */
  async #read(id: LockId, found: FoundMove): Promise<void> {
    const { store } = this.#parts;
    const before = store.get(id);
    if (before === undefined || isReportedMeanwhile(before, found)) {
      return;
    }
    const entries = await this.#entries(id);
    const lock = store.get(id);
    if (this.#disposed || lock === undefined || isReportedMeanwhile(lock, found)) {
      return;
    }
    for (const move of movesRead(found, lock, entries)) {
      store.apply(id, move);
    }
  }

  /** Empty when the history cannot be read: the move becomes an event all the same. */
  async #entries(id: LockId): Promise<readonly HistoryEntry[]> {
    const { reader, log } = this.#parts;
    try {
      return await reader.readListed(id);
    } catch (error) {
      log.debug(
        `The cause of a move is not known, because the history could not be read: ${messageOf(error)}`,
      );
      return [];
    }
  }

  #forget(id: LockId): void {
    this.#unreported.get(id)?.();
    this.#unreported.delete(id);
    this.#waiting.get(id)?.cancel();
    this.#waiting.delete(id);
    this.#due.delete(id);
  }
}
