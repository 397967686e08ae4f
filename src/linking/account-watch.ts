// Detects that another account was linked, and keeps the former account's data until a person decides.
import { judgeAccount } from '../domain/account/account-policy.ts';
import { message } from '../domain/language/message.ts';
import { type LockId, lockId } from '../domain/locks/lock.ts';
import type { Listing } from '../domain/ports.ts';
import { FinalError, RetryError } from '../support/errors.ts';
import { tryDisk } from '../support/files/try-disk.ts';
import { type Log, oneLine } from '../support/log.ts';
import { memberOf } from '../support/text/foreign-json.ts';
import { t } from '../words/translate.ts';
import { AccountMark } from './account-mark.ts';

/** The linked account seems to be another one than before: nothing is removed until a person confirms it. */
export interface AccountChange {
  /** Names of the locks that the former account had and this one does not list. */
  readonly missing: readonly string[];
  /** Names of the locks that only this account lists. */
  readonly added: readonly string[];
}

interface NamedLock {
  readonly id: LockId;
  readonly description: { readonly name: string };
}

const PHASE_SETTING = 'account.phase';

export class AccountWatch {
  readonly #parts;
  readonly #mark: AccountMark;
  #phase: AccountPhase = SETTLED;
  /** The phase is not on the disk yet. */
  #unsaved = false;
  /** Grows whenever the link may have changed: a listing requested before is no evidence about the new one. */
  #links = 0;
  /** The last listing of an account that is not settled, if this process received one. */
  #newest: Listing | null = null;

  /** Throws a retry error (`storage-failed`) when the settings cannot be read. */
  constructor(parts: {
    /** Small values across restarts. Throws when the disk fails. */
    readonly settings: {
      read(key: string): unknown;
      write(key: string, value: string | object): void;
      erase(key: string): void;
    };
    /** The account's subject from its token; null when the token has none. */
    readonly subject: () => string | null;
    readonly log: Log;
    /** The locks that are known. */
    readonly known: () => readonly NamedLock[];
    /** Locks that cannot be reached with the account that is linked now. */
    readonly outOfReach: (ids: readonly LockId[]) => void;
    readonly onChange: () => void;
  }) {
    this.#parts = parts;
    this.#mark = new AccountMark(parts);
    this.reload();
  }

  /** Reads the stored phase again, as each time this process becomes the owner. */
  reload(): void {
    const stored = readPhase(this.#parts.settings.read(PHASE_SETTING));
    this.#begin(stored);
    this.#unsaved = false;
  }

  /** A person links an account: called before its tokens are stored, so that a crash between the two loses nothing. */
  linking(): void {
    this.#begin(UNJUDGED);
    this.#save();
  }

  /** The account was unlinked: the question is settled. */
  unlinked(): void {
    this.#begin(SETTLED);
    this.#save();
  }

  /** The account was linked anew, and its locks have not been listed. */
  get isUnjudged(): boolean {
    return this.#phase.kind === 'unjudged';
  }

  /** The account change to confirm, or null. */
  get change(): AccountChange | null {
    if (this.#phase.kind !== 'asked') {
      return null;
    }
    const known = new Set(this.#parts.known().map(({ id }) => id));
    const added = this.#phase.listed.filter(({ id }) => !known.has(id));
    return { missing: this.#missing().map(nameOf), added: added.map(({ name }) => name) };
  }

  /** The locks of the former account that a person is asked about; none without a question. */
  get missing(): readonly LockId[] {
    return this.#missing().map(({ id }) => id);
  }

  /** Wraps a listing: from another account only known locks are updated, and no absence is concluded. */
  readonly guarded = (list: () => Promise<Listing>) => async (): Promise<Listing> => {
    const links = this.#links;
    return this.#sift(await list(), links);
  };

  /**
   * The locks of `asked` that the confirmed account does not list. Throws `bad-request` when no question is open, and a
   * retry error without a complete listing: nothing else proves that a lock is absent.
   */
  absent(asked: readonly LockId[]): readonly LockId[] {
    if (this.#phase.kind !== 'asked') {
      throw new FinalError(
        'bad-request',
        message('The question is settled by now. Look again how the account is connected.'),
      );
    }
    if (this.#newest === null) {
      throw new RetryError(
        'unreachable',
        message(
          'The account has not listed its locks yet, so nothing is removed. Try again when it does, or disconnect it.',
        ),
      );
    }
    if (this.#newest.unread > 0) {
      throw new RetryError(
        'server-fault',
        message(
          'The list of the account could not be read in full, so nothing is removed. Try again later, or disconnect it.',
        ),
      );
    }
    const missing = new Set(this.missing);
    return asked.filter((id) => missing.has(id));
  }

  /** Confirms the account: locks that it does not list are removed, and it becomes the known one. */
  confirm(): void {
    this.#mark.note();
    this.#settle();
  }

  #sift(listing: Listing, links: number): Listing {
    this.#save();
    if (links === this.#links && this.#phase.kind === 'settled') {
      this.#mark.note();
      return listing;
    }
    const known = new Set(this.#parts.known().map(({ id }) => id));
    if (links === this.#links) {
      this.#newest = listing;
      const verdict = judgeAccount({
        formerSubject: this.#mark.former,
        subject: this.#mark.present,
        former: known,
        listed: new Set(listing.locks.map(({ id }) => id)),
      });
      if (verdict === 'same') {
        this.#mark.note();
        this.#settle();
        return listing;
      }
      // A lock missing from a partial list may be in the rest.
      if (verdict === 'other' && listing.unread === 0) {
        this.#ask(listing);
      }
    }
    return {
      ...listing,
      locks: listing.locks.filter(({ id }) => known.has(id)),
      unread: Number.POSITIVE_INFINITY,
    };
  }

  #ask({ locks }: Listing): void {
    const isNew = this.#phase.kind !== 'asked';
    this.#change({ kind: 'asked', listed: locks.map((lock) => ({ id: lock.id, name: nameOf(lock) })) });
    this.#save();
    this.#parts.outOfReach(this.missing);
    if (isNew) {
      const names = this.#missing().map((lock) => oneLine(nameOf(lock)));
      this.#parts.log.warn(
        t(
          'The account that is connected now seems to be another one: it does not list {names}. Nothing is removed until you confirm it, on the page of the plugin or with: {command} (or {undo})',
          {
            names: names.join(', '),
            command: 'npx homebridge-latchkey link --confirm keep',
            undo: 'undo',
          },
        ),
      );
    }
  }

  #missing(): readonly NamedLock[] {
    if (this.#phase.kind !== 'asked') {
      return [];
    }
    const listed = new Set(this.#phase.listed.map(({ id }) => id));
    return this.#parts.known().filter(({ id }) => !listed.has(id));
  }

  /** The link may be another one from now on. */
  #begin(phase: AccountPhase): void {
    this.#links += 1;
    this.#newest = null;
    this.#change(phase);
  }

