// The commands of a house's locks: each wish brought to the lock it is for, and what others sent followed to its end.
import type { BoltPosition, Instant } from '../../domain/bolt.ts';
import type { CommandReading } from '../../domain/command.ts';
import { ABANDONED_AFTER_MS } from '../../domain/command-machine.ts';
import type { LockId } from '../../domain/lock.ts';
import type { CommandJournal } from '../../domain/ports.ts';
import { messageOf } from '../../support/errors.ts';
import { CommandRunner, type RunnerParts } from './command-runner.ts';
import { JournalQueue } from './journal-queue.ts';
import type { RequestAnswer } from './pending-request.ts';

export interface LockCommandsParts extends Omit<RunnerParts, 'journal'> {
  readonly journal: CommandJournal;
}

export class LockCommands {
  readonly #journal: CommandJournal;
  readonly #queue: JournalQueue;
  readonly #parts: RunnerParts;
  readonly #runners = new Map<LockId, CommandRunner>();

  constructor({ journal, ...parts }: LockCommandsParts) {
    this.#journal = journal;
    this.#queue = new JournalQueue(journal, parts.clock, parts.log);
    this.#parts = { ...parts, journal: this.#queue };
  }

  /** Whether a command is under way or waits. */
  get busy(): boolean {
    return [...this.#runners.values()].some((runner) => runner.busy);
  }

  /** Resolves when it is known what becomes of the wish; never rejects. */
  async request(id: LockId, rest: BoltPosition): Promise<RequestAnswer> {
    return this.#runner(id).request(rest);
  }

  /** The service told how a command ended; false when it is not one that is under way here. */
  ended(id: LockId, reading: CommandReading, at: Instant): boolean {
    return this.#runners.get(id)?.commandEnded(reading, at) ?? false;
  }

  /** Follows commands that others sent, while they can still end; they are never sent again. */
  followOpen(): void {
    const { store, serviceClock } = this.#parts;
    for (const open of this.#tryDisk('read', () => this.#journal.open()) ?? []) {
      if (this.#runners.get(open.lockId)?.busy === true) {
        continue;
      }
      const ageMs = serviceClock.now() - open.issuedAt;
      if (ageMs >= 0 && ageMs < ABANDONED_AFTER_MS && store.get(open.lockId) !== undefined) {
        void this.#runner(open.lockId).resume(open);
      } else {
        this.#tryDisk('written', () => {
          this.#journal.note([{ journalId: open.journalId, outcome: 'uncertain' }]);
        });
      }
    }
  }

  /** The lock is gone. */
  forget(id: LockId): void {
    this.#runners.get(id)?.dispose();
    this.#runners.delete(id);
  }

  /** Ends everything that is under way here; commands stay in the journal for whoever owns the account next. */
  dispose(): void {
    for (const runner of this.#runners.values()) {
      runner.dispose();
    }
    this.#queue.close();
  }

  /** A disk that fails must not keep the house from beginning: what it cannot tell, the service will. */
  #tryDisk<T>(deed: 'read' | 'written', work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      this.#parts.log.warn(`The command journal could not be ${deed}: ${messageOf(error)}`);
      return null;
    }
  }

  #runner(id: LockId): CommandRunner {
    const runner = this.#runners.get(id) ?? new CommandRunner(this.#parts, id);
    // A wish for an unknown lock is refused by the runner, and leaves nothing behind.
    if (this.#parts.store.get(id) !== undefined) {
      this.#runners.set(id, runner);
    }
    return runner;
  }
}
