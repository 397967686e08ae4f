// Limits messages that wait for an acknowledgement: a broker ends a connection that sends more than it allows.
import { message } from '../domain/language/message.ts';
import { RetryError } from '../support/errors.ts';

/** The number of messages that may wait for a place (our choice): a broker that slow is as good as none. */
const MOST_WAITING = 1_000;

export class SendWindow {
  #free: number;
  #isClosed = false;
  #waiting: PromiseWithResolvers<void>[] = [];

  /** `size`: messages that the broker takes before it acknowledges the first. */
  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Resolves in order of the calls, when a place is free; `release` gives it back. Rejects with retry (`unreachable`)
   * when too many wait, and once it is closed.
   */
  async take(): Promise<void> {
    if (this.#isClosed) {
      throw notConnected();
    }
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      throw new RetryError(
        'unreachable',
        message('The broker is slower than the messages come. Try again later.'),
      );
    }
    const place = Promise.withResolvers<void>();
    this.#waiting.push(place);
    await place.promise;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next.resolve();
    }
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    for (const place of this.#waiting) {
      place.reject(notConnected());
    }
    this.#waiting = [];
  }
}

/** The refusal of a message without a connection. */
export function notConnected(): RetryError {
  return new RetryError(
    'unreachable',
    'A message was not sent, because there is no connection to the broker',
  );
}
