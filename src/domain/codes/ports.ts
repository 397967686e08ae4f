// Interfaces that the service of access codes needs from its adapters.

import type { CommandId, CommandReading } from '../commands/command.ts';
import type { LockId } from '../locks/lock.ts';
import type { SendGuard } from '../ports.ts';
import type { AccessCode, AccessCodeId, CodeDraft } from './access-code.ts';
import type { OldFile, UseOfFile } from './file-age.ts';
import type { Guest } from './guest.ts';
import type { CodeChanges, StrayCode } from './operation.ts';
import type { LearnedLengths } from './pin-length.ts';

/** One command of the service; `zone` is the lock's IANA time zone, in which schedules are written. */
export type CodeCommand =
  | { readonly kind: 'add'; readonly draft: CodeDraft }
  | { readonly kind: 'update'; readonly codeId: AccessCodeId; readonly changes: CodeChanges }
  | { readonly kind: 'remove'; readonly codeId: AccessCodeId }
  | { readonly kind: 'remove-all' };

export interface CodeCommandReading {
  readonly reading: CommandReading;
  /** The code's id, where the service names it. */
  readonly codeId: AccessCodeId | null;
}

/** The device interface, as far as access codes are concerned. */
export interface AccessCodeGateway {
  /** Rejects with retry, wait, relink or final. */
  codes(lockId: LockId, zone: string): Promise<readonly AccessCode[]>;
  /** Sends a command once; rejects as `LockGateway.command` does. */
  send(lockId: LockId, command: CodeCommand, zone: string, leave: SendGuard): Promise<CodeCommandReading>;
  /** Reads a command back; rejects as `LockGateway.outcome` does. */
  codeOutcome(lockId: LockId, commandId: CommandId): Promise<CodeCommandReading>;
}

/** What the file says of its own age, across restarts. Every call throws retry (`storage-failed`). */
export interface FileAgeStore {
  /** The last restore from a backup that was made while the account went on; null without one. */
  restored(): OldFile | null;
  /** The file is also used whenever the sign-in is renewed: an idle account writes nothing else. */
  use(): UseOfFile;
  saveUse(use: UseOfFile): void;
}

/** A stored row that this version cannot read: damaged, or of a newer one. It says neither that something is gone nor what was decided. */
export interface UnreadRow {
  readonly id: string;
  /** What is left of it. It may hold PINs, and is never shown. */
  readonly text: string;
}

/** Guests, single changes, stray codes and lengths that locks take, across restarts. Every call throws retry (`storage-failed`). */
export interface CodeStore {
  /** All rows of the book: guests, and single changes that have not ended. */
  guests(): readonly Guest[];
  /** Rows of the book that cannot be read, and stay as they are on the disk. */
  unread(): readonly UnreadRow[];
  eraseUnread(): void;
  /** On the disk when it returns. */
  saveGuest(guest: Guest): void;
  eraseGuest(id: string): void;
  /** Why the guests of the file are proposals; null: they are not. */
  oldFile(): OldFile | null;
  saveOldFile(old: OldFile | null): void;
  strays(lockId: LockId): readonly StrayCode[];
  saveStrays(lockId: LockId, strays: readonly StrayCode[]): void;
  lengths(lockId: LockId): LearnedLengths;
  saveLengths(lockId: LockId, lengths: LearnedLengths): void;
}
