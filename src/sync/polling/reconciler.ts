// Keeps the truth current by asking: one listing of all locks, as often as the poll policy says, never two at once.
import { RELINK_WORDS } from '../../domain/account.ts';
import type { Instant } from '../../domain/bolt.ts';
import { nextListingAt } from '../../domain/poll-policy.ts';
import type { AccountLink, Listing, LockGateway, ServiceClock } from '../../domain/ports.ts';
import { type CancelTimer, type Clock, untilBeat } from '../../support/clock.ts';
import {
  asLatchkeyError,
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  WaitError,
} from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import type { WebhookMonitor } from '../events/webhook-monitor.ts';
import type { KnownLocks } from '../state/known-locks.ts';
import type { LockStore } from '../state/lock-store.ts';
import { StalenessTracker } from '../state/staleness-tracker.ts';
import { SuspendDetector } from '../state/suspend-detector.ts';
import { ListingReader } from './listing-reader.ts';

export interface PollingLimits {
  /** Interval of listings without webhooks, and with webhooks that are proven, in milliseconds. */
  readonly idleMs: number;
  readonly healthyMs: number;
  /** How long a belief may go unconfirmed before it is none, in milliseconds. */
  readonly evidenceMaxAgeMs: number;
}

/** The service does not answer as it should. */
export interface Failing {
  /** For how long, in milliseconds. */
  readonly forMs: number;
  /** Why, when it was asked last: for a person. */
  readonly message: string;
  /** What kind of failure that was. */
  readonly code: LatchkeyError['code'];
  /** When it is asked again, in milliseconds; null while it is being asked. */
  readonly retryInMs: number | null;
}

export interface ReconcilerParts {
  readonly gateway: Pick<LockGateway, 'list'>;
  readonly knownLocks: Pick<KnownLocks, 'noteListing'>;
  readonly store: LockStore;
  readonly link: AccountLink;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
  readonly limits: PollingLimits;
  readonly webhooks: WebhookMonitor;
  /** Told of every listing, once all that it says of the present is known. */
  readonly onListing: (listing: Listing) => void;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
}

/** Listings are spread by this share of their interval, so that many homes do not ask in step (our choice). */
const JITTER = 0.1;

/**
 * How often it is looked whether this process stood still and beliefs have grown old, at most, in milliseconds (our
 * choice): every second time with the renewal of the account's lease, so that both wake the machine once; and well more
 * often than an unlock may wait, so that the age of one that was heard late can be told.
 */
const LOOK_EVERY_MS = 6_000;

