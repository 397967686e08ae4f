// Brings events to the ledger: those that come in two turns of the event loop go in one commit.
import type { EventLedger, ReceivedEvent } from '../domain/ports.ts';
import type { CommitScheduler } from '../support/commit-scheduler.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

export class LedgerQueue {
  readonly #ledger: EventLedger;
  readonly #commits: CommitScheduler;
  readonly #log: Log;
  #waiting: ReceivedEvent[] = [];
  #commit: Promise<boolean> | null = null;
  #failing = false;

  constructor(ledger: EventLedger, commits: CommitScheduler, log: Log) {
    this.#ledger = ledger;
    this.#commits = commits;
    this.#log = log;
  }

  /** Resolves once the event is in the ledger: true; or when the disk did not take it: false. */
  async keep(event: ReceivedEvent): Promise<boolean> {
    this.#waiting.push(event);
    this.#commit ??= new Promise((resolve) => {
      setImmediate(() => {
        // One turn more: of many deliveries the thread pool hands back only a few in each.
        setImmediate(() => {
          this.#commits.take(() => {
            resolve(this.#commitWaiting());
          });
        });
      });
    });
    return this.#commit;
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#commit;
  }

  #commitWaiting(): boolean {
    const events = this.#waiting;
    this.#waiting = [];
    this.#commit = null;
    try {
      this.#ledger.appendAll(events);
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#log.warn(`Events are not acknowledged, because they cannot be kept: ${messageOf(error)}`);
      }
      return false;
    }
    if (this.#failing) {
      this.#failing = false;
      this.#log.info('Events can be kept again.');
    }
    return true;
  }
}
