// All rows, in memory and on the disk: a change is on the disk before it counts.

import { proofDueAt } from '../../domain/codes/absence.ts';
import { recalled } from '../../domain/codes/code-machine.ts';
import type { OldFile } from '../../domain/codes/file-age.ts';
import {
  asProposal,
  codeOn,
  confirmed,
  type Guest,
  type GuestCode,
  isSingle,
  isWantedOn,
  type SingleRow,
  withCodeOn,
} from '../../domain/codes/guest.ts';
import type { CodeStore, UnreadRow } from '../../domain/codes/ports.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { nextId } from '../../support/dated-ids.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import type { Log } from '../../support/log.ts';
import { UNREAD_ROWS } from '../../words/guests.ts';
import { t } from '../../words/translate.ts';

export interface GuestBookParts {
  readonly guests: Pick<
    CodeStore,
    'guests' | 'unread' | 'eraseUnread' | 'saveGuest' | 'eraseGuest' | 'oldFile' | 'saveOldFile'
  >;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
  readonly log: Log;
}

export class GuestBook {
  readonly #parts: GuestBookParts;
  /** Called on every change. */
  onChange: () => void = () => {};
  readonly #rows = new Map<string, Guest>();
  #lastId = '0';
  #oldFile: OldFile | null = null;
  /** Rows whose guests are unknown: their codes stay as they are on the locks. */
  unread: readonly UnreadRow[] = [];
  /** False: the guests could not be read, and none is known. */
  isRead = false;

  constructor(parts: GuestBookParts) {
    this.#parts = parts;
  }

  load(): void {
    const { guests, log, serviceClock } = this.#parts;
    const read = tryDisk(log, t('The guests could not be read'), () => ({
      rows: guests.guests(),
      oldFile: guests.oldFile(),
      unread: guests.unread(),
    }));
    this.isRead = read !== null;
    this.unread = read?.unread ?? [];
    if (this.unread.length > 0) {
      log.warn(t(UNREAD_ROWS));
    }
    this.#rows.clear();
    for (const guest of read?.rows ?? []) {
      this.#rows.set(guest.id, fromStore(guest, serviceClock.now()));
    }
    this.#oldFile = read?.oldFile ?? null;
  }

