// Which commands were sent: a row before the sending, its end afterwards, so that a crash neither forgets nor repeats.
import type { Rest } from '../domain/bolt.ts';
import { type CommandDraft, type CommandId, type CommandOutcome, commandId } from '../domain/command.ts';
import { lockId } from '../domain/lock.ts';
import type { CommandJournal, JournalId, OpenCommand } from '../domain/ports.ts';
import { integer, text, textOrNull, word } from './columns.ts';
import type { Connection, Row } from './connection.ts';

const RESTS: readonly Rest[] = ['secured', 'unsecured'];

/** Ended commands that are kept for whoever looks into a failure; about a month of a busy door (our choice). */
export const KEPT_COMMANDS = 500;

export class SqliteCommandJournal implements CommandJournal {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  begin(draft: CommandDraft): JournalId {
    return this.#connection.transaction(() => {
      const { id } = this.#connection.run(
        'INSERT INTO command (lock_id, wish, issued_at) VALUES (?, ?, ?)',
        draft.lockId,
        draft.wish,
        Math.round(draft.issuedAt),
      );
      this.#connection.run('DELETE FROM command WHERE id <= ? AND outcome IS NOT NULL', id - KEPT_COMMANDS);
      return id;
    });
  }

  accepted(id: JournalId, command: CommandId): void {
    this.#connection.run('UPDATE command SET command_id = ? WHERE id = ?', command, id);
  }

  /** The first end counts: a later one changes nothing. */
  ended(id: JournalId, outcome: CommandOutcome['kind']): void {
    this.#connection.run('UPDATE command SET outcome = ? WHERE id = ? AND outcome IS NULL', outcome, id);
  }

  open(): readonly OpenCommand[] {
    return this.#connection.all('SELECT * FROM command WHERE outcome IS NULL ORDER BY id').map(openCommand);
  }
}

function openCommand(row: Row): OpenCommand {
  const command = textOrNull(row, 'command_id');
  return {
    journalId: integer(row, 'id'),
    lockId: lockId(text(row, 'lock_id')),
    wish: word(row, 'wish', RESTS),
    issuedAt: integer(row, 'issued_at'),
    commandId: command === null ? null : commandId(command),
  };
}
