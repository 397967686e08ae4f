// The wishes for one lock: the last one overtakes every earlier one, and waits for its turn no longer than it may.
import type { BoltPosition } from '../../domain/bolt.ts';
import { mayWaitMs, type RequestRefusal } from '../../domain/intent-policy.ts';
import { type CancelTimer, type Clock, type Moment, momentOf, sinceMs } from '../../support/clock.ts';
import type { LatchkeyError } from '../../support/errors.ts';

/** What became of a wish, as soon as it is known. Whatever comes later shows in the lock itself. */
export type RequestAnswer =
  /**
   * `accepted`: the service took the command. `uncertain`: it may have. `already`: the lock is there. `joined`: a
   * command under way brings it about. `held`: it waits for its turn. `superseded`: a later wish took its place.
   */
  | { readonly kind: 'accepted' | 'uncertain' | 'already' | 'joined' | 'held' | 'superseded' }
  | { readonly kind: 'refused'; readonly reason: RequestRefusal }
  | { readonly kind: 'failed'; readonly error: LatchkeyError };

/** A wish that has not been sent. */
export interface Wanted {
  readonly rest: BoltPosition;
  readonly answer: (answer: RequestAnswer) => void;
}

/** What was wished last and not refused, and when. */
interface LastWish {
  readonly rest: BoltPosition;
  readonly at: Moment;
}

export class PendingRequests {
  readonly #clock: Clock;
  readonly #onExpired: (wanted: Wanted) => void;
  #waiting: Wanted | null = null;
  #expiry: CancelTimer | null = null;
  /** Overtakes every earlier wish, even when it has expired since. */
  #last: LastWish | null = null;

  /** `onExpired` hears of a wish that has waited for as long as it may, and is not sent any more. */
  constructor(clock: Clock, onExpired: (wanted: Wanted) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  /** What is wished next, or null. */
  get next(): BoltPosition | null {
    return this.#waiting?.rest ?? null;
  }

  /** A wish was made that overtakes all before it; what waited is answered. */
  requested(rest: BoltPosition): void {
    this.#last = { rest, at: momentOf(this.#clock) };
    this.clear();
  }

  /** Waits for its turn in the place of whatever waited. */
  wait(wanted: Wanted): void {
    this.clear();
    this.#waiting = wanted;
    this.#expiry = this.#clock.after(mayWaitMs(wanted.rest) - this.#waitedMs(), () => {
      this.take();
      this.#onExpired(wanted);
    });
  }

  /** Takes what waits; null when nothing does. */
  take(): Wanted | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#expiry?.();
    this.#expiry = null;
    return waiting;
  }

  /** Nothing waits any more. */
  clear(): void {
    this.take()?.answer({ kind: 'superseded' });
  }

  /** Whether a later wish has overtaken this one. */
  isOvertaken({ rest }: Wanted): boolean {
    return this.#last?.rest !== rest;
  }

  /** Whether it may still be sent: no later wish has overtaken it, and it has not waited for too long. */
  mayBeSent(wanted: Wanted): boolean {
    return !this.isOvertaken(wanted) && this.#waitedMs() <= mayWaitMs(wanted.rest);
  }

  /** How long ago the last wish was made. */
  #waitedMs(): number {
    return this.#last === null ? 0 : sinceMs(this.#clock, this.#last.at);
  }
}