  /** The guests. */
  all(): readonly Guest[] {
    return [...this.#rows.values()].filter((row) => !isSingle(row));
  }

  /** The single changes that have not ended, the oldest first. */
  singles(): readonly SingleRow[] {
    return [...this.#rows.values()]
      .filter(isSingle)
      .toSorted((a, b) => a.single.requestedAt - b.single.requestedAt);
  }

  /** An id that no row has, or had. */
  newId(now: Instant): string {
    this.#lastId = nextId([this.#lastId, ...this.#rows.keys(), ...this.unread.map(({ id }) => id)], now);
    return this.#lastId;
  }

  get(id: string): Guest | undefined {
    return this.#rows.get(id);
  }

  /** The guests whose code is on that lock, or is wanted there. */
  concernedBy({ id, description }: Lock): readonly Guest[] {
    const isOwned = description.role === 'owner';
    return this.all().filter((guest) => codeOn(guest, id) !== null || isWantedOn(guest, id, isOwned));
  }

  lockIds(): readonly LockId[] {
    return [...this.#rows.values()].flatMap(({ codes }) => codes.map(({ lockId }) => lockId));
  }

  /** When another list of that lock can tell more of the codes to be removed from it, in monotonic milliseconds; infinity: never. */
  proofDueAt(id: LockId): number {
    const codes = [...this.#rows.values()].flatMap((row) => codeOn(row, id) ?? []);
    return Math.min(...codes.map((code) => proofDueAt(code, [])));
  }

  /** Throws retry (`storage-failed`); then nothing has changed. A guest who was removed is erased with the last code. */
  save(guest: Guest): void {
    if (JSON.stringify(this.#rows.get(guest.id)) === JSON.stringify(guest)) {
      return;
    }
    if (guest.isLeaving && guest.codes.length === 0) {
      this.#parts.guests.eraseGuest(guest.id);
      this.#rows.delete(guest.id);
    } else {
      this.#parts.guests.saveGuest(guest);
      this.#rows.set(guest.id, guest);
    }
    this.onChange();
  }

  /** Stores all of these rows, or none. Throws as `save` does. */
  saveAll(rows: readonly Guest[]): void {
    try {
      for (const row of rows) {
        this.save(row);
      }
    } catch (error) {
      this.drop(rows);
      throw error;
    }
  }

  /** Stores the state of a code; null: there is nothing left to remember. Throws as `save` does. */
  saveCode(id: string, lockId: LockId, code: GuestCode | null): void {
    const guest = this.#rows.get(id);
    if (guest !== undefined) {
      this.save(withCodeOn(guest, lockId, code));
    }
  }

  /** Changes what is known of a code, where a failing disk must not end the operation under way. */
  noteCode(id: string, lockId: LockId, change: (code: GuestCode) => GuestCode): void {
    const row = this.#rows.get(id);
    const code = row === undefined ? null : codeOn(row, lockId);
    if (row !== undefined && code !== null) {
      this.note(withCodeOn(row, lockId, change(code)));
    }
  }

  /** The same for a whole row. */
  note(row: Guest): void {
    if (!this.#isStored(() => this.save(row))) {
      // What this process knows counts all the same.
      this.#rows.set(row.id, row);
    }
  }

  #isStored(store: () => void): boolean {
    const words = t('What is known of a guest could not be stored');
    const isStored = tryDisk(this.#parts.log, words, () => {
      store();
      return true;
    });
    return isStored === true;
  }

  /** These single changes have ended. They are erased from the last to the first: what is left after a crash is the beginning of a plan. */
  drop(rows: readonly Pick<Guest, 'id'>[]): void {
    const { guests, log } = this.#parts;
    tryDisk(log, t('An operation on access codes could not be erased'), () => {
      for (const { id } of rows.toReversed()) {
        guests.eraseGuest(id);
      }
    });
    for (const { id } of rows) {
      this.#rows.delete(id);
    }
  }

  /** Why the guests of the file are proposals; null: they are not, or all are confirmed. */
  oldFile(): OldFile | null {
    return this.#oldFile;
  }

  /** The file is older than the locks. False when the disk failed: then this process alone knows it, and the next one asks again. */
  propose(old: OldFile): boolean {
    const { guests } = this.#parts;
    this.#oldFile = old;
    const proposed = this.all()
      .filter(({ isLeaving }) => !isLeaving)
      .map(asProposal);
    for (const guest of proposed) {
      this.#rows.set(guest.id, guest);
    }
    this.onChange();
    return this.#isStored(() => {
      guests.saveOldFile(old);
      for (const guest of proposed) {
        guests.saveGuest(guest);
      }
    });
  }

  /** Throws as `save` does. Once no guest is a proposal any more, guests of stays are none either. */
  confirm(ids: readonly string[]): void {
    for (const guest of this.all().filter(({ id, isProposed }) => isProposed === true && ids.includes(id))) {
      this.save(confirmed(guest));
    }
    if (!this.all().some(({ isProposed, isLeaving }) => isProposed === true && !isLeaving)) {
      this.#parts.guests.saveOldFile(null);
      this.#oldFile = null;
    }
    this.onChange();
  }

  /** Makes the same change to the state of every guest's code on a lock. */
  change(lockId: LockId, change: (code: GuestCode) => GuestCode): void {
    for (const { id } of this.all()) {
      this.noteCode(id, lockId, change);
    }
  }

  /** Throws as `save` does. */
  eraseAll(): void {
    this.#parts.guests.eraseUnread();
    this.unread = [];
    for (const id of this.#rows.keys()) {
      this.#parts.guests.eraseGuest(id);
      this.#rows.delete(id);
    }
    this.onChange();
  }
}

/** What an earlier process sent may still take effect, and its proof of an absence ended with its lists. */
function fromStore(guest: Guest, now: Instant): Guest {
  return { ...guest, codes: guest.codes.map((code) => ({ ...recalled(code, now), absent: null })) };
}
