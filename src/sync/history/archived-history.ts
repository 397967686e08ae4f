// The archived history of all locks in pages, and the service's newest entries for the locks that have any.
import type { Instant } from '../../domain/bolt.ts';
import type { HistoryCursor, HistoryFilter, HistoryPage } from '../../domain/history-page.ts';
import type { LockId } from '../../domain/lock.ts';
import type { HistoryArchive, HistoryPages } from '../../domain/ports.ts';
import { messageOf } from '../../support/errors.ts';
import type { EventBus } from '../event-bus.ts';
import { type HistoryReader, mayGoWellLater } from './history-reader.ts';

export interface ArchivedHistoryParts {
  readonly bus: Pick<EventBus, 'on'>;
  readonly reader: Pick<HistoryReader, 'read' | 'keepReported'>;
  readonly archive: Pick<HistoryArchive, 'mark'>;
  readonly pages: HistoryPages;
}

/** Locks whose history is requested at once (our choice): the limits of the service are per operation. */
const MOST_REQUESTS = 4;

export class ArchivedHistory {
  readonly #parts: ArchivedHistoryParts;
  /** When the service's record of each lock last changed; null where it does not say. */
  readonly #updatedAt = new Map<LockId, Instant | null>();
  readonly #readOnce = new Set<LockId>();

  constructor(parts: ArchivedHistoryParts) {
    this.#parts = parts;
    parts.bus.on('listed', ({ listing }) => {
      for (const { id, updatedAt } of listing.locks) {
        this.#updatedAt.set(id, updatedAt);
      }
    });
    parts.bus.on('lock-removed', ({ id }) => {
      this.#updatedAt.delete(id);
    });
  }

  page(filter: HistoryFilter, below: HistoryCursor | null, limit: number): HistoryPage {
    this.#parts.reader.keepReported();
    return this.#parts.pages.page(filter, below, limit);
  }

  locks(): readonly LockId[] {
    return this.#parts.pages.locks();
  }

  people(since: Instant): readonly string[] {
    return this.#parts.pages.people(since);
  }

  /**
   * Asks the service for the history of those locks that have news, and once of each other. Resolves with null, or in
   * words why the newest entries of some may be missing. Rejects when only a person can help.
   */
  async refresh(locks: readonly LockId[]): Promise<string | null> {
    const due = locks.filter((id) => this.#updatedAt.has(id) && this.#hasNewEntries(id));
    const queue = due.values();
    let unanswered: string | null = null;
    const work = async (): Promise<void> => {
      for (const id of queue) {
        try {
          await this.#parts.reader.read(id, this.#updatedAt.get(id) ?? null);
          this.#readOnce.add(id);
        } catch (error) {
          if (!mayGoWellLater(error)) {
            throw error;
          }
          // The others would wait for the same service.
          unanswered = messageOf(error);
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: MOST_REQUESTS }, work));
    return unanswered;
  }

  #hasNewEntries(id: LockId): boolean {
    const updatedAt = this.#updatedAt.get(id) ?? null;
    return !this.#readOnce.has(id) || updatedAt === null || this.#parts.archive.mark(id) !== updatedAt;
  }
}
