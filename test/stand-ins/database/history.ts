// The history of the locks, as it is kept; it can break.
import type { HistoryEntry, HistoryLine } from '../../../src/domain/history/history.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryArchive, ListedHistory, ReportedEntry } from '../../../src/domain/ports.ts';
import { RetryError } from '../../../src/support/errors.ts';

/** An archive in memory that can break. */
export class MemoryArchive implements HistoryArchive {
  readonly lines = new Map<LockId, readonly HistoryLine[]>();
  readonly marks = new Map<LockId, number | null>();
  readonly #reported: ReportedEntry[] = [];
  commits = 0;
  broken = false;

  get reported(): readonly HistoryEntry[] {
    return this.#reported.map(({ entry }) => entry);
  }

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

  saveListed({ lockId: id, entries, holes = [], updatedAt }: ListedHistory): void {
    this.#assertWhole();
    const oldest = Math.min(...entries.map(({ at }) => at));
    const kept = (this.lines.get(id) ?? []).filter((line) => line.what !== 'gap' || line.from < oldest);
    const gaps = holes.map(({ from, to }) => ({ what: 'gap' as const, from, to }));
    this.lines.set(id, newestFirst([...kept, ...entries, ...gaps]));
    this.marks.set(id, updatedAt ?? this.marks.get(id) ?? null);
  }

  saveReported(entries: readonly ReportedEntry[]): void {
    this.#assertWhole();
    this.commits += 1;
    this.#reported.push(...entries);
  }

  /** It keeps entries of any age. */
  prune(): void {
    this.#assertWhole();
  }

  newest(id: LockId, limit: number): readonly HistoryLine[] {
    this.#assertWhole();
    const reported = this.#reported.filter((each) => each.lockId === id).map(({ entry }) => entry);
    return newestFirst([...reported, ...(this.lines.get(id) ?? [])]).slice(0, limit);
  }

  #assertWhole(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
  }
}

/** Each once. */
function newestFirst(lines: readonly HistoryLine[]): readonly HistoryLine[] {
  const once = new Map(lines.map((line) => [line.what === 'gap' ? `gap ${String(line.to)}` : line.id, line]));
  return [...once.values()].sort((a, b) => placeOf(b) - placeOf(a));
}

function placeOf(line: HistoryLine): number {
  return line.what === 'gap' ? line.to : line.at;
}
