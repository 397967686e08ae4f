// The row of one command in the journal: written before it is sent, and noted in it what becomes of the command.
import type { CommandDraft, CommandId, CommandOutcome } from '../../domain/command.ts';
import type { JournalId } from '../../domain/ports.ts';
import type { JournalQueue } from './journal-queue.ts';

export class CommandRecord {
  readonly #journal: Pick<JournalQueue, 'begin' | 'note'>;
  readonly #draft: CommandDraft;
  /** Null until it is written. */
  #id: JournalId | null;

  /** `id`: of a command that an earlier process has written down; else null. */
  constructor(journal: Pick<JournalQueue, 'begin' | 'note'>, draft: CommandDraft, id: JournalId | null) {
    this.#journal = journal;
    this.#draft = draft;
    this.#id = id;
  }

  /** Resolves once the row stands. Rejects with what the journal throws; then there is nothing to be noted, either. */
  async write(): Promise<void> {
    this.#id = await this.#journal.begin(this.#draft);
  }

  /** How the service calls it. */
  noteName(commandId: CommandId): void {
    if (this.#id !== null) {
      this.#journal.note({ journalId: this.#id, commandId });
    }
  }

  /** How it ended. */
  noteEnd(outcome: CommandOutcome['kind']): void {
    if (this.#id !== null) {
      this.#journal.note({ journalId: this.#id, outcome });
    }
  }
}