export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #ageing: StalenessTracker;
  readonly #listings: ListingReader;
  #wake: SuspendDetector;
  #timer: CancelTimer | null = null;
  /** When the next listing is due; null while one is under way. */
  #dueAt: number | null = null;
  #nextLook: CancelTimer | null = null;
  #underWay: Promise<LatchkeyError | null> | null = null;
  /** The listing that follows the one under way, because something happened since that one was asked. */
  #following: Promise<LatchkeyError | null> | null = null;
  /** Monotonic milliseconds, all of them: a wrong wall clock must not silence the house. */
  #lastAskedAt: number | null = null;
  #lastListedAt: number | null = null;
  #lastPollSoonAt: number | null = null;
  #wait: { readonly until: number; readonly error: WaitError } | null = null;
  #failing: { readonly since: number; readonly error: LatchkeyError } | null = null;
  #failures = 0;
  #disposed = false;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#ageing = new StalenessTracker(parts);
    this.#listings = new ListingReader(parts);
    this.#wake = new SuspendDetector(parts.clock);
  }

  /** Begins to ask; resolves after the first listing, whether it succeeded or not. */
  async start(): Promise<void> {
    // Nobody was kept waiting by what was before.
    this.#wake = new SuspendDetector(this.#parts.clock);
    this.#age();
    this.#lookLater();
    await this.readNow();
  }

  /** Something happened at a door: watch closely for a while. */
  pollSoon(): void {
    this.#lastPollSoonAt = this.#parts.clock.monotonic();
    this.reschedule();
  }

  /** What the next listing waits for has changed. */
  reschedule(): void {
    this.#schedule();
  }

  /**
   * Asks now, unless the account is not linked or the service asked us to wait; joins a listing that is under way.
   * Resolves with null when the service has listed the locks, else with what kept it from that. Never rejects.
   */
  async readNow(): Promise<LatchkeyError | null> {
    this.#underWay ??= this.#list().finally(() => {
      this.#underWay = null;
      this.#schedule();
    });
    return this.#underWay;
  }

  /** Something has just happened: a listing under way was asked before it, so another follows. Ends as `readNow` does. */
  async readAfresh(): Promise<LatchkeyError | null> {
    if (this.#underWay === null) {
      return this.readNow();
    }
    this.#following ??= this.#readAfter(this.#underWay);
    return this.#following;
  }

  async #readAfter(underWay: Promise<unknown>): Promise<LatchkeyError | null> {
    await underWay;
    this.#following = null;
    return this.readNow();
  }

  /** Null while the service answers, and before it was asked. */
  get failing(): Failing | null {
    return this.#failing === null
      ? null
      : {
          forMs: this.#parts.clock.monotonic() - this.#failing.since,
          message: this.#failing.error.message,
          code: this.#failing.error.code,
          retryInMs: this.#dueAt === null ? null : Math.max(this.#dueAt - this.#parts.clock.monotonic(), 0),
        };
  }

  /** What was believed before the machine slept is by so much older. To be called whenever that could matter: it is cheap. */
  checkSuspend(): void {
    const sleptMs = this.#wake.look();
    if (sleptMs > 0) {
      this.#ageing.slept(sleptMs);
      this.#age();
      void this.readAfresh();
    }
  }

  /** What was last confirmed before this instant is not believed. */
  get staleBefore(): Instant {
    return this.#ageing.staleBefore(this.failing?.forMs ?? null);
  }

  /** How long what is heard right now may have waited to be heard, in milliseconds: this process may have stood still. */
  get unheardMs(): number {
    return this.#wake.unheardMs();
  }

  /** How long ago the service last listed the locks, in milliseconds; null when it has not yet. */
  get lastListedAgoMs(): number | null {
    return this.#lastListedAt === null ? null : this.#parts.clock.monotonic() - this.#lastListedAt;
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
    this.#nextLook?.();
  }

  #schedule(): void {
    this.#timer?.();
    if (this.#disposed || this.#underWay !== null || this.#parts.link.state() !== 'linked') {
      return;
    }
    const { limits, random, clock, webhooks } = this.#parts;
    const now = clock.monotonic();
    const dueAt = nextListingAt({
      now,
      lastAskedAt: this.#lastAskedAt,
      failures: this.#failures,
      lastPollSoonAt: this.#lastPollSoonAt,
      notBefore: this.#wait?.until ?? null,
      webhooks: webhooks.health,
      idleMs: limits.idleMs,
      healthyMs: limits.healthyMs,
    });
    const waitMs = Math.max(dueAt - now, 0) * (1 + JITTER * random());
    this.#dueAt = now + waitMs;
    this.#timer = clock.after(waitMs, () => {
      void this.readNow();
    });
  }

  async #list(): Promise<LatchkeyError | null> {
    const hindrance = this.#hindrance();
    if (hindrance !== null) {
      return hindrance;
    }
    this.#lastAskedAt = this.#parts.clock.monotonic();
    this.#dueAt = null;
    try {
      const listing = await this.#parts.gateway.list();
      if (this.#disposed) {
        return this.#hindrance();
      }
      this.#learn(listing);
      return null;
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      this.#failed(error);
      return error;
    }
  }

  /** Why nothing is asked now, or null. */
  #hindrance(): LatchkeyError | null {
    const state = this.#parts.link.state();
    if (this.#disposed) {
      return new RetryError('aborted', 'This process has given the account back, and asks no more.');
    }
    if (state === 'other-process') {
      return new FinalError('not-owner', 'Another process owns the account at the moment.');
    }
    return state === 'linked' ? this.#restOfWait() : new RelinkError(state, RELINK_WORDS[state]);
  }

  /** What the service said when it asked us to wait, and for how long it still does; null when nothing is waited for. */
  #restOfWait(): WaitError | null {
    const waitMs = (this.#wait?.until ?? 0) - this.#parts.clock.monotonic();
    return this.#wait === null || waitMs <= 0
      ? null
      : new WaitError(this.#wait.error.code, this.#wait.error.message, waitMs);
  }

  #learn(listing: Listing): void {
    if (this.#failing !== null) {
      this.#parts.log.info('The lock service answers again.');
    }
    this.#failures = 0;
    this.#failing = null;
    this.#wait = null;
    this.#lastListedAt = this.#parts.clock.monotonic();
    this.#ageing.reportedTime();
    this.#listings.take(listing);
    this.#age();
    this.#parts.onListing(listing);
  }

  #failed(error: LatchkeyError): void {
    const now = this.#parts.clock.monotonic();
    if (this.#disposed || error.disposition === 'relink' || error.code === 'not-owner') {
      return;
    }
    this.#failures += 1;
    if (this.#failing === null) {
      this.#parts.log.warn(
        `The lock service does not answer as it should: ${error.message} Trying again by itself.`,
      );
    } else {
      this.#parts.log.debug(`Still no good answer from the lock service: ${error.message}`);
    }
    this.#failing = { since: this.#failing?.since ?? now, error };
    if (error instanceof WaitError && error.waitMs !== null) {
      this.#wait = { until: now + error.waitMs, error };
    }
    this.#age();
  }

  #lookLater(): void {
    const { clock, limits } = this.#parts;
    const everyMs = Math.min(LOOK_EVERY_MS, limits.evidenceMaxAgeMs / 4);
    this.#nextLook = clock.after(untilBeat(clock, everyMs), () => {
      this.#look();
    });
  }

  #look(): void {
    if (this.#disposed) {
      return;
    }
    this.checkSuspend();
    this.#age();
    this.#lookLater();
  }

  #age(): void {
    this.#ageing.age(this.failing?.forMs ?? null);
  }
}
