// Journals commands: one row before a command is sent, and its end afterwards, so that a crash neither forgets nor repeats one.

import { type CommandDraft, commandId } from '../domain/commands/command.ts';
import type { BoltPosition } from '../domain/locks/bolt.ts';
import { lockId } from '../domain/locks/lock.ts';
import type { CommandJournal, JournalId, JournalNote, OpenCommand } from '../domain/ports.ts';
import type { Instant } from '../domain/time/instant.ts';
import { integer, text, textOrNull, word } from './database/columns.ts';
import type { Connection, Row } from './database/connection.ts';

const POSITIONS: readonly BoltPosition[] = ['secured', 'unsecured'];

/** Ended commands kept for diagnosis: about a month of a busy lock (our choice). */
export const KEPT_COMMANDS = 500;

export class SqliteCommandJournal implements CommandJournal {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  begin(drafts: readonly CommandDraft[]): readonly JournalId[] {
    // One statement, committed by SQLite itself: this write delays the command.
    const { id: last } = this.#connection.run(
      `INSERT INTO command (lock_id, target, issued_at) VALUES ${drafts.map(() => '(?, ?, ?)').join(', ')}`,
      ...drafts.flatMap(({ lockId: lock, target, issuedAt }) => [lock, target, Math.round(issuedAt)]),
    );
    return drafts.map((_, index) => last - drafts.length + 1 + index);
  }

  note(notes: readonly JournalNote[]): void {
    this.#connection.transaction(() => {
      for (const note of notes) {
        this.#update(note);
      }
      this.#connection.run(
        'DELETE FROM command WHERE id <= (SELECT max(id) FROM command) - ? AND outcome IS NOT NULL',
        KEPT_COMMANDS,
      );
    });
  }

  open(): readonly OpenCommand[] {
    return this.#connection.all('SELECT * FROM command WHERE outcome IS NULL ORDER BY id').map(openCommand);
  }

  uncertainSince(issuedAt: Instant): readonly OpenCommand[] {
    const sql = "SELECT * FROM command WHERE outcome = 'uncertain' AND issued_at >= ? ORDER BY id";
    return this.#connection.all(sql, Math.floor(issuedAt)).map(openCommand);
  }

  /** The first end counts: a later one changes nothing. */
  #update(note: JournalNote): void {
    const { journalId } = note;
    if ('outcome' in note) {
      this.#connection.run(
        'UPDATE command SET outcome = ? WHERE id = ? AND outcome IS NULL',
        note.outcome,
        journalId,
      );
    } else {
      this.#connection.run('UPDATE command SET command_id = ? WHERE id = ?', note.commandId, journalId);
    }
  }
}

function openCommand(row: Row): OpenCommand {
  const command = textOrNull(row, 'command_id');
  return {
    journalId: integer(row, 'id'),
    lockId: lockId(text(row, 'lock_id')),
    target: word(row, 'target', POSITIONS),
    issuedAt: integer(row, 'issued_at'),
    commandId: command === null ? null : commandId(command),
  };
}
