// Who the account belongs to, as far as its token tells: kept as a mark that can be compared and says so of nobody.
import { createHash } from 'node:crypto';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

export interface AccountMarkParts {
  /** Small values across restarts. Throws when the disk does not take or give them. */
  readonly settings: { read(key: string): unknown; write(key: string, value: string): void };
  /** Who the account belongs to as far as its token tells; null when it does not. */
  readonly subject: () => string | null;
  readonly log: Log;
}

/** A digest: who somebody is belongs neither into diagnostics nor into a backup. */
const SETTING = 'account.subject';

export class AccountMark {
  readonly #parts: AccountMarkParts;

  constructor(parts: AccountMarkParts) {
    this.#parts = parts;
  }

  /** That of the account that is linked now; null when its token has none. */
  get present(): string | null {
    const subject = this.#parts.subject();
    return subject === null ? null : createHash('sha256').update(subject).digest('base64url');
  }

  /** That of the account whose locks we know; null when there was none, or the disk does not give it. */
  get former(): string | null {
    const stored = this.#tryDisk(() => this.#parts.settings.read(SETTING));
    return typeof stored === 'string' ? stored : null;
  }

  /** The account that is linked now is the one whose locks we know. */
  note(): void {
    const { present } = this;
    if (present !== null && present !== this.former) {
      this.#tryDisk(() => {
        this.#parts.settings.write(SETTING, present);
      });
    }
  }

  /** Without it, accounts are distinguished by their locks alone. */
  #tryDisk<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      this.#parts.log.debug(`The mark of the linked account cannot be kept yet: ${messageOf(error)}`);
      return null;
    }
  }
}
