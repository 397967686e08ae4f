// Counts every answer, limits refusals, and logs advice on them: rarely, so that a stranger cannot fill the log.

import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { TokenBucket, type TokenBucketLimits } from '../support/token-bucket.ts';
import { t } from '../words/translate.ts';
import { ADVICE, type Answer, type AnswerCounts, isRefusal } from './answer.ts';

/**
 * The number of refusals before they are limited (our choice): a person's whole evening of trying, or one second of a flood;
 * afterwards a hundred a second. Valid requests are never limited.
 */
const REFUSALS: TokenBucketLimits = { burst: 10_000, everyMs: 10 };

/** How long a refused sender is asked to stay away, in seconds (our choice). */
export const RETRY_AFTER_S = 60;

/** The same advice is not logged again within this time (our choice): strangers must not be able to fill the log. */
const ADVICE_EVERY_MS = 3_600_000;

export class RefusalLimiter {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counts = new Map<Answer, number>();
  readonly #advisedAt = new Map<Answer, number>();
  readonly #refusals: TokenBucket;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#refusals = new TokenBucket(clock, REFUSALS);
  }

  /** Counts an answer, and returns the one to give: the same, or `limited` after too many refusals. */
  answer(answer: Answer): Answer {
    const given = isRefusal(answer) && this.#refusals.take() !== null ? 'limited' : answer;
    this.#counts.set(given, (this.#counts.get(given) ?? 0) + 1);
    this.#advise(answer);
    return given;
  }

  counts(): AnswerCounts {
    return Object.fromEntries(this.#counts);
  }

  #advise(answer: Answer): void {
    const advice = ADVICE[answer];
    if (advice === undefined) {
      return;
    }
    const now = this.#clock.monotonic();
    const advisedAt = this.#advisedAt.get(answer) ?? Number.NEGATIVE_INFINITY;
    if (now - advisedAt >= ADVICE_EVERY_MS) {
      this.#advisedAt.set(answer, now);
      this.#log.warn(t('A webhook was refused: {advice}.', { advice }));
    }
  }
}
