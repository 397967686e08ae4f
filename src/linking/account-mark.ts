// Marks the linked account by a digest of its token's subject, so that accounts can be compared without identifying a person.
import { createHash } from 'node:crypto';
import { tryDisk } from '../support/files/try-disk.ts';
import type { Log } from '../support/log.ts';

/** A digest: the subject itself belongs neither into diagnostics nor into a backup. */
const SETTING = 'account.subject';

export class AccountMark {
  readonly #parts;

  constructor(parts: {
    /** Small values across restarts. Throws when the disk fails. */
    readonly settings: { read(key: string): unknown; write(key: string, value: string): void };
    /** The account's subject from its token; null when the token has none. */
    readonly subject: () => string | null;
    readonly log: Log;
  }) {
    this.#parts = parts;
  }

  /** The mark of the account that is linked now; null when its token has none. */
  get present(): string | null {
    const subject = this.#parts.subject();
    return subject === null ? null : createHash('sha256').update(subject).digest('base64url');
  }

  /** The mark of the account that the known locks belong to; null when there was none, or the disk fails. */
  get former(): string | null {
    const stored = this.#attempt(() => this.#parts.settings.read(SETTING));
    return typeof stored === 'string' ? stored : null;
  }

  /** Stores the mark of the linked account, to which the known locks belong. */
  note(): void {
    const { present } = this;
    if (present !== null && present !== this.former) {
      this.#attempt(() => this.#parts.settings.write(SETTING, present));
    }
  }

  /** Without it, accounts are distinguished by their locks alone. */
  #attempt<T>(work: () => T): T | null {
    return tryDisk(this.#parts.log, 'The mark of the connected account cannot be kept yet', work, 'debug');
  }
}
