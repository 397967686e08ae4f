// Which locks the account has, kept in memory and on the disk: written only when a listing changed something.
import { isGone, missed, present } from '../../domain/absence-policy.ts';
import type { Instant } from '../../domain/bolt.ts';
import { type Lock, type LockId, sameDescription } from '../../domain/lock.ts';
import type { KnownLock, KnownLockStore } from '../../domain/ports.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { LoggedTrouble } from '../../support/logged-trouble.ts';

/** The result of a complete listing for locks that it does not contain. */
export interface Absences {
  readonly missing: readonly LockId[];
  /** Missing for so long that they are forgotten. */
  readonly gone: readonly LockId[];
}

export class KnownLocks {
  readonly #knownLocks: KnownLockStore;
  readonly #log: Log;
  /** A failing disk is no fault of the service. */
  readonly #disk: LoggedTrouble;
  /** The stored locks; null until the disk has been read. */
  #kept: Map<LockId, KnownLock> | null = null;

  constructor(knownLocks: KnownLockStore, log: Log) {
    this.#knownLocks = knownLocks;
    this.#log = log;
    this.#disk = new LoggedTrouble(
      log,
      'The list of known locks cannot be kept',
      'The list of known locks can be kept again.',
    );
  }

  /** The locks known before; none when the disk cannot be read. */
  known(): readonly KnownLock[] {
    try {
      return [...this.#read().values()];
    } catch (error) {
      this.#log.warn(`The list of known locks could not be read: ${messageOf(error)}`);
      return [];
    }
  }

  /** Another process may have changed the list: it is read again before it is used. */
  reread(): void {
    this.#kept = null;
  }

  /** Takes in a complete listing, asked at that instant. A disk that fails is logged once, and tried again with the next. */
  noteListing(locks: readonly Lock[], listed: ReadonlySet<LockId>, at: Instant): Absences {
    if (this.#kept === null && !this.#disk.attempt(() => this.#read())) {
      return { missing: [], gone: [] };
    }
    const kept = this.#read();
    const now = locks.map(({ id, description }): KnownLock => {
      const entry = kept.get(id) ?? { id, description, misses: 0, missingSince: null };
      return listed.has(id) ? present(withDescription(entry, description)) : missed(entry, at);
    });
    const gone = now.filter((known) => isGone(known, at));
    const stay = now.filter((known) => !isGone(known, at));
    for (const { id } of gone) {
      this.#disk.attempt(() => {
        this.forget(id);
      });
    }
    const changed = stay.filter((one) => one !== kept.get(one.id));
    if (changed.length > 0) {
      // One commit for all of them, because it blocks this process.
      this.#disk.attempt(() => {
        this.#knownLocks.save(changed);
        for (const known of changed) {
          kept.set(known.id, known);
        }
      });
    }
    const missing = stay.filter(({ misses }) => misses > 0);
    return { missing: missing.map(({ id }) => id), gone: gone.map(({ id }) => id) };
  }

  /** Throws retry (`storage-failed`) when it cannot be forgotten. */
  forget(id: LockId): void {
    this.#knownLocks.forget(id);
    this.#kept?.delete(id);
  }

  #read(): Map<LockId, KnownLock> {
    this.#kept ??= new Map(this.#knownLocks.all().map((known) => [known.id, known]));
    return this.#kept;
  }
}

/** The same reference when nothing changed. */
function withDescription(known: KnownLock, description: Lock['description']): KnownLock {
  return sameDescription(known.description, description) ? known : { ...known, description };
}