  #settle(): void {
    this.#newest = null;
    this.#change(SETTLED);
    this.#save();
  }

  #change(phase: AccountPhase): void {
    if (JSON.stringify(phase) !== JSON.stringify(this.#phase)) {
      this.#phase = phase;
      this.#unsaved = true;
      this.#parts.onChange();
    }
  }

  /** A disk that fails is tried again with the next listing; until then the phase lives with this process. */
  #save(): void {
    if (!this.#unsaved) {
      return;
    }
    const { settings, log } = this.#parts;
    const save = (): void => {
      if (this.#phase.kind === 'settled') {
        settings.erase(PHASE_SETTING);
      } else {
        settings.write(PHASE_SETTING, this.#phase);
      }
      this.#unsaved = false;
    };
    tryDisk(log, 'What is known of the connected account cannot be kept yet', save, 'debug');
  }
}

function nameOf({ description }: { readonly description: { readonly name: string } }): string {
  return description.name;
}

/** A lock as the account listed it, kept so that a question about it can be asked again after a restart. */
interface ListedLock {
  readonly id: LockId;
  readonly name: string;
}

/**
 * `settled`: the known locks belong to the account. `unjudged`: it was linked anew, and its locks have not been listed.
 * `asked`: it is another one, which listed these locks, and a person has to confirm it.
 */
type AccountPhase =
  | { readonly kind: 'settled' }
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'asked'; readonly listed: readonly ListedLock[] };

const SETTLED: AccountPhase = { kind: 'settled' };
const UNJUDGED: AccountPhase = { kind: 'unjudged' };

/** `stored`: undefined without one. An unknown form counts as unjudged, which removes nothing. */
function readPhase(stored: unknown): AccountPhase {
  if (stored === undefined) {
    return SETTLED;
  }
  const listed = memberOf(stored, 'listed');
  return memberOf(stored, 'kind') === 'asked' && Array.isArray(listed) && listed.every(isListed)
    ? { kind: 'asked', listed: listed.map(({ id, name }) => ({ id: lockId(id), name })) }
    : UNJUDGED;
}

function isListed(entry: unknown): entry is { readonly id: string; readonly name: string } {
  const id = memberOf(entry, 'id');
  return typeof id === 'string' && id !== '' && typeof memberOf(entry, 'name') === 'string';
}
