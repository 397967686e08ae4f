// Webhooks for one account: opens the listener, retries while it cannot, and answers questions about it.
import type { CertificateView } from '../../domain/account/certificate-policy.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { IgnoredEvents, SelfTestReport } from '../../domain/webhooks/report.ts';
import type { AccountRuntime } from '../../engine/account-runtime.ts';
import type { Linking } from '../../linking/linking.ts';
import type { OwnedLink } from '../../linking/owned-link.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { FinalError, RetryError, wordsOf } from '../../support/errors.ts';
import type { Metric } from '../../support/server/prometheus.ts';
import type { Listener } from '../../webhook/listener.ts';
import { LOSSES } from '../../words/account.ts';
import { t } from '../../words/translate.ts';
import type { CloudClients } from '../partner/cloud-clients.ts';
import type { WebhookAddresses } from './addresses.ts';
import { type ListenerContext, listenerParts } from './listener-options.ts';
import { NOT_OPEN, WebhookReceiver, type WebhookReceiverState } from './receiver.ts';

/**
 * Delay between owning the account and opening the listener, in milliseconds (our choice): it loads much code while Home
 * reads all its locks. Events in between are found by polling.
 */
export const OPENS_AFTER_MS = 1_000;

/** Delay before opening the listener is retried, in milliseconds: the port may become free. */
const TRY_AGAIN_MS = 60_000;

export interface WebhookServiceState extends WebhookReceiverState {
  readonly lastEventAgoMs: number | null;
  readonly ignored: IgnoredEvents;
}

export class WebhookService {
  readonly #parts;
  /** Null until the listener is open. */
  #receiver: WebhookReceiver | null = null;
  #retry: CancelTimer | null = null;
  /** Why the listener is not open, in words; null before the first attempt, and once it is. */
  #trouble: Message | null = null;
  #closed = false;
  #unsubscribe: () => void = () => {};
  /** The opening in progress, if any. Never rejects. */
  #opening: Promise<void> = Promise.resolve();

  constructor(
    parts: ListenerContext & {
      readonly clients: CloudClients;
      readonly addresses: WebhookAddresses;
      readonly runtime: AccountRuntime;
      readonly link: OwnedLink;
      /** The receiver of the browser when the redirect URI leads to the listener. */
      readonly linking: Pick<Linking, 'callback' | 'served' | 'onReplaced'>;
      /** Called when the listener has opened, and when it could not be, for a reason that is new. */
      readonly onChange: () => void;
    },
  ) {
    this.#parts = parts;
  }

  /** Opens the listener and registers it, with retries. Without webhooks, polling continues alone (faults#4). */
  open(): void {
    const { webhooks, link } = this.#parts;
    if (webhooks.relay !== null) {
      this.#unsubscribe = link.subscribe(() => this.#followLink());
    }
    this.#openAfter(OPENS_AFTER_MS);
  }

  /** Resolves when the received events are in the ledger and no work is in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#retry?.();
    await Promise.all([this.#receiver?.close(), this.#opening]);
  }

  /** The certificate in use; null where TLS is not ours, and while nothing listens. */
  certificate(): CertificateView | null {
    return this.#receiver?.certificate() ?? null;
  }

  metrics(): readonly Metric[] {
    return this.#receiver?.metrics() ?? [];
  }

