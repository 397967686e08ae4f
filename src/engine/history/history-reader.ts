// Reads the history of the locks: the service's newest entries, and older ones from the archive.

import {
  entryOfEvent,
  type HistoryEntry,
  type HistoryLine,
  type HistoryQuestion,
  MOST_HISTORY_ENTRIES,
} from '../../domain/history/history.ts';
import { type AttributionFacts, attributeEntry } from '../../domain/history/move-attribution-policy.ts';
import type { HistoryCursor, HistoryFilter, HistoryPage } from '../../domain/history/page.ts';
import type { Message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type {
  HistoryArchive,
  HistoryList,
  HistoryPages,
  LockHistory,
  ReportedEntry,
  ServiceClock,
} from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isLate } from '../../domain/time/time.ts';
import type { ServiceEvent } from '../../domain/webhooks/service-event.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { scheduleCommit } from '../../support/commit-scheduler.ts';
import { LatchkeyError, RelinkError, wordsOf } from '../../support/errors.ts';
import { LoggedTrouble } from '../../support/files/logged-trouble.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';

export interface HistoryAnswer {
  readonly lines: readonly HistoryLine[];
  /** Why the newest lines may be missing, in words: the service could not be called. Null when it was. */
  readonly unanswered: Message | null;
}

type MarkedList = HistoryList & { readonly updatedAt: Instant | null };

export type Historian = Pick<HistoryReader, 'history'>;

/** Entries of webhooks are written after this delay, so that a busy minute is one commit, in milliseconds (our choice). */
const KEPT_AFTER_MS = 10_000;

/** A batch of this size is written without the rest of that delay (our choice). */
const MOST_WAITING = 2_000;

/** Old entries are removed once a day. */
const PRUNED_EVERY_MS = 86_400_000;

/** Locks whose history is requested at once (our choice): the limits of the service are per operation. */
const MOST_REQUESTS = 4;

export class HistoryReader implements Pick<HistoryPages, 'page'> {
  readonly #parts;
  /** A failing disk must not hide the service's answer. */
  readonly #disk: LoggedTrouble;
  /** The readings under way, each with the state of the service's record when it was requested. */
  readonly #asking = new Map<LockId, Promise<MarkedList>>();
  /** When the service's record of each lock last changed; null where it does not say. */
  readonly #updatedAt = new Map<LockId, Instant | null>();
  readonly #readOnce = new Set<LockId>();
  #waiting: ReportedEntry[] = [];
  #timer: CancelTimer | null = null;
  /** When old entries were last removed, on the service's clock. */
  #prunedAt: Instant = 0;

  constructor(
    parts: Pick<CommonParts, 'bus' | 'clock' | 'log'> & {
      readonly service: LockHistory;
      readonly archive: HistoryArchive;
      readonly pages: Pick<HistoryPages, 'page'>;
      readonly serviceClock: ServiceClock;
      /** What tells who made a move. */
      readonly attribution: (lockId: LockId) => AttributionFacts;
    },
  ) {
    this.#parts = parts;
    this.#disk = new LoggedTrouble(
      parts.log,
      t('The history of the locks cannot be kept'),
      t('The history of the locks can be kept again.'),
    );
    parts.bus.on('event-received', ({ event }) => this.#saveLater(event));
    parts.bus.on('listed', ({ listing }) => {
      this.#pruneDaily();
      for (const { id, updatedAt } of listing.locks) {
        this.#updatedAt.set(id, updatedAt);
      }
    });
    parts.bus.on('lock-removed', ({ id }) => this.#updatedAt.delete(id));
  }

  /** With a listing, because only then the service's time is known: a wrong clock of the machine erases nothing. */
  #pruneDaily(): void {
    const now = this.#parts.serviceClock.now();
    if (now - this.#prunedAt >= PRUNED_EVERY_MS) {
      this.#prunedAt = now;
      this.#disk.attempt(() => this.#parts.archive.prune(now));
    }
  }

