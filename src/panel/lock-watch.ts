// Keeps the locks current while a page is looked at: lists them every few seconds, at the pace of the service.
import type { Clock } from '../support/clock.ts';
import type { AccountRuntime } from '../sync/account-runtime.ts';

/**
 * A page that is looked at asks this often, in milliseconds. With `ANSWER_WITHIN_MS` it is 5 s: within that a turn of a
 * bolt shows, or the page says that the service does not answer.
 */
export const WATCH_EVERY_MS = 3_300;

/** No listing for pages comes sooner after another one, in milliseconds: at most two in any 5 s, of however many pages. */
const LIST_AFTER_MS = 3_000;

/** How long a page waits for the listing, in milliseconds; then it hears that none has come. */
const ANSWER_WITHIN_MS = 1_700;

export interface LockWatchParts {
  readonly runtime: Pick<AccountRuntime, 'status' | 'refresh'>;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
}

export class LockWatch {
  readonly #parts: LockWatchParts;
  #asked: { readonly at: number; readonly answer: Promise<unknown> } | null = null;

  constructor(parts: LockWatchParts) {
    this.#parts = parts;
  }

  /** For how long a listing for pages has had no answer, in milliseconds; null while none waits. */
  get unansweredMs(): number | null {
    return this.#asked === null ? null : this.#parts.clock.monotonic() - this.#asked.at;
  }

  /** Resolves when the locks are current, or after `ANSWER_WITHIN_MS`. A service that fails is asked at its own pace only. */
  async look(): Promise<void> {
    const { runtime, clock } = this.#parts;
    const { failing, lastListedAgoMs } = runtime.status();
    const isCurrent = lastListedAgoMs !== null && lastListedAgoMs < LIST_AFTER_MS;
    if (failing !== null || isCurrent) {
      return;
    }
    const { answer } = (this.#asked ??= this.#ask());
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(ANSWER_WITHIN_MS, resolve);
    await Promise.race([answer, isLate]);
    cancel();
  }

  #ask(): { readonly at: number; readonly answer: Promise<unknown> } {
    const { runtime, clock } = this.#parts;
    const answer = runtime.refresh().finally(() => {
      this.#asked = null;
    });
    return { at: clock.monotonic(), answer };
  }
}
