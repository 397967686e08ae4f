// The history of the service: it remembers what it is given, the newest first.
import type { HistoryEntry } from '../../../src/domain/history/history.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryList, LockHistory } from '../../../src/domain/ports.ts';

/** A service that remembers its entries. */
export class StandInHistoryService implements LockHistory {
  readonly asked: { readonly lock: LockId; readonly limit: number; readonly deviceTime: boolean }[] = [];
  entries: readonly HistoryEntry[] = [];
  fault: Error | null = null;

  async history(lock: LockId, question: { limit: number; deviceTime: boolean }): Promise<HistoryList> {
    this.asked.push({ lock, ...question });
    await Promise.resolve();
    if (this.fault !== null) {
      throw this.fault;
    }
    return { entries: this.entries.slice(0, question.limit), limit: question.limit };
  }
}
