// The journal row of one command: written before it is sent, with notes on its progress.
import type { CommandDraft, CommandId, CommandOutcome } from '../../domain/command.ts';
import type { JournalId, JournalNote } from '../../domain/ports.ts';
import type { JournalQueue } from './journal-queue.ts';

type Change = { readonly commandId: CommandId } | { readonly outcome: CommandOutcome['kind'] };

export class CommandRecord {
  readonly #journal: Pick<JournalQueue, 'note'>;
  /** Rejects when there is no row, and then nothing is noted. */
  readonly written: Promise<JournalId>;

  private constructor(journal: Pick<JournalQueue, 'note'>, written: Promise<JournalId>) {
    this.#journal = journal;
    this.written = written;
    // The call that sends the command rejects with it, though perhaps only once a token is there.
    written.catch(() => {});
  }

  static begin(journal: Pick<JournalQueue, 'begin' | 'note'>, draft: CommandDraft): CommandRecord {
    return new CommandRecord(journal, journal.begin(draft));
  }

  /** Of a command that an earlier process wrote down. */
  static of(journal: Pick<JournalQueue, 'note'>, id: JournalId): CommandRecord {
    return new CommandRecord(journal, Promise.resolve(id));
  }

  note(change: Change): void {
    void this.#note(change);
  }

  async #note(change: Change): Promise<void> {
    const [row] = await Promise.allSettled([this.written]);
    if (row.status === 'fulfilled') {
      const note: JournalNote = { journalId: row.value, ...change };
      this.#journal.note(note);
    }
  }
}
