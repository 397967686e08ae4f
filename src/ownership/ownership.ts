// Takes the account for this process and gives it back: waits for its owner, once asks it to step back, and says who holds it.
import { type AccountOwner, CONTEND_EVERY_MS, type Owner } from '../storage/account/account-owner.ts';
import { type Clock, delay } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';

export class Ownership {
  readonly #parts;
  readonly #ending = new AbortController();
  /** Never rejects. */
  #taken: Promise<void> = Promise.resolve();
  /** The socket of the last holder requested to step back. */
  #asked: string | null = null;

  constructor(parts: {
    readonly owner: AccountOwner;
    readonly socketPath: string;
    readonly clock: Clock;
    readonly log: Log;
    /** Receives the reason why the account cannot be taken, each time that it changes. */
    readonly onObstacle: ((line: string) => void) | undefined;
    /** Asks a process to hand the account over, and waits a moment until it has. False: it lives and keeps it. Never rejects. */
    readonly askToStepBack: (holder: Owner) => Promise<boolean>;
    /** Whether this process comes before one that holds the account for a moment; such ones wait for each other. */
    readonly comesFirst: boolean;
    /** This process owns the account until it ends. `previous` did not give it back and may have left its socket behind. */
    readonly onOwned: (previous: Owner | null) => Promise<void>;
  }) {
    this.#parts = parts;
  }

  /** Tries until the account is ours, or this process ends. Never rejects: a disk that fails is tried again. */
  async take(): Promise<void> {
    this.#taken = this.#contend();
    await this.#taken;
  }

  /** Stops contending; an account that is held stays held, so that work in progress can end. Never rejects. */
  async retire(): Promise<void> {
    this.#ending.abort(new Error('This process is ending'));
    await this.#taken;
  }

  /** Gives the account back. */
  release(): void {
    try {
      this.#parts.owner.release();
    } catch (error) {
      this.#parts.log.warn(
        t('The ownership of the account could not be given back: {why}', { why: messageOf(error) }),
      );
    }
  }

  async #contend(): Promise<void> {
    const { signal } = this.#ending;
    let reported = '';
    while (!signal.aborted) {
      const obstacle = await this.#tryOnce();
      if (obstacle === null) {
        return;
      }
      if (obstacle !== reported) {
        reported = obstacle;
        this.#report(obstacle);
      }
      // Disposed while waiting: the loop sees it.
      await delay(this.#parts.clock, CONTEND_EVERY_MS, signal).catch(() => {});
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
    const { owner, socketPath, onOwned } = this.#parts;
    try {
      if (!(await this.#acquire())) {
        const holder = owner.announced();
        return holder === null
          ? t('Another process owns this account at the moment; waiting for it to finish.')
          : t('Another process (number {pid}) owns this account at the moment; waiting for it to finish.', {
              pid: holder.pid,
            });
      }
      const previous = owner.announced();
      owner.announce(socketPath);
      if (!this.#ending.signal.aborted) {
        await onOwned(previous?.socketPath === socketPath ? null : previous);
      }
      return null;
    } catch (error) {
      return t('The account cannot be taken yet: {why}', { why: messageOf(error) });
    }
  }

  async #acquire(): Promise<boolean> {
    const { owner, socketPath, comesFirst, askToStepBack } = this.#parts;
    const isFree = owner.take();
    const holder = owner.announced();
    if (holder === null || holder.socketPath === socketPath) {
      return isFree;
    }
    if (isFree) {
      // It has ended, or is of version 1.0, which owned an account by this row alone.
      const isGone = await askToStepBack(holder);
      if (!isGone) {
        owner.free();
      }
      return isGone;
    }
    if (!comesFirst || this.#asked === holder.socketPath) {
      return false;
    }
    // Once: a holder that refused keeps it for as long as it lives.
    this.#asked = holder.socketPath;
    await askToStepBack(holder);
    return !this.#ending.signal.aborted && owner.take();
  }
}
