// The commands of an account's locks: passes each request to the machine of its lock, and follows the journal's open commands.

import type { CommandReading } from '../../domain/commands/command.ts';
import { ABANDONED_AFTER_MS } from '../../domain/commands/state.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CommandJournal, OpenCommand } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { ageOf, LISTED_WITHIN_MS, TRAVEL_MS } from '../../domain/time/time.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { t } from '../../words/translate.ts';
import { type CommandTools, elapsedClock } from './context.ts';
import { JournalQueue } from './journal-queue.ts';
import type { RequestAnswer, RequestLimits } from './request-answer.ts';
import { CommandRunner } from './runner.ts';

export class LockCommands {
  readonly #journal: CommandJournal;
  readonly #queue: JournalQueue;
  readonly #tools: CommandTools;
  readonly #runners = new Map<LockId, CommandRunner>();

  constructor({
    journal,
    ...shared
  }: Omit<CommandTools, 'journal' | 'elapsed'> & { readonly journal: CommandJournal }) {
    this.#journal = journal;
    this.#queue = new JournalQueue(journal, shared.clock, shared.log);
    this.#tools = { ...shared, journal: this.#queue, elapsed: elapsedClock(shared.clock) };
    shared.bus.on('lock-removed', ({ id }) => {
      this.#runners.get(id)?.dispose();
      this.#runners.delete(id);
    });
    shared.bus.on('suspended', () => this.checkLimits());
  }

  get busy(): boolean {
    return [...this.#runners.values()].some((runner) => runner.busy);
  }

  /** Resolves when the request is settled; never rejects. */
  async request(id: LockId, target: BoltPosition, limits: RequestLimits): Promise<RequestAnswer> {
    return this.#runner(id).request(target, limits);
  }

  /** Time has passed, or a lock has changed: limits of commands in flight may be over, or their bolts may have arrived. */
  checkLimits(): void {
    for (const runner of this.#runners.values()) {
      runner.checkLimits();
    }
  }

  /** The service reported how a command ended; false when it is not one that is in flight here. */
  ended(id: LockId, reading: CommandReading, at: Instant): boolean {
    return this.#runners.get(id)?.commandEnded(reading, at) ?? false;
  }

  /** Follows the last command of each lock that an earlier process left open, while it can still end. */
  followOpen(): void {
    const open = this.#readJournal(() => this.#journal.open()).filter(
      ({ lockId }) => this.#runners.get(lockId)?.busy !== true,
    );
    const last = new Map(open.map((command) => [command.lockId, command]));
    this.#recallUnlocks(open.filter((command) => last.get(command.lockId) !== command));
    for (const command of open) {
      const ageMs = ageOf(command.issuedAt, this.#tools.serviceClock.bounds());
      const isFollowed =
        last.get(command.lockId) === command &&
        ageMs !== null &&
        ageMs < ABANDONED_AFTER_MS &&
        this.#tools.store.get(command.lockId) !== undefined;
      if (isFollowed) {
        this.#runner(command.lockId).resume(command, ageMs);
      } else {
        tryDisk(this.#tools.log, t('The command journal could not be written'), () => {
          this.#journal.note([{ journalId: command.journalId, outcome: 'uncertain' }]);
        });
      }
    }
  }

  /** Unlocks that a later request overtook, or whose outcome was never known, may still open their bolts, and lists lag behind that. */
  #recallUnlocks(overtaken: readonly OpenCommand[]): void {
    const { store, serviceClock } = this.#tools;
    const { latest } = serviceClock.bounds();
    const since = latest - TRAVEL_MS - LISTED_WITHIN_MS;
    const uncertain = this.#readJournal(() => this.#journal.uncertainSince(since));
    for (const { lockId, target, issuedAt } of [...uncertain, ...overtaken]) {
      if (target === 'unsecured' && issuedAt >= since) {
        const at = Math.min(issuedAt, latest);
        store.apply(lockId, { type: 'unlock-recalled', at, until: at + TRAVEL_MS });
      }
    }
  }

  /** Ends all commands here; sent ones stay in the journal for the next owner of the account. */
  dispose(): void {
    for (const runner of this.#runners.values()) {
      runner.dispose();
    }
    this.#queue.close();
  }

  /** A failing disk must not keep the account from starting: the service has the same facts. */
  #readJournal<T>(work: () => readonly T[]): readonly T[] {
    return tryDisk(this.#tools.log, t('The command journal could not be read'), work) ?? [];
  }

  #runner(id: LockId): CommandRunner {
    const runner = this.#runners.get(id) ?? new CommandRunner(this.#tools, id);
    // A request for an unknown lock is refused by its machine, and leaves nothing behind.
    if (this.#tools.store.get(id) !== undefined) {
      this.#runners.set(id, runner);
    }
    return runner;
  }
}
