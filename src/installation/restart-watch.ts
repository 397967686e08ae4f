// The changes that a restart would bring: the installed version of the package, and the account's options in its file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { accountBlocks } from '../config/account-blocks.ts';
import type { RestartFacts } from '../domain/account/restart-facts.ts';
import { isObject } from '../support/text/foreign-json.ts';
import { packageFacts } from './package-facts.ts';

export class RestartWatch {
  readonly #file: string;
  readonly #account: string;
  readonly #versionOnDisk: () => string;
  readonly #running: string;
  readonly #options: string | null;

  /** Created when the account's options are read. */
  constructor(file: string, account: string, versionOnDisk = () => packageFacts().version) {
    this.#versionOnDisk = versionOnDisk;
    this.#running = versionOnDisk();
    this.#file = file;
    this.#account = account;
    this.#options = this.#digest();
  }

  /** Reads both files anew. Never throws: what cannot be read is taken to be as it was. */
  facts(): RestartFacts {
    const installed = this.#installed();
    const options = this.#digest();
    const isChanged = options !== null && this.#options !== null && options !== this.#options;
    return {
      running: this.#running,
      installed: installed === this.#running ? null : installed,
      isNeeded: isChanged || installed !== this.#running,
    };
  }

  /** An update that is under way may have left no file, or half of one. */
  #installed(): string {
    try {
      return this.#versionOnDisk();
    } catch {
      return this.#running;
    }
  }

  /** A digest of the account's block alone, so that other blocks may change; of the whole file where that is no JSON. */
  #digest(): string | null {
    try {
      const text = readFileSync(this.#file, 'utf8');
      return createHash('sha256').update(this.#blockIn(text)).digest('hex');
    } catch {
      return null;
    }
  }

  #blockIn(text: string): string {
    try {
      const whole: unknown = JSON.parse(text);
      const blocks = isObject(whole) ? accountBlocks(whole) : [];
      return JSON.stringify(blocks.find(({ name }) => name === this.#account)?.block ?? null);
    } catch {
      return text;
    }
  }
}
