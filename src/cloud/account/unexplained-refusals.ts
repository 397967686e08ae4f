// Tells an expired refresh token from a gateway that errs: both answer a renewal with a bare 401, and only the first goes on for a day.
import { message } from '../../domain/language/message.ts';
import type { Clock } from '../../support/clock.ts';
import { RetryError } from '../../support/errors.ts';

/** The token endpoint answered 401 without an OAuth error, as for an expired refresh token (specification, Flow 7). */
export class UnexplainedRefusal extends RetryError {
  constructor() {
    super(
      'server-fault',
      message(
        'The connection to the lock account can’t be renewed at the moment (HTTP 401 without a reason). Trying again by itself.',
      ),
    );
    this.name = 'UnexplainedRefusal';
  }
}

/** They end the link after this long, in milliseconds (our choice): what stands before a service does not err for a whole day unseen. */
const END_AFTER_MS = 24 * 3_600_000;

/** A longer silence between two of them, in milliseconds, says nothing about the time between (our choice). */
const LONGEST_SILENCE_MS = 3_600_000;

/** From then on each renewal is one call, in milliseconds (our choice): an answer that was lost would not come so often. */
const LASTING_AFTER_MS = 60_000;

/** No answer of the server came, so it neither repeated a refusal nor took one back. */
const NO_ANSWER: ReadonlySet<string> = new Set(['unreachable', 'timed-out', 'aborted', 'storage-failed']);

export class UnexplainedRefusals {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #run: { readonly since: number; readonly last: number } | null = null;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get isLasting(): boolean {
    return this.#run !== null && this.#run.last - this.#run.since >= LASTING_AFTER_MS;
  }

  /** A renewal failed so. True once the refusals have gone on for a day, with no other answer between. */
  met(error: unknown): boolean {
    if (!(error instanceof UnexplainedRefusal)) {
      const isSilence = error instanceof RetryError && NO_ANSWER.has(error.code);
      this.#run = isSilence ? this.#run : null;
      return false;
    }
    const now = this.#clock.monotonic();
    const goesOn = this.#run !== null && now - this.#run.last <= LONGEST_SILENCE_MS;
    this.#run = { since: goesOn && this.#run !== null ? this.#run.since : now, last: now };
    return now - this.#run.since >= END_AFTER_MS;
  }
}
