// Keeps the state current by asking: one listing of all locks, as often as the poll policy says and never unpaced.
import { message } from '../../domain/language/message.ts';
import {
  afterFailure,
  afterSleep,
  failingForMs,
  type Outage,
  restOfWaitMs,
} from '../../domain/polling/outage-policy.ts';
import {
  HEARD_AGAIN_AFTER_MS,
  nextListingAt,
  PACED_LISTINGS,
  paceMs,
  watchedClosely,
} from '../../domain/polling/poll-policy.ts';
import type { Listing, LockGateway } from '../../domain/ports.ts';
import { AWAY_AFTER_MS } from '../../domain/time/time.ts';
import { type CancelTimer, delay } from '../../support/clock.ts';
import {
  asLatchkeyError,
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  WaitError,
  wordsOf,
} from '../../support/errors.ts';
import { LOSSES } from '../../words/account.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { WebhookMonitor } from '../webhooks/monitor.ts';
import { type Failing, failureOf, outageLine } from './failing.ts';
import type { ListingReader } from './listing-reader.ts';

export interface PollingLimits {
  /** Interval of listings without webhooks, and while webhooks arrive, in milliseconds. */
  readonly idleMs: number;
  readonly healthyMs: number;
  /** How long a belief may go unconfirmed before it is stale, in milliseconds. */
  readonly evidenceMaxAgeMs: number;
}

/** How a reading ended: null when the locks were listed, else the error. */
export type ReadingEnd = LatchkeyError | null;

export class ListingLoop {
  readonly #parts;
  readonly #ending = new AbortController();
  #timer: CancelTimer | null = null;
  /** When the next listing is due; null while one is under way or waits for its turn. */
  #dueAt: number | null = null;
  #underWay: Promise<ReadingEnd> | null = null;
  /** The one reading that waits for the end of another, and for its turn. */
  #waiting: Promise<ReadingEnd> | null = null;
  /** When the latest listings were requested, the oldest first: monotonic milliseconds, like all times here. */
  #askedAt: readonly number[] = [];
  #lastListedAt: number | null = null;
  #watchedSince: readonly number[] = [];
  #emptyInDoubt = false;
  #outage: Outage | null = null;
  #lastError: LatchkeyError | null = null;
  /** Set from the first question without a good answer: the service is away when it is due. */
  #awayAt: CancelTimer | null = null;
  #isAway = false;