  /** Writes waiting entries to the disk. Never throws: the ledger also has them, and the service will list them. */
  saveReported(): void {
    this.#timer?.();
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) {
      this.#disk.attempt(() => this.#parts.archive.saveReported(waiting, this.#parts.serviceClock.now()));
    }
  }

  page(filter: HistoryFilter, below: HistoryCursor | null, limit: number): HistoryPage {
    this.saveReported();
    return this.#parts.pages.page(filter, below, limit);
  }

  /** Reads histories with new entries. Resolves with why some may lack them; rejects when only a person can help. */
  async refresh(locks: readonly LockId[]): Promise<Message | null> {
    const queue = locks.filter((id) => this.#hasNewEntries(id)).values();
    let unanswered: Message | null = null;
    const work = async (): Promise<void> => {
      for (const id of queue) {
        try {
          await this.read(id, this.#updatedAt.get(id) ?? null);
          this.#readOnce.add(id);
        } catch (error) {
          if (!mayGoWellLater(error)) {
            throw error;
          }
          // The other locks would wait for the same service.
          unanswered = wordsOf(error);
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: MOST_REQUESTS }, work));
    return unanswered;
  }

  /** The lines of a lock, newest first. Rejects as the service does when none is stored, or without a link. */
  async history(lockId: LockId, { limit }: Pick<HistoryQuestion, 'limit'>): Promise<HistoryAnswer> {
    this.saveReported();
    try {
      const listed = await this.read(lockId, null);
      return { lines: this.#lines(lockId, limit, listed), unanswered: null };
    } catch (error) {
      // Stored entries are true whatever the service answers now; only without a link they are not shown.
      const lines = error instanceof RelinkError ? [] : this.#lines(lockId, limit, []);
      if (lines.length === 0) {
        throw error;
      }
      return { lines, unanswered: wordsOf(error) };
    }
  }

  /** Reads and stores the whole history of a lock, as of that listing. Rejects as the service does. */
  async read(lockId: LockId, updatedAt: number | null): Promise<readonly HistoryEntry[]> {
    const asking = this.#asking.get(lockId) ?? this.#list(lockId, updatedAt);
    this.#asking.set(lockId, asking);
    try {
      // A shared reading may have begun before `updatedAt`: its list is stored with the mark of its own request.
      const list = await asking;
      this.#parts.bus.emit({ type: 'history-read', id: lockId, entries: list.entries });
      await scheduleCommit(this.#parts.clock.commits, () => {
        this.#disk.attempt(() => {
          this.#parts.archive.saveListed({ lockId, ...list }, this.#parts.serviceClock.now());
        });
      });
      return list.entries;
    } finally {
      this.#asking.delete(lockId);
    }
  }

  /** The whole history of a lock, as of the last listing. Rejects as the service does. */
  async readListed(lockId: LockId): Promise<readonly HistoryEntry[]> {
    return this.read(lockId, this.#updatedAt.get(lockId) ?? null);
  }

  /** Lets the entry wait for a later commit, so that no event waits for the disk. */
  #saveLater(event: ServiceEvent): void {
    const entry = entryOfEvent(event);
    if (entry === null || event.lockId === null) {
      return;
    }
    const late = isLate(entry.at, this.#parts.serviceClock.now());
    this.#waiting.push({ lockId: event.lockId, entry: withoutSecrets(entry), late });
    if (this.#waiting.length === MOST_WAITING) {
      this.#saveReportedSoon();
    }
    this.#timer ??= this.#parts.clock.after(KEPT_AFTER_MS, () => this.#saveReportedSoon());
  }

  #saveReportedSoon(): void {
    this.#parts.clock.commits.take(() => this.saveReported());
  }

  /** False for a lock that is not listed. */
  #hasNewEntries(id: LockId): boolean {
    const updatedAt = this.#updatedAt.get(id);
    if (updatedAt === undefined || updatedAt === null || !this.#readOnce.has(id)) {
      return updatedAt !== undefined;
    }
    return this.#parts.archive.mark(id) !== updatedAt;
  }

  /** Always requests all entries with the lock's offset, so that the archive is complete. */
  async #list(lockId: LockId, updatedAt: Instant | null): Promise<MarkedList> {
    const question = { limit: MOST_HISTORY_ENTRIES, deviceTime: true };
    const { entries, limit } = await this.#parts.service.history(lockId, question);
    const facts = this.#parts.attribution(lockId);
    return {
      entries: entries.map((entry) => withoutSecrets(attributeEntry(entry, facts))),
      limit,
      updatedAt,
    };
  }

  #lines(lockId: LockId, limit: number, listed: readonly HistoryEntry[]): readonly HistoryLine[] {
    return this.#disk.attempt(() => this.#parts.archive.newest(lockId, limit)) ?? listed.slice(0, limit);
  }
}

/** A later try may succeed without a person's help. */
export function mayGoWellLater(error: unknown): boolean {
  return error instanceof LatchkeyError && (error.disposition === 'retry' || error.disposition === 'wait');
}

/** The entry without a name that may be a secret, so that it cannot leak. */
function withoutSecrets(entry: HistoryEntry): HistoryEntry {
  return { ...entry, by: { ...entry.by, name: speakableName(entry.by.name) } };
}
