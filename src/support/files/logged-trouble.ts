// Work that may fail again and again, such as on a full disk: the log has its first failure, and its first success after it.
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';

export class LoggedTrouble {
  readonly #log: Log;
  readonly #lost: string;
  readonly #regained: string;
  #isFailing = false;

  /** `lost`: the begin of the line on a failure; `regained`: the whole line on a success after it. */
  constructor(log: Log, lost: string, regained: string) {
    this.#log = log;
    this.#lost = lost;
    this.#regained = regained;
  }

  /** The result of the work; null when it failed. Never throws. */
  attempt<T>(work: () => T): T | null {
    try {
      const result = work();
      if (this.#isFailing) {
        this.#log.info(this.#regained);
      }
      this.#isFailing = false;
      return result;
    } catch (error) {
      if (!this.#isFailing) {
        this.#log.warn(`${this.#lost}: ${messageOf(error)}`);
      }
      this.#isFailing = true;
      return null;
    }
  }
}
