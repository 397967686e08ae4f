// Writes commands to the journal: rows of one turn in one commit before they are sent, their notes soon after.
import type { CommandDraft } from '../../domain/commands/command.ts';
import type { CommandJournal, JournalId, JournalNote } from '../../domain/ports.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { RetryError } from '../../support/errors.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';

/**
 * Notes are for the next process, so they wait this long for others, in milliseconds (our choice): a commit stops everything
 * else for up to 50 ms on a slow card, and answers to Home come between two of them. A crash that takes a note with it
 * leaves a command without its id; then the lock is read.
 */
const NOTED_AFTER_MS = 100;

export class JournalQueue {
  readonly #journal: CommandJournal;
  readonly #clock: Clock;
  readonly #log: Log;
  #drafts: CommandDraft[] = [];
  #commit: Promise<readonly JournalId[]> | null = null;
  #notes: JournalNote[] = [];
  #later: CancelTimer | null = null;
  #closed = false;

  constructor(journal: CommandJournal, clock: Clock, log: Log) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves once it is written, with undefined where the disk fails. Rejects (`aborted`) after `close`. */
  async begin(draft: CommandDraft): Promise<JournalId | undefined> {
    const index = this.#drafts.push(draft) - 1;
    this.#commit ??= this.#commitFirst();
    return (await this.#commit)[index];
  }

  /** Notes it soon. Never throws: when it cannot be written, this process still knows the command. */
  note(note: JournalNote): void {
    this.#notes.push(note);
    if (this.#closed) {
      this.#writeNotes();
      return;
    }
    this.#later ??= this.#clock.after(NOTED_AFTER_MS, () => {
      this.#clock.commits.take(() => this.#writeNotes());
    });
  }

  /** Writes the waiting notes; later notes are written at once, and no command is begun any more. */
  close(): void {
    this.#closed = true;
    this.#writeNotes();
  }

  async #commitFirst(): Promise<readonly JournalId[]> {
    // At the end of this turn, in which more commands may be begun.
    await Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<readonly JournalId[]>();
    this.#clock.commits.takeFirst(() => {
      const drafts = this.#drafts;
      this.#drafts = [];
      this.#commit = null;
      if (this.#closed) {
        reject(new RetryError('aborted', 'This process gave the account back, so nothing was sent'));
        return;
      }
      // A worn memory card must not keep a person from locking: this process knows the command without its row (decision 0083).
      resolve(
        tryDisk(this.#log, t('A command could not be written to the journal'), () =>
          this.#journal.begin(drafts),
        ) ?? [],
      );
    });
    return promise;
  }

  #writeNotes(): void {
    this.#later?.();
    this.#later = null;
    const notes = this.#notes;
    this.#notes = [];
    if (notes.length > 0) {
      tryDisk(this.#log, t('The command journal could not be written'), () => this.#journal.note(notes));
    }
  }
}
