// A service that remembers what it is given, and an archive in memory that can break.
import type { HistoryEntry, HistoryLine } from '../../../src/domain/history.ts';
import type { LockId } from '../../../src/domain/lock.ts';
import type {
  HistoryArchive,
  HistoryList,
  HistoryPages,
  ListedHistory,
  LockHistory,
  ReportedEntry,
} from '../../../src/domain/ports.ts';
import { RetryError } from '../../../src/support/errors.ts';

/** A service that remembers what it is given. */
export class Remembering implements LockHistory {
  readonly asked: { readonly lock: LockId; readonly limit: number; readonly deviceTime: boolean }[] = [];
  entries: readonly HistoryEntry[] = [];
  fault: Error | null = null;

  async history(lock: LockId, question: { limit: number; deviceTime: boolean }): Promise<HistoryList> {
    this.asked.push({ lock, ...question });
    await Promise.resolve();
    if (this.fault !== null) {
      throw this.fault;
    }
    return { entries: this.entries, limit: question.limit };
  }
}

/** Pages without a line. */
export const NO_PAGES: HistoryPages = {
  page: () => ({ lines: [], next: null }),
  people: () => [],
};

/** An archive in memory that can break. */
export class Shelf implements HistoryArchive {
  readonly lines = new Map<LockId, readonly HistoryLine[]>();
  readonly marks = new Map<LockId, number | null>();
  reported: HistoryEntry[] = [];
  commits = 0;
  broken = false;

  mark(id: LockId): number | null | undefined {
    return this.marks.get(id);
  }

  begin(locks: readonly Pick<ListedHistory, 'lockId' | 'updatedAt'>[]): void {
    this.#assertWhole();
    this.commits += 1;
    for (const { lockId: id, updatedAt } of locks) {
      if (!this.marks.has(id)) {
        this.marks.set(id, updatedAt);
      }
    }
  }

  keepListed({ lockId: id, entries, updatedAt }: ListedHistory): void {
    this.#assertWhole();
    this.lines.set(id, [
      ...new Map(
        [...(this.lines.get(id) ?? []), ...entries].map((line) => [JSON.stringify(line), line]),
      ).values(),
    ]);
    this.marks.set(id, updatedAt);
  }

  keepReported(entries: readonly ReportedEntry[]): void {
    this.#assertWhole();
    this.commits += 1;
    this.reported.push(...entries.map((each) => each.entry));
  }

  newest(id: LockId, limit: number): readonly HistoryLine[] {
    this.#assertWhole();
    return (this.lines.get(id) ?? []).slice(0, limit);
  }

  #assertWhole(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
  }
}
