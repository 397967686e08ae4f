// All guests, in memory and on the disk: a change is on the disk before it counts.

import type { Instant } from '../../domain/bolt.ts';
import { isUnsettled } from '../../domain/code-failure.ts';
import type { CodeProgress } from '../../domain/code-operation.ts';
import type { GuestStore } from '../../domain/code-ports.ts';
import { type Guest, type GuestCode, withCodeOn } from '../../domain/guest.ts';
import { afterEnd, encouraged, recalled } from '../../domain/guest-code-machine.ts';
import type { LockId } from '../../domain/lock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';

export interface GuestBookParts {
  readonly guests: GuestStore;
  readonly log: Log;
  readonly onChange: () => void;
}

export class GuestBook {
  readonly #parts: GuestBookParts;
  readonly #guests = new Map<string, Guest>();

  constructor(parts: GuestBookParts) {
    this.#parts = parts;
  }

  /** Reads what an earlier owner of the account stored. */
  load(): void {
    this.#guests.clear();
    try {
      for (const guest of this.#parts.guests.all()) {
        this.#guests.set(guest.id, guest);
      }
    } catch (error) {
      this.#parts.log.warn(`The guests could not be read: ${messageOf(error)}`);
    }
  }

  all(): readonly Guest[] {
    return [...this.#guests.values()];
  }

  get(id: string): Guest | undefined {
    return this.#guests.get(id);
  }

  /** Throws retry (`storage-failed`); then nothing has changed. A guest who left is erased with the last code. */
  save(guest: Guest): void {
    if (JSON.stringify(this.#guests.get(guest.id)) === JSON.stringify(guest)) {
      return;
    }
    if (guest.isLeaving && guest.codes.length === 0) {
      this.#parts.guests.erase(guest.id);
      this.#guests.delete(guest.id);
    } else {
      this.#parts.guests.save(guest);
      this.#guests.set(guest.id, guest);
    }
    this.#parts.onChange();
  }

  /** What is known of a code; null: nothing is left to know. Throws as `save` does. */
  saveCode(id: string, lockId: LockId, code: GuestCode | null): void {
    const guest = this.#guests.get(id);
    if (guest !== undefined) {
      this.save(withCodeOn(guest, lockId, code));
    }
  }

  /** The same where a failing disk must not end what goes on. */
  noteCode(id: string, lockId: LockId, code: GuestCode | null): void {
    try {
      this.saveCode(id, lockId, code);
    } catch (error) {
      this.#parts.log.warn(`What is known of a guest could not be stored: ${messageOf(error)}`);
    }
  }

  /** After a start: what an earlier process sent may still take effect. */
  recall(now: Instant): void {
    this.#change(null, (code) => recalled(code, now));
  }

  /** What failed on that lock may be tried at once. */
  encourage(lockId: LockId): void {
    this.#change(lockId, encouraged);
  }

  forgetLock(lockId: LockId): void {
    this.#change(lockId, () => null);
  }

  /** An operation on that lock has ended, of a guest or of anybody. */
  noteEnd(operation: CodeProgress, now: Instant): void {
    this.#change(operation.lockId, (code) => {
      if (code.sending?.operationId === operation.id) {
        return afterEnd(code, operation, now);
      }
      // The id of ours may not have been stored before a crash.
      return isUnsettled(operation.failure) ? recalled(code, now) : code;
    });
  }

  /** Throws as `save` does. */
  eraseAll(): void {
    for (const { id } of this.all()) {
      this.#parts.guests.erase(id);
      this.#guests.delete(id);
    }
    this.#parts.onChange();
  }

  /** Null: of all locks. */
  #change(lockId: LockId | null, change: (code: GuestCode) => GuestCode | null): void {
    for (const { id, codes } of this.all()) {
      for (const code of codes.filter((one) => lockId === null || one.lockId === lockId)) {
        this.noteCode(id, code.lockId, change(code));
      }
    }
  }
}
