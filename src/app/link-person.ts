// Who the service names for our own commands: the person of the link, as its token tells, or as its events have shown.
import { createHash } from 'node:crypto';
import { afterCommand, type PersonShown } from '../domain/move-attribution-policy.ts';
import type { LinkPerson } from '../domain/ports.ts';
import { messageOf } from '../support/errors.ts';
import { memberOf } from '../support/foreign-json.ts';
import type { Log } from '../support/log.ts';

export interface LinkPersonParts {
  /** Small values across restarts. Throws when the disk does not take or give them. */
  readonly settings: {
    read(key: string): unknown;
    write(key: string, value: object): void;
    erase(key: string): void;
  };
  /** Who the link belongs to, as far as its token tells; null when it does not. */
  readonly subject: () => string | null;
  readonly log: Log;
}

/** A digest: who somebody is belongs neither into diagnostics nor into a backup. */
const SETTING = 'account.person';

export class KeptLinkPerson implements LinkPerson {
  readonly #parts: LinkPersonParts;

  constructor(parts: LinkPersonParts) {
    this.#parts = parts;
  }

  is(id: string): boolean {
    return id === this.#parts.subject() || digest(id) === this.#shown.known;
  }

  named(id: string): void {
    const before = this.#shown;
    const shown = afterCommand(before, digest(id));
    if (shown !== before) {
      this.#tryDisk(() => {
        this.#parts.settings.write(SETTING, shown);
      });
    }
  }

  forget(): void {
    this.#tryDisk(() => {
      this.#parts.settings.erase(SETTING);
    });
  }

  get #shown(): PersonShown {
    const shown = this.#tryDisk(() => this.#parts.settings.read(SETTING));
    return { known: textOf(memberOf(shown, 'known')), latest: textOf(memberOf(shown, 'latest')) };
  }

  /** Without it our own moves are reported in the service's words. */
  #tryDisk(work: () => unknown): unknown {
    try {
      return work();
    } catch (error) {
      this.#parts.log.debug(`Who the service names for our commands cannot be kept yet: ${messageOf(error)}`);
      return undefined;
    }
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function digest(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
