// Notices that another account was linked than before, and keeps what the former one had until a person has decided.
import { createHash } from 'node:crypto';
import { judgeAccount } from '../domain/account-policy.ts';
import type { LockId } from '../domain/lock.ts';
import type { Listing } from '../domain/ports.ts';
import { messageOf, RetryError } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';

/** The linked account seems to be another one than before: nothing is removed until a person confirms it. */
export interface AccountChange {
  /** Names of the locks that the former account had and this one does not list. */
  readonly missing: readonly string[];
  /** Names of the locks that only this account lists. */
  readonly added: readonly string[];
}

export interface AccountWatchParts {
  /** Small values across restarts. Throws when the disk does not take or give them. */
  readonly settings: {
    read(key: string): unknown;
    write(key: string, value: string): void;
    erase(key: string): void;
  };
  /** Who the account belongs to as far as its token tells; null when it does not. */
  readonly subject: () => string | null;
  /** The locks that the house knows. */
  readonly known: () => readonly { readonly id: LockId; readonly description: { readonly name: string } }[];
  /** These cannot be reached with the account that is linked now. */
  readonly outOfReach: (ids: readonly LockId[]) => void;
  readonly onChange: () => void;
  readonly log: Log;
}

/**
 * `settled`: the account is the one whose locks we know. `unjudged`: it was linked anew, and its locks have not been
 * seen. `asked`: it is another one, and a person has to say whether it is wanted.
 */
type Phase = 'settled' | 'unjudged' | 'asked';

const PHASE_SETTING = 'account.phase';
/** A digest: who somebody is belongs neither into diagnostics nor into a backup. */
const SUBJECT_SETTING = 'account.subject';

export class AccountWatch {
  readonly #parts: AccountWatchParts;
  #phase: Phase = 'settled';
  /** The phase is not on the disk yet. */
  #unsaved = false;
  /** Grows whenever the link may have become another one: a listing that was asked for before says nothing of it. */
  #links = 0;
  /** What the account listed last while it was not settled. */
  #listed: Listing['locks'] | null = null;

  /** Throws a retry error (`storage-failed`) when the settings cannot be read. */
  constructor(parts: AccountWatchParts) {
    this.#parts = parts;
    this.reload();
  }

  /** Takes what is stored now, as whenever this process becomes the owner of the account. */
  reload(): void {
    const stored = this.#parts.settings.read(PHASE_SETTING);
    this.#links += 1;
    this.#listed = null;
    this.#change(stored === 'unjudged' || stored === 'asked' ? stored : 'settled');
    this.#unsaved = false;
  }

  /** A person links an account: called before its tokens are taken, so that a crash between the two loses nothing. */
  linking(): void {
    this.#links += 1;
    this.#listed = null;
    this.#change('unjudged');
    this.#save();
  }

  /** The account was unlinked: there is nothing left to decide. */
  unlinked(): void {
    this.#links += 1;
    this.#settle();
  }

  /** It was linked anew, and nobody has seen its locks. */
  get isUnjudged(): boolean {
    return this.#phase === 'unjudged';
  }

  /** What has to be confirmed, or null. */
  get change(): AccountChange | null {
    if (this.#phase !== 'asked') {
      return null;
    }
    const known = new Set(this.#parts.known().map(({ id }) => id));
    const added = (this.#listed ?? []).filter(({ id }) => !known.has(id));
    return { missing: this.#missing().map(nameOf), added: added.map(nameOf) };
  }

  /** The same question, but of another account only what is known already is learned, and no absence is concluded. */
  readonly guarded = (list: () => Promise<Listing>) => async (): Promise<Listing> => {
    const links = this.#links;
    return this.#sift(await list(), links);
  };

  /**
   * This account is wanted. Returns the locks of the former one that it does not list, which may be removed now. Throws
   * a retry error while it has not listed a lock: on an empty list nothing is removed.
   */
  keep(): readonly LockId[] {
    if (this.#listed === null || this.#listed.length === 0) {
      throw new RetryError(
        'unreachable',
        'The account has not listed any lock yet, so nothing is removed. Try again when it does, or unlink it.',
      );
    }
    const missing = this.#missing().map(({ id }) => id);
    this.#noteSubject();
    this.#settle();
    return missing;
  }

  #sift(listing: Listing, links: number): Listing {
    this.#save();
    const known = new Set(this.#parts.known().map(({ id }) => id));
    if (links === this.#links) {
      if (this.#phase === 'settled') {
        this.#noteSubject();
        return listing;
      }
      const verdict = judgeAccount({
        formerSubject: this.#formerSubject(),
        subject: this.#subject(),
        former: known,
        listed: new Set(listing.locks.map(({ id }) => id)),
      });
      if (verdict === 'same') {
        this.#noteSubject();
        this.#settle();
        return listing;
      }
      if (verdict === 'other') {
        this.#ask(listing);
      }
    }
    return { ...listing, locks: listing.locks.filter(({ id }) => known.has(id)), complete: false };
  }

  #ask({ locks }: Listing): void {
    this.#listed = locks;
    const missing = this.#missing();
    this.#parts.outOfReach(missing.map(({ id }) => id));
    if (this.#phase !== 'asked') {
      const names = missing.map((lock) => oneLine(nameOf(lock))).join(', ');
      this.#parts.log.warn(
        `The account that is linked now seems to be another one: it does not list ${names}. ` +
          'Nothing is removed until you confirm it, on the page of the plugin or with: latchkey link --confirm keep (or undo)',
      );
      this.#change('asked');
      this.#save();
    }
  }

  #missing(): ReturnType<AccountWatchParts['known']> {
    const listed = new Set((this.#listed ?? []).map(({ id }) => id));
    return this.#parts.known().filter(({ id }) => !listed.has(id));
  }

  #settle(): void {
    this.#listed = null;
    this.#change('settled');
    this.#save();
  }

  #change(phase: Phase): void {
    if (phase !== this.#phase) {
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
    this.#tryDisk(() => {
      const { settings } = this.#parts;
      if (this.#phase === 'settled') {
        settings.erase(PHASE_SETTING);
      } else {
        settings.write(PHASE_SETTING, this.#phase);
      }
      this.#unsaved = false;
    });
  }

  #subject(): string | null {
    const subject = this.#parts.subject();
    return subject === null ? null : createHash('sha256').update(subject).digest('base64url');
  }

  #formerSubject(): string | null {
    const stored = this.#tryDisk(() => this.#parts.settings.read(SUBJECT_SETTING));
    return typeof stored === 'string' ? stored : null;
  }

  /** The account is the one that is wanted: this is its mark. */
  #noteSubject(): void {
    const subject = this.#subject();
    if (subject !== null && subject !== this.#formerSubject()) {
      this.#tryDisk(() => {
        this.#parts.settings.write(SUBJECT_SETTING, subject);
      });
    }
  }

  #tryDisk<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      this.#parts.log.debug(`What is known of the linked account cannot be kept yet: ${messageOf(error)}`);
      return null;
    }
  }
}

function nameOf({ description }: { readonly description: { readonly name: string } }): string {
  return description.name;
}
