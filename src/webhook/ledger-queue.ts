// Writes events to the ledger: those that arrive in one turn of the event loop share a commit.
import type { EventLedger, ReceivedEvent } from '../domain/webhooks/ports.ts';
import type { CommitScheduler } from '../support/commit-scheduler.ts';
import { LoggedTrouble } from '../support/files/logged-trouble.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';

export class LedgerQueue {
  readonly #ledger: EventLedger;
  readonly #commits: CommitScheduler;
  readonly #disk: LoggedTrouble;
  #waiting: ReceivedEvent[] = [];
  #commit: Promise<boolean> | null = null;

  constructor(ledger: EventLedger, commits: CommitScheduler, log: Log) {
    this.#ledger = ledger;
    this.#commits = commits;
    const lost = t('Events are not acknowledged, because they cannot be kept');
    this.#disk = new LoggedTrouble(log, lost, t('Events can be kept again.'));
  }

  /** Resolves with true once the event is in the ledger, with false when the disk failed. */
  async add(event: ReceivedEvent): Promise<boolean> {
    this.#waiting.push(event);
    this.#commit ??= new Promise((resolve) => {
      // In the next turn, so that the update for Home is sent before the disk blocks this process.
      setImmediate(() => {
        this.#commits.take(() => resolve(this.#commitWaiting()));
      });
    });
    return this.#commit;
  }

  /** Resolves when no event waits any more. */
  async settled(): Promise<void> {
    await this.#commit;
  }

  #commitWaiting(): boolean {
    const events = this.#waiting;
    this.#waiting = [];
    this.#commit = null;
    return this.#disk.attempt(() => this.#ledger.appendAll(events)) !== null;
  }
}
