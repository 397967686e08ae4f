// Takes the account for this process, keeps it, and gives it back: contends for the lease and renews it.

import {
  type Acquisition,
  CONTEND_EVERY_MS,
  type LeaseHolder,
  type OwnerLease,
  RENEW_AGAIN_MS,
  RENEW_EVERY_MS,
} from '../../storage/account/owner-lease.ts';
import { type CancelTimer, type Clock, delay, untilBeat } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';

export interface OwnershipParts {
  readonly lease: Pick<OwnerLease, 'acquire' | 'renew' | 'release'>;
  readonly socketPath: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives the reason why the account cannot be taken, each time that it changes. */
  readonly onObstacle: ((line: string) => void) | undefined;
  /** Asks the holder to hand the account over, and waits a moment until it has. Never rejects. */
  readonly askToStepBack: (holder: LeaseHolder) => Promise<void>;
  /** This process owns the account from now on. `previous` did not give it back and may have left its socket behind. */
  readonly onOwned: (previous: LeaseHolder | null) => Promise<void>;
  /** Another process owns the account from now on. */
  readonly onLost: () => Promise<void>;
}

export class Ownership {
  readonly #parts: OwnershipParts;
  readonly #ending = new AbortController();
  #renewal: CancelTimer | null = null;
  #owned = false;
  /** Work that may still be in progress. Never rejects. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** Grows with every new contention, so that an older one ends. */
  #contention = 0;
  /** The last holder requested to step back. */
  #asked: string | null = null;

  constructor(parts: OwnershipParts) {
    this.#parts = parts;
  }

  /**
   * Tries until the account is ours, and again whenever it is lost, until disposed. Resolves when it is ours for the
   * first time. Never rejects: a disk that fails is tried again.
   */
  async take(): Promise<void> {
    const taken = this.#contend();
    this.#underWay = Promise.all([this.#underWay, taken]);
    await taken;
  }

  /**
   * Stops contending and renewing; a held lease stays valid for a while, so that work in progress can end. Resolves when
   * all of it has ended; never rejects.
   */
  async retire(): Promise<void> {
    this.#ending.abort(new Error('This process is ending'));
    this.#renewal?.();
    await this.#underWay;
  }

  /** Gives the account back. */
  release(): void {
    if (this.#owned) {
      this.#owned = false;
      this.#guarded(() => this.#parts.lease.release());
    }
  }

  async #contend(): Promise<void> {
    this.#contention += 1;
    const contention = this.#contention;
    let reported = '';
    while (!this.#ending.signal.aborted && this.#contention === contention) {
      const obstacle = await this.#tryOnce();
      if (obstacle === null) {
        return;
      }
      if (obstacle !== reported) {
        reported = obstacle;
        this.#report(obstacle);
      }
      await this.#pause();
    }
  }

  #report(obstacle: string): void {
    const { onObstacle, log } = this.#parts;
    if (onObstacle === undefined) {
      log.info(obstacle);
    } else {
      onObstacle(obstacle);
    }
  }

  /** One try: null when the account is owned now, else a line with the reason. */
  async #tryOnce(): Promise<string | null> {
    try {
      const acquisition = await this.#acquire();
      if (acquisition.kind === 'held') {
        return t(
          'Another process (number {pid}) owns this account at the moment; waiting for it to finish.',
          { pid: acquisition.by.process.pid },
        );
      }
      this.#owned = true;
      if (this.#ending.signal.aborted) {
        return null;
      }
      this.#renewLater();
      await this.#parts.onOwned(acquisition.previous);
      return null;
    } catch (error) {
      return t('The account cannot be taken yet: {why}', { why: messageOf(error) });
    }
  }

  /** Asks the lease holder once to hand it over; a holder that refused keeps it for as long as it lives. */
  async #acquire(): Promise<Acquisition> {
    const { lease, socketPath, askToStepBack } = this.#parts;
    const first = lease.acquire(socketPath);
    if (first.kind === 'owned' || first.by.ownerId === this.#asked) {
      return first;
    }
    this.#asked = first.by.ownerId;
    await askToStepBack(first.by);
    return this.#ending.signal.aborted ? first : lease.acquire(socketPath);
  }

  #renewLater(): void {
    this.#renewAfter(untilBeat(this.#parts.clock, RENEW_EVERY_MS), 'warn');
  }

  /** `level`: a failure is a warning once, and a debug line while it goes on. */
  #renewAfter(ms: number, level: 'warn' | 'debug'): void {
    this.#renewal?.();
    const { clock } = this.#parts;
    this.#renewal = clock.after(ms, () => {
      clock.commits.take(() => {
        if (!this.#ending.signal.aborted) {
          this.#renew(level);
        }
      });
    });
  }

  #renew(level: 'warn' | 'debug'): void {
    try {
      if (this.#parts.lease.renew()) {
        this.#renewLater();
      } else {
        this.#underWay = Promise.all([this.#underWay, this.#lost()]);
      }
    } catch (error) {
      this.#parts.log[level](
        t(
          'The ownership of the account could not be renewed: {why} The locks are still read and moved, until the access token ends.',
          { why: messageOf(error) },
        ),
      );
      this.#renewAfter(RENEW_AGAIN_MS, 'debug');
    }
  }

  async #lost(): Promise<void> {
    this.#owned = false;
    this.#contention += 1;
    this.#parts.log.warn(
      t('Another process has taken the account over; this one waits for it to come back.'),
    );
    try {
      await this.#parts.onLost();
    } catch (error) {
      this.#parts.log.warn(t('The account was not released cleanly: {why}', { why: messageOf(error) }));
    }
    await this.#contend();
  }

  async #pause(): Promise<void> {
    try {
      await delay(this.#parts.clock, CONTEND_EVERY_MS, this.#ending.signal);
    } catch {
      // Disposed while waiting: the loop sees it.
    }
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#parts.log.warn(
        t('The ownership of the account could not be given back: {why}', { why: messageOf(error) }),
      );
    }
  }
}