  state(): WebhookServiceState {
    const { runtime, webhooks, clock } = this.#parts;
    const { lastEventAt } = runtime.webhooks;
    const registration = webhooks.publicUrl === null ? 'by-hand' : 'pending';
    return {
      ...(this.#receiver?.state() ?? { ...NOT_OPEN, registration, trouble: this.#trouble }),
      lastEventAgoMs: lastEventAt === null ? null : clock.monotonic() - lastEventAt,
      ignored: runtime.status().ignoredEvents,
    };
  }

  /** Registers now if needed; the state shows the result. Rejects when the person registers by hand, or while unlinked. */
  async register(): Promise<void> {
    const { keeper } = this.#assertOpen();
    if (keeper === null) {
      throw new FinalError(
        'bad-configuration',
        message('No public address is set ({option}), so the registration is left to you.', {
          option: 'webhooks.publicUrl',
        }),
      );
    }
    // Without a link no try is made, and no reason shown.
    await this.#parts.clients.session.accessToken();
    await keeper.reconcile();
  }

  /** Sends a request of our own through the public address and reports where it fails. */
  async selfTest(): Promise<SelfTestReport> {
    return this.#assertOpen().round.testNow();
  }

  #assertOpen(): WebhookReceiver {
    if (this.#receiver !== null) {
      return this.#receiver;
    }
    throw this.#trouble === null
      ? new RetryError('aborted', message('The listener is being opened.'))
      : new FinalError(
          'bad-configuration',
          message('The listener is not open. {trouble}', { trouble: this.#trouble }),
        );
  }

  /**
   * A relay's broker gives an event to one computer: one whose link has ended would take it from the one that goes on with the
   * account (faults#139).
   */
  get #loss(): Message | null {
    const state = this.#parts.link.state();
    return this.#parts.webhooks.relay === null || state === 'linked' || state === 'other-process'
      ? null
      : LOSSES[state];
  }

  #followLink(): void {
    this.#retry?.();
    this.#opening = this.#opening.then(async () => this.#openOrLeave());
  }

  async #openOrLeave(): Promise<void> {
    if (this.#loss !== null) {
      await this.#leave();
    } else if (this.#receiver === null) {
      this.#trouble = null;
      await this.#openOnce();
    }
  }

  async #leave(): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = null;
    this.#trouble = this.#loss;
    await receiver?.close();
    this.#parts.onChange();
  }

  async #openOnce(): Promise<void> {
    if (this.#closed || this.#receiver !== null) {
      return;
    }
    if (this.#loss !== null) {
      await this.#leave();
      return;
    }
    try {
      const listener = await this.#listen();
      if (this.#closed || this.#loss !== null) {
        await listener.close();
        return;
      }
      await this.#receive(listener);
      this.#trouble = null;
      this.#parts.onChange();
    } catch (error) {
      this.#tryAgain(error);
    }
  }

  /** Loads late the code that would delay the start of every home without webhooks: a server, cryptography, a broker's client. */
  async #listen(): Promise<Listener> {
    const { webhooks } = this.#parts;
    if (webhooks.relay !== null) {
      const { openRelayInbox } = await import('./relay-connection.ts');
      return openRelayInbox(this.#parts, webhooks.relay);
    }
    const { startListener, unguessablePath } = await import('../../webhook/listener.ts');
    const path = this.#parts.addresses.pathOr(unguessablePath);
    return startListener(listenerParts(this.#parts, path));
  }

  /** Closes a listener that could not start: its port would block the next attempt. */
  async #receive(listener: Listener): Promise<void> {
    this.#parts.log.info(t('Webhooks are received at {address}.', { address: listener.address }));
    const receiver = new WebhookReceiver(this.#parts, listener);
    try {
      receiver.begin();
    } catch (error) {
      await receiver.close();
      throw error;
    }
    this.#receiver = receiver;
  }

  #tryAgain(error: unknown): void {
    if (this.#closed) {
      return;
    }
    const former = this.#trouble;
    this.#trouble = wordsOf(error);
    if (former === null || t(this.#trouble) !== t(former)) {
      this.#parts.onChange();
    }
    if (former === null) {
      this.#parts.log.warn(
        t('Webhooks cannot be received: {trouble} Until they can, the service is asked more often.', {
          trouble: this.#trouble,
        }),
      );
    }
    if (!(error instanceof FinalError)) {
      this.#openAfter(TRY_AGAIN_MS);
    }
  }

  #openAfter(ms: number): void {
    this.#retry = this.#parts.clock.after(ms, () => {
      this.#opening = this.#opening.then(async () => this.#openOnce());
    });
  }
}
