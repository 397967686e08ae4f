// The commands under way and the known locks, as they are kept.
import type { CommandDraft, CommandOutcome } from '../../../src/domain/commands/command.ts';
import type { KnownLock } from '../../../src/domain/locks/absence-policy.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type {
  CommandJournal,
  JournalId,
  JournalNote,
  KnownLockStore,
  OpenCommand,
} from '../../../src/domain/ports.ts';
import { RetryError } from '../../../src/support/errors.ts';

type Row = OpenCommand & { readonly outcome: CommandOutcome['kind'] | null };

/** A journal that outlives the account, as the disk does. */
export class MemoryJournal implements CommandJournal {
  readonly rows: Row[] = [];
  broken = false;
  commits = 0;

  begin(drafts: readonly CommandDraft[]): readonly JournalId[] {
    this.#commit();
    return drafts.map((draft) => {
      this.rows.push({ ...draft, journalId: this.rows.length, commandId: null, outcome: null });
      return this.rows.length - 1;
    });
  }

  note(notes: readonly JournalNote[]): void {
    this.#commit();
    for (const { journalId, ...change } of notes) {
      const row = this.rows[journalId];
      // The first end counts.
      if (row !== undefined && !('outcome' in change && row.outcome !== null)) {
        this.rows[journalId] = { ...row, ...change };
      }
    }
  }

  open(): readonly OpenCommand[] {
    return this.rows.filter((row) => row.outcome === null).map(openCommand);
  }

  uncertainSince(issuedAt: number): readonly OpenCommand[] {
    return this.rows
      .filter((row) => row.outcome === 'uncertain' && row.issuedAt >= issuedAt)
      .map(openCommand);
  }

  #commit(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
    this.commits += 1;
  }
}

function openCommand({ journalId, lockId, target, issuedAt, commandId }: Row): OpenCommand {
  return { journalId, lockId, target, issuedAt, commandId };
}

export class MemoryRoster implements KnownLockStore {
  broken = false;
  /** Nothing can be read either. */
  unreadable = false;
  /** How often it was changed. */
  readonly calls = { save: 0 };
  readonly #known = new Map<LockId, KnownLock>();
  #unreadBeside = 0;

  all(): readonly KnownLock[] {
    if (this.unreadable) {
      throw new RetryError('storage-failed', 'The disk cannot be read.');
    }
    return [...this.#known.values()];
  }

  find(id: LockId): KnownLock | null {
    return this.#known.get(id) ?? null;
  }

  save(locks: readonly KnownLock[]): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
    this.calls.save += 1;
    for (const lock of locks) {
      this.#known.set(lock.id, lock);
    }
  }

  forget(id: LockId): void {
    this.#known.delete(id);
  }

  unreadBeside(): number {
    return this.#unreadBeside;
  }

  noteUnreadBeside(count: number): void {
    this.#unreadBeside = count;
  }
}
