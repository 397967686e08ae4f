// Reads the history of a lock: the service's newest entries, and older ones from the archive.
import { speakableName } from '../../domain/access.ts';
import {
  entryOfEvent,
  type HistoryEntry,
  type HistoryLine,
  type HistoryQuestion,
  MOST_HISTORY_ENTRIES,
} from '../../domain/history.ts';
import type { LockId } from '../../domain/lock.ts';
import type {
  HistoryArchive,
  HistoryList,
  LockHistory,
  ReportedEntry,
  ServiceClock,
} from '../../domain/ports.ts';
import type { ServiceEvent } from '../../domain/service-event.ts';
import { isLate } from '../../domain/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { scheduleCommit } from '../../support/commit-scheduler.ts';
import { LatchkeyError, messageOf } from '../../support/errors.ts';
import { LoggedTrouble } from '../../support/logged-trouble.ts';
import type { CommonParts } from '../common-parts.ts';

export interface HistoryReaderParts extends Pick<CommonParts, 'bus' | 'clock' | 'log'> {
  readonly service: LockHistory;
  readonly archive: HistoryArchive;
  readonly serviceClock: ServiceClock;
}

export interface HistoryAnswer {
  /** The newest first. */
  readonly lines: readonly HistoryLine[];
  /** Why the newest may be missing, in words: the service could not be asked. Null when it was. */
  readonly unanswered: string | null;
}

export interface Historian {
  /** The newest first. Rejects with retry, wait, relink or final. */
  history(lockId: LockId, question: HistoryQuestion): Promise<HistoryAnswer>;
}

/** Entries of webhooks wait for so long, so that a busy minute is one commit, in milliseconds (our choice). */
const KEPT_AFTER_MS = 10_000;

/** So many are a batch (our choice): more do not wait for the rest of that time. */
const MOST_WAITING = 2_000;

export class HistoryReader implements Historian {
  readonly #parts: HistoryReaderParts;
  /** A failing disk must not hide the service's answer. */
  readonly #disk: LoggedTrouble;
  readonly #asking = new Map<LockId, Promise<HistoryList>>();
  #waiting: ReportedEntry[] = [];
  #timer: CancelTimer | null = null;

  constructor(parts: HistoryReaderParts) {
    this.#parts = parts;
    this.#disk = new LoggedTrouble(
      parts.log,
      'The history of the locks cannot be kept',
      'The history of the locks can be kept again.',
    );
    parts.bus.on('event-received', ({ event }) => {
      this.#keepLater(event);
    });
  }

  /** Writes waiting entries down. Never throws: the ledger also has them, and the service's list is still to come. */
  keepReported(): void {
    this.#timer?.();
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) {
      this.#disk.attempt(() => {
        this.#parts.archive.keepReported(waiting, this.#parts.serviceClock.now());
      });
    }
  }

  /**
   * The newest lines of a lock: the service is asked first, and its list is kept. Rejects as the service does when nothing
   * is kept either, or when only a person can help.
   */
  async history(lockId: LockId, question: HistoryQuestion): Promise<HistoryAnswer> {
    this.keepReported();
    try {
      const listed = await this.read(lockId, null);
      return { lines: this.#lines(lockId, question, listed), unanswered: null };
    } catch (error) {
      const lines = mayGoWellLater(error) ? this.#lines(lockId, question, []) : [];
      if (lines.length === 0) {
        throw error;
      }
      return { lines, unanswered: messageOf(error) };
    }
  }

  /**
   * Asks the service for its whole history of a lock and keeps it. `updatedAt`: from the listing before, or null. Rejects as
   * the service does.
   */
  async read(lockId: LockId, updatedAt: number | null): Promise<readonly HistoryEntry[]> {
    const asking = this.#asking.get(lockId) ?? this.#list(lockId);
    this.#asking.set(lockId, asking);
    try {
      const list = await asking;
      await scheduleCommit(this.#parts.clock.commits, () => {
        this.#disk.attempt(() => {
          this.#parts.archive.keepListed({ lockId, ...list, updatedAt }, this.#parts.serviceClock.now());
        });
      });
      return list.entries;
    } finally {
      this.#asking.delete(lockId);
    }
  }

  /** Nothing waits for the disk. */
  #keepLater(event: ServiceEvent): void {
    const entry = entryOfEvent(event);
    if (entry === null || event.lockId === null) {
      return;
    }
    const late = isLate(entry.at, this.#parts.serviceClock.now());
    this.#waiting.push({ lockId: event.lockId, entry: keepable(entry), late });
    if (this.#waiting.length === MOST_WAITING) {
      this.#keepReportedSoon();
    }
    this.#timer ??= this.#parts.clock.after(KEPT_AFTER_MS, () => {
      this.#keepReportedSoon();
    });
  }

  #keepReportedSoon(): void {
    this.#parts.clock.commits.take(() => {
      this.keepReported();
    });
  }

  /** Always requests all entries with the lock's offset, so that the archive is complete. */
  async #list(lockId: LockId): Promise<HistoryList> {
    const question = { limit: MOST_HISTORY_ENTRIES, deviceTime: true };
    const { entries, limit } = await this.#parts.service.history(lockId, question);
    return { entries: entries.map(keepable), limit };
  }

  #lines(lockId: LockId, { limit, deviceTime }: HistoryQuestion, listed: readonly HistoryEntry[]) {
    let lines: readonly HistoryLine[] = listed.slice(0, limit);
    this.#disk.attempt(() => {
      lines = this.#parts.archive.newest(lockId, limit);
    });
    return deviceTime ? lines : lines.map(withoutOffset);
  }
}

/** It may succeed later without a person's help. */
export function mayGoWellLater(error: unknown): boolean {
  return error instanceof LatchkeyError && (error.disposition === 'retry' || error.disposition === 'wait');
}

/** Without a name that may be a secret, so that it cannot leak. */
function keepable(entry: HistoryEntry): HistoryEntry {
  return { ...entry, by: { ...entry.by, name: speakableName(entry.by.name) } };
}

function withoutOffset(line: HistoryLine): HistoryLine {
  return line.what === 'gap' ? line : { ...line, offsetMinutes: null };
}
