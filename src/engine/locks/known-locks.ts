// The list of the account's locks, kept on the disk: written only when a listing changed something.

import type { KnownLock } from '../../domain/locks/absence-policy.ts';
import { isGone, missed, present } from '../../domain/locks/absence-policy.ts';
import { type Lock, type LockId, sameMembers } from '../../domain/locks/lock.ts';
import type { KnownLockStore } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { LoggedTrouble } from '../../support/files/logged-trouble.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';

/** The result of a complete listing for locks that it does not contain. */
export interface Absences {
  readonly missing: readonly LockId[];
  /** Locks that were missing for so long that they are forgotten. */
  readonly gone: readonly LockId[];
}

export class KnownLocks {
  readonly #store: KnownLockStore;
  /** A failing disk is no fault of the service. */
  readonly #disk: LoggedTrouble;

  constructor(store: KnownLockStore, log: Log) {
    this.#store = store;
    this.#disk = new LoggedTrouble(
      log,
      t('The list of known locks cannot be kept'),
      t('The list of known locks can be kept again.'),
    );
  }

  /** The locks known before; none when the disk cannot be read. */
  known(): readonly KnownLock[] {
    return this.#disk.attempt(() => this.#store.all()) ?? [];
  }

  /** The lock as it was known before; null when it was not, or when the disk cannot be read. */
  find(id: LockId): KnownLock | null {
    return this.#disk.attempt(() => this.#store.find(id));
  }

  /** How many members could not be read in the last list that had every lock: none of those locks is among as many. */
  unreadBeside(): number {
    return this.#disk.attempt(() => this.#store.unreadBeside()) ?? 0;
  }

  noteUnreadBeside(count: number): void {
    this.#disk.attempt(() => this.#store.noteUnreadBeside(count));
  }

  /** Takes in a complete listing, asked at that instant. A disk that fails is logged once, and tried again with the next. */
  noteListing(locks: readonly Lock[], listed: ReadonlySet<LockId>, at: Instant): Absences {
    // Where the disk cannot be read, nothing is counted or removed, but a lock that is not listed is not shown as if it were.
    let absences: Absences = {
      missing: locks.map(({ id }) => id).filter((id) => !listed.has(id)),
      gone: [],
    };
    this.#disk.attempt(() => {
      // The list is read each time: another process that had the account may have changed it.
      const kept = new Map(this.#store.all().map((known) => [known.id, known]));
      const now = locks.map(({ id, description }): KnownLock => {
        const entry = kept.get(id) ?? { id, description, misses: 0, missingSince: null };
        return listed.has(id) ? present(withDescription(entry, description)) : missed(entry, at);
      });
      const gone = now.filter((known) => isGone(known, at));
      const stay = now.filter((known) => !isGone(known, at));
      const missing = stay.filter(({ misses }) => misses > 0);
      // The result counts before it is written: on a full disk, a missing lock must not stay as it was.
      absences = { missing: missing.map(({ id }) => id), gone: gone.map(({ id }) => id) };
      for (const { id } of gone) {
        this.#store.forget(id);
      }
      const changed = stay.filter((one) => one !== kept.get(one.id));
      if (changed.length > 0) {
        // One commit for all of them, because it blocks this process.
        this.#store.save(changed);
      }
    });
    return absences;
  }
}

/** The same reference when nothing changed. */
function withDescription(known: KnownLock, description: Lock['description']): KnownLock {
  return sameMembers(known.description, description) ? known : { ...known, description };
}
