// Keeps our address registered with the service: registers it, checks it, and removes those that we no longer use.
import { type Message, message } from '../../domain/language/message.ts';
import { type BackOff, backOffMs } from '../../domain/polling/backoff-policy.ts';
import type { Subscription, SubscriptionGateway } from '../../domain/webhooks/ports.ts';
import type { RegistrationState } from '../../domain/webhooks/report.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { FinalError, wordsOf } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { WebhookMonitor } from './monitor.ts';

/** The addresses that we registered and have not seen removed, across restarts, the latest at the end. */
export interface RegisteredAddresses {
  read(): readonly string[];
  write(urls: readonly string[]): void;
}

/** How often a valid registration is checked, in milliseconds (our choice: one call an hour is nothing). */
const RECONCILE_EVERY_MS = 3_600_000;

/** The shortest time between two checks of the registration while webhooks are degraded, in milliseconds (our choice). */
const IN_DOUBT_EVERY_MS = 300_000;

/** The pauses after failed checks (our choice). */
const BACK_OFF: BackOff = { firstMs: 30_000, longestMs: 3_600_000 };

/** Addresses remembered (our choice): after more changes during an outage, `list` finds the rest. */
const MOST_REMEMBERED = 16;

export class SubscriptionKeeper {
  readonly #parts;
  readonly #unsubscribe: readonly (() => void)[];
  #timer: CancelTimer | null = null;
  #underWay: Promise<void> | null = null;
  /** When the registration was last checked, by the monotonic clock. */
  #reconciledAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #state: RegistrationState = 'pending';
  #trouble: Message | null = null;
  #disposed = false;

  constructor(
    parts: Pick<CommonParts, 'link' | 'clock' | 'log'> & {
      readonly gateway: SubscriptionGateway;
      readonly registered: RegisteredAddresses;
      /** The public address of our webhook. It holds an unguessable part: it is not written to the log. */
      readonly url: string;
      /** Lets the listener answer the service's consent request; the returned function ends that. */
      readonly expectConsentQuestion: () => () => void;
      readonly onStanding: () => void;
      /** Further advice when the service refuses our address, as a sentence. Never rejects. */
      readonly adviceOnRefusal: () => Promise<Message>;
      /** The monitor tells when webhooks seem lost, and is told of a new registration. */
      readonly watch: Pick<WebhookMonitor, 'subscribe' | 'registered'>;
    },
  ) {
    this.#parts = parts;
    this.#unsubscribe = [
      parts.link.subscribe((state) => {
        if (state === 'linked') {
          void this.reconcile();
        } else {
          this.#state = 'pending';
          this.#trouble = null;
        }
      }),
      parts.watch.subscribe(({ report, previous }) => {
        if (previous === 'healthy' && report.health === 'degraded') {
          this.#reconcileSoon();
        }
      }),
    ];
  }

  get state(): RegistrationState {
    return this.#state;
  }

  /** Why the last check failed, in words; null when it succeeded. */
  get trouble(): Message | null {
    return this.#trouble;
  }

  /** Checks the registration and repairs it where possible. Never rejects; a check under way is joined. */
  async reconcile(): Promise<void> {
    this.#underWay ??= this.#reconcileOnce().finally(() => {
      this.#underWay = null;
    });
    await this.#underWay;
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
  }

  /** Checks soon, but not after failed checks: those are repeated at their own pace. */
  #reconcileSoon(): void {
    if (this.#failures === 0 && !this.#disposed) {
      this.#again(Math.max(this.#reconciledAt + IN_DOUBT_EVERY_MS - this.#parts.clock.monotonic(), 0));
    }
  }

  async #reconcileOnce(): Promise<void> {
    if (this.#disposed || this.#parts.link.state() !== 'linked') {
      return;
    }
    this.#reconciledAt = this.#parts.clock.monotonic();
    try {
      const subscriptions = await this.#parts.gateway.list();
      await this.#ensure(subscriptions);
      await this.#removeFormer(subscriptions);
      this.#failures = 0;
      this.#again(RECONCILE_EVERY_MS);
    } catch (error) {
      this.#failed(await this.#reasonOf(error));
    }
  }

  async #reasonOf(error: unknown): Promise<Message> {
    const isRefused = error instanceof FinalError && error.code === 'refused' && this.#state !== 'standing';
    const why = wordsOf(error);
    return isRefused && !this.#disposed
      ? message('{why} {advice}', { why, advice: await this.#parts.adviceOnRefusal() })
      : why;
  }

  async #ensure(subscriptions: readonly Subscription[]): Promise<void> {
    const { url, onStanding, watch } = this.#parts;
    const stands = subscriptions.some((subscription) => subscription.active && subscription.url === url);
    if (!this.#disposed && !stands) {
      this.#state = this.#state === 'standing' ? 'pending' : this.#state;
      await this.#register();
    }
    if (this.#disposed) {
      return;
    }
    this.#trouble = null;
    if (this.#state !== 'standing') {
      this.#state = 'standing';
      this.#parts.log.info(t('Webhooks are registered with the service.'));
      onStanding();
    }
    if (!stands) {
      watch.registered();
    }
  }

  async #register(): Promise<void> {
    const { gateway, registered, url, expectConsentQuestion } = this.#parts;
    // Remembered first: a crash between the two must not leave an unknown registration behind.
    const others = registered.read().filter((known) => known !== url);
    registered.write([...others, url].slice(-MOST_REMEMBERED));
    const shut = expectConsentQuestion();
    try {
      await gateway.register(url);
    } finally {
      shut();
    }
  }

  /** Removes and forgets only addresses that we registered: others belong to other clients. */
  async #removeFormer(subscriptions: readonly Subscription[]): Promise<void> {
    const { gateway, registered, url } = this.#parts;
    const known = registered.read();
    for (const { id, url: former } of subscriptions) {
      if (former !== url && known.includes(former) && !this.#disposed) {
        await gateway.remove(id);
      }
    }
    const settled = known.length === 1 && known[0] === url;
    if (!settled && !this.#disposed) {
      registered.write([url]);
    }
  }

  #failed(why: Message): void {
    if (this.#disposed) {
      return;
    }
    this.#failures += 1;
    this.#again(backOffMs(this.#failures, BACK_OFF));
    if (this.#state === 'standing') {
      // Our registration stands; a step that failed now is repeated later.
      this.#parts.log.debug(`The registration of webhooks could not be looked after: ${t(why)}`);
      return;
    }
    const line = t(
      'Webhooks could not be registered: {why} The service is asked instead, as often as the options say.',
      { why },
    );
    this.#parts.log[this.#state === 'failed' ? 'debug' : 'warn'](line);
    this.#state = 'failed';
    this.#trouble = why;
  }

  #again(afterMs: number): void {
    this.#timer?.();
    this.#timer = this.#parts.clock.after(afterMs, () => void this.reconcile());
  }
}
