// Keeps the service telling us its events: registers our address, looks after it, and replaces one that is no longer ours.
import type { AccountLink, Subscription, SubscriptionGateway } from '../domain/ports.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** The address that was registered last, across restarts: it is removed when another takes its place. */
export interface RegisteredAddress {
  read(): string | null;
  write(url: string): void;
}

export interface KeeperParts {
  readonly gateway: SubscriptionGateway;
  readonly link: AccountLink;
  readonly registered: RegisteredAddress;
  /** The public address of our webhook. It holds an unguessable part: it is not written to the log. */
  readonly url: string;
  /** Opens the door for the service's question whether we consent; the returned function shuts it. */
  readonly expectConsentQuestion: () => () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often a registration that stands is looked after, in milliseconds (our choice: one call an hour is nothing). */
const LOOK_EVERY_MS = 3_600_000;

/** Pauses after a failure: doubling from the first to the longest, in milliseconds (our choice). */
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;

export class SubscriptionKeeper {
  readonly #parts: KeeperParts;
  readonly #unsubscribe: () => void;
  #timer: CancelTimer | null = null;
  #underWay: Promise<void> | null = null;
  #failures = 0;
  #standing = false;
  #disposed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.link.subscribe((state) => {
      if (state === 'linked') {
        void this.look();
      } else {
        this.#standing = false;
      }
    });
  }

  /** Looks whether the registration stands and mends what it can. Never rejects; a look under way is joined. */
  async look(): Promise<void> {
    this.#underWay ??= this.#lookOnce().finally(() => {
      this.#underWay = null;
    });
    await this.#underWay;
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
    this.#unsubscribe();
  }

  async #lookOnce(): Promise<void> {
    if (this.#disposed || this.#parts.link.state() !== 'linked') {
      return;
    }
    try {
      await this.#mend();
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #mend(): Promise<void> {
    const { gateway, url, registered } = this.#parts;
    const subscriptions = await gateway.list();
    if (
      !this.#disposed &&
      !subscriptions.some((subscription) => subscription.active && subscription.url === url)
    ) {
      await this.#register();
    }
    if (this.#disposed) {
      return;
    }
    const before = registered.read();
    if (before !== url) {
      // Forgotten only once it is gone: a removal that fails is tried again with the next look.
      await this.#removeFormer(subscriptions, before);
      if (!this.#disposed) {
        registered.write(url);
      }
    }
  }

  async #register(): Promise<void> {
    const shut = this.#parts.expectConsentQuestion();
    try {
      await this.#parts.gateway.register(this.#parts.url);
    } finally {
      shut();
    }
  }

  /** Only an address that we registered ourselves is removed: others of the account are somebody else's. */
  async #removeFormer(subscriptions: readonly Subscription[], before: string | null): Promise<void> {
    for (const { id, url } of subscriptions) {
      if (url === before) {
        await this.#parts.gateway.remove(id);
      }
    }
  }

  #succeeded(): void {
    if (this.#disposed) {
      return;
    }
    this.#failures = 0;
    if (!this.#standing) {
      this.#standing = true;
      this.#parts.log.info('Webhooks are registered with the service.');
    }
    this.#again(LOOK_EVERY_MS);
  }

  #failed(error: unknown): void {
    if (this.#disposed) {
      return;
    }
    const line = `Webhooks could not be registered: ${messageOf(error)} The service is asked instead, as often as the options say.`;
    this.#parts.log[this.#failures === 0 ? 'warn' : 'debug'](line);
    this.#standing = false;
    this.#failures += 1;
    this.#again(Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS));
  }

  #again(afterMs: number): void {
    this.#timer?.();
    this.#timer = this.#parts.clock.after(afterMs, () => {
      void this.look();
    });
  }
}
