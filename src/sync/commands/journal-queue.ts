// Writes commands to the journal: rows of one turn in one commit before they are sent, their notes soon after.
import type { CommandDraft } from '../../domain/command.ts';
import type { CommandJournal, JournalId, JournalNote } from '../../domain/ports.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { messageOf, RetryError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';

/**
 * Notes are for the next process and wait so long for others, in milliseconds (our choice): a commit stops everything
 * else for up to 50 ms on a slow card, and answers to Home come between two of them. A crash that takes a note with it
 * leaves a command of which it is not known how it was called; then the lock is read.
 */
const NOTED_AFTER_MS = 100;

interface Waiting {
  readonly draft: CommandDraft;
  readonly resolve: (id: JournalId) => void;
  readonly reject: (reason: unknown) => void;
}

export class JournalQueue {
  readonly #journal: CommandJournal;
  readonly #clock: Clock;
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #notes: JournalNote[] = [];
  #later: CancelTimer | null = null;
  #closed = false;

  constructor(journal: CommandJournal, clock: Clock, log: Log) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves once the command is written down; the commands of one scene share a commit. Rejects with the journal's error. */
  async begin(draft: CommandDraft): Promise<JournalId> {
    const { promise, resolve, reject } = Promise.withResolvers<JournalId>();
    if (this.#waiting.push({ draft, resolve, reject }) === 1) {
      queueMicrotask(() => {
        this.#clock.commits.takeFirst(() => {
          this.#commit();
        });
      });
    }
    return promise;
  }

  /** Notes it soon. Never throws: when it cannot be written, this process still knows the command. */
  note(note: JournalNote): void {
    this.#notes.push(note);
    if (this.#closed) {
      this.#writeNotes();
      return;
    }
    this.#later ??= this.#clock.after(NOTED_AFTER_MS, () => {
      this.#clock.commits.take(() => {
        this.#writeNotes();
      });
    });
  }

  /** Writes the notes that wait; from now on they are written at once, and no command is begun any more. */
  close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new RetryError('aborted', 'This process gave the account back, so nothing was sent'));
    }
    this.#writeNotes();
  }

  #commit(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const ids = this.#journal.begin(waiting.map(({ draft }) => draft));
      for (const [index, id] of ids.entries()) {
        waiting[index]?.resolve(id);
      }
    } catch (error) {
      for (const { reject } of waiting) {
        reject(error);
      }
    }
  }

  #writeNotes(): void {
    this.#later?.();
    this.#later = null;
    const notes = this.#notes;
    this.#notes = [];
    if (notes.length === 0) {
      return;
    }
    try {
      this.#journal.note(notes);
    } catch (error) {
      this.#log.warn(`The command journal could not be written: ${messageOf(error)}`);
    }
  }
}