  constructor(
    parts: Pick<CommonParts, 'bus' | 'link' | 'clock' | 'log'> & {
      readonly gateway: Pick<LockGateway, 'list'>;
      readonly listings: Pick<ListingReader, 'take' | 'dispose'>;
      readonly webhooks: Pick<WebhookMonitor, 'health'>;
      readonly limits: PollingLimits;
      /** A number from 0 up to 1, for jitter. */
      readonly random: () => number;
    },
  ) {
    this.#parts = parts;
    const { bus } = parts;
    bus.on('reading-wanted', () => void this.readAfresh());
    bus.on('gap', () => void this.readAfresh());
    bus.on('event-received', () => this.#heard());
    bus.on('webhooks-changed', () => this.#schedule());
    bus.on('suspended', ({ ms }) => {
      this.#outage = afterSleep(this.#outage, ms);
      this.#schedule();
    });
    bus.on('command-unheard', ({ agoMs }) => this.#asksSince(parts.clock.monotonic() - agoMs));
    bus.on('poll-soon', () => {
      this.#watchedSince = watchedClosely(this.#watchedSince, parts.clock.monotonic());
      this.#askGate();
      this.#schedule();
    });
  }

  /** Lists the locks as soon as the service may be called, or joins the listing under way. Never rejects. */
  async read(): Promise<ReadingEnd> {
    return this.#underWay ?? this.readAfresh();
  }

  /** The same after a change of the state: a listing under way may be too old, so one more follows. */
  async readAfresh(): Promise<ReadingEnd> {
    const hindrance = this.#hindrance();
    if (hindrance !== null) {
      return hindrance;
    }
    this.#waiting ??= this.#readNext();
    return this.#waiting;
  }

  /** The same for a person who wants it now: whether a pause of the service still counts is asked of its gate. */
  async readNow(): Promise<ReadingEnd> {
    this.#askGate();
    return this.readAfresh();
  }

  /** Null while the service answers, and before the first call. */
  get failing(): Failing | null {
    const forMs = this.failingForMs;
    if (forMs === null || this.#lastError === null) {
      return null;
    }
    const now = this.#parts.clock.monotonic();
    const retryInMs = this.#dueAt === null ? null : Math.max(this.#dueAt - now, 0);
    return { forMs, ...failureOf(this.#lastError), retryInMs };
  }

  /** For how long the service has not answered as it should, in milliseconds; null while it does. */
  get failingForMs(): number | null {
    return failingForMs(this.#outage, this.#parts.clock.monotonic());
  }

  /** The service has not answered for a while. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** For how long the listing under way has had no answer, in milliseconds; null while none is under way. */
  get askingForMs(): number | null {
    const askedAt = this.#askedAt.at(-1) ?? null;
    return this.#underWay === null || askedAt === null ? null : this.#parts.clock.monotonic() - askedAt;
  }

  /** How long ago the service last listed the locks, in milliseconds; null when it has not yet. */
  get lastListedAgoMs(): number | null {
    return this.#lastListedAt === null ? null : this.#parts.clock.monotonic() - this.#lastListedAt;
  }

  dispose(): void {
    this.#ending.abort(new Error('The account was given back'));
    this.#timer?.();
    this.#awayAt?.();
    this.#parts.listings.dispose();
  }

  /** Takes in an event during an outage: the service may work again. */
  #heard(): void {
    const askedAgoMs = this.#parts.clock.monotonic() - (this.#askedAt.at(-1) ?? 0);
    if (this.#outage !== null && askedAgoMs >= HEARD_AGAIN_AFTER_MS) {
      void this.readAfresh();
    }
  }

  /** The service may take calls again, as after a command that it took: what still waits is known to the gate of its calls. */
  #askGate(): void {
    if (this.#outage !== null) {
      this.#outage = { ...this.#outage, notBefore: null };
    }
  }

  async #readNext(): Promise<ReadingEnd> {
    await this.#underWay;
    const { clock } = this.#parts;
    const waitMs = paceMs(this.#askedAt, clock.monotonic(), this.#watchedSince);
    if (waitMs > 0) {
      // Only disposing ends the pause early; then no call is made.
      await delay(clock, waitMs, this.#ending.signal).catch(() => undefined);
    }
    this.#waiting = null;
    this.#underWay = this.#list().finally(() => {
      this.#underWay = null;
      this.#schedule();
    });
    return this.#underWay;
  }

  #schedule(): void {
    this.#timer?.();
    const isBusy = this.#underWay !== null || this.#waiting !== null;
    if (this.#ending.signal.aborted || isBusy || this.#parts.link.state() !== 'linked') {
      return;
    }
    const { limits, random, clock, webhooks } = this.#parts;
    const now = clock.monotonic();
    const dueAt = nextListingAt({
      now,
      lastAskedAt: this.#askedAt.at(-1) ?? null,
      outage: this.#outage,
      watchedSince: this.#watchedSince,
      emptyInDoubt: this.#emptyInDoubt,
      webhooks: webhooks.health,
      ...limits,
      random: random(),
    });
    this.#dueAt = dueAt;
    this.#timer = clock.after(Math.max(dueAt - now, 0), () => void this.read());
  }

  async #list(): Promise<ReadingEnd> {
    const hindrance = this.#hindrance();
    if (hindrance !== null) {
      return hindrance;
    }
    const now = this.#parts.clock.monotonic();
    this.#dueAt = null;
    this.#askedAt = [...this.#askedAt, now].slice(-PACED_LISTINGS);
    this.#asksSince(now);
    try {
      const listing = await this.#parts.gateway.list();
      if (this.#ending.signal.aborted) {
        return this.#hindrance();
      }
      this.#listed(listing);
      return null;
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      this.#failed(error);
      return error;
    }
  }

  /** Why no call is made now, or null. */
  #hindrance(): LatchkeyError | null {
    const state = this.#parts.link.state();
    if (this.#ending.signal.aborted) {
      return new RetryError('aborted', 'This process has given the account back, and asks no more.');
    }
    if (state === 'other-process') {
      return new FinalError('not-owner', message('Another process owns the account at the moment.'));
    }
    if (state !== 'linked') {
      return new RelinkError(state, LOSSES[state]);
    }
    const waitMs = restOfWaitMs(this.#outage, this.#parts.clock.monotonic());
    const error = this.#lastError;
    // No call is made during a wait, so the last error is the one that named the wait.
    return waitMs > 0 && error instanceof WaitError
      ? new WaitError(error.code, wordsOf(error), waitMs)
      : null;
  }

  #listed(listing: Listing): void {
    const { bus, log, listings, clock } = this.#parts;
    if (this.#outage !== null) {
      log.info(t('The lock service answers again.'));
    }
    this.#outage = null;
    this.#answers();
    this.#lastListedAt = clock.monotonic();
    this.#emptyInDoubt = listings.take(listing) === 'in-doubt';
    bus.emit({ type: 'listed', listing });
  }

  /** The first question without a good answer, a listing or a command, counts. */
  #asksSince(askedAt: number): void {
    const { clock } = this.#parts;
    const inMs = Math.max(askedAt + AWAY_AFTER_MS - clock.monotonic(), 0);
    if (!this.#ending.signal.aborted) {
      this.#awayAt ??= clock.after(inMs, () => this.#becomeAway(askedAt));
    }
  }

  /** A question may still be under way: a service that is silent is away as well as one that fails (faults#172). */
  #becomeAway(askedAt: number): void {
    if (this.#outage === null) {
      this.#failed(new RetryError('timed-out', message('The service does not answer.')), askedAt);
    }
    if (this.#lastError?.code !== 'storage-failed') {
      this.#isAway = true;
      this.#parts.bus.publish({ type: 'service-away', away: true });
    }
  }

  /** The service answers, or is not what keeps the locks from being read. */
  #answers(): void {
    this.#awayAt?.();
    this.#awayAt = null;
    if (this.#isAway) {
      this.#isAway = false;
      this.#parts.bus.publish({ type: 'service-away', away: false });
    }
  }

  #failed(error: LatchkeyError, since?: number): void {
    const { log, clock } = this.#parts;
    if (this.#ending.signal.aborted || error.disposition === 'relink' || error.code === 'not-owner') {
      this.#answers();
      return;
    }
    if (this.#outage === null) {
      log.warn(outageLine(error));
    } else {
      log.debug(`Still no good answer from the lock service: ${error.message}`);
    }
    const waitMs = error instanceof WaitError ? error.waitMs : null;
    this.#lastError = error;
    this.#outage = afterFailure(this.#outage, clock.monotonic(), waitMs, since);
  }
}
