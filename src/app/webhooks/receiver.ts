// Webhooks while the listener is open: events reach the runtime, the delivery path is tested, and the subscription is kept.
import type { WebhooksConfig } from '../../config/config.ts';
import type { CertificateView } from '../../domain/account/certificate-policy.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { provesDelivery, type RegistrationState, type SelfTestReport } from '../../domain/webhooks/report.ts';
import type { AccountRuntime } from '../../engine/account-runtime.ts';
import { SelfTestRound } from '../../engine/webhooks/self-test-round.ts';
import { SubscriptionKeeper } from '../../engine/webhooks/subscription-keeper.ts';
import type { Linking } from '../../linking/linking.ts';
import type { OwnedLink } from '../../linking/owned-link.ts';
import type { Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';
import type { Metric } from '../../support/server/prometheus.ts';
import type { AnswerCounts } from '../../webhook/answer.ts';
import type { Listener } from '../../webhook/listener.ts';
import { t } from '../../words/translate.ts';
import type { CloudClients } from '../partner/cloud-clients.ts';
import type { WebhookAddresses } from './addresses.ts';
import { callbackOf } from './listener-options.ts';

export interface WebhookReceiverState {
  /** Its address; null while it is closed. */
  readonly listener: string | null;
  readonly registration: RegistrationState;
  /** Why the listener is not open, or why the last check of the registration failed, in words; null when neither did. */
  readonly trouble: Message | null;
  readonly answers: AnswerCounts;
  readonly lastSelfTest: SelfTestReport | null;
}

export const NOT_OPEN: WebhookReceiverState = {
  listener: null,
  registration: 'pending',
  trouble: null,
  answers: {},
  lastSelfTest: null,
};

export class WebhookReceiver {
  readonly round: SelfTestRound;
  readonly #parts;
  readonly #listener: Listener;
  #keeper: SubscriptionKeeper | null = null;
  #unsubscribe: readonly (() => void)[] = [];

  /** Nothing is received, tested or registered before `begin`. */
  constructor(
    parts: {
      readonly webhooks: WebhooksConfig;
      readonly clients: Pick<CloudClients, 'signingKeys' | 'subscriptions' | 'serviceTime'>;
      readonly addresses: WebhookAddresses;
      readonly runtime: AccountRuntime;
      readonly link: OwnedLink;
      /** The receiver of the browser when the redirect URI leads to the listener. */
      readonly linking: Pick<Linking, 'callback' | 'served' | 'onReplaced'>;
      readonly clock: Clock;
      readonly log: Log;
    },
    listener: Listener,
  ) {
    this.#parts = parts;
    this.#listener = listener;
    const { runtime, addresses, clock } = parts;
    this.round = new SelfTestRound({
      watch: runtime.webhooks,
      test: async () => this.#test(),
      testable: () => addresses.url !== null && this.#keeper?.state === 'standing',
      clock,
    });
  }

  /** Keeps us registered; null where the person registers by hand. */
  get keeper(): SubscriptionKeeper | null {
    return this.#keeper;
  }

  begin(): void {
    const { webhooks, runtime, link, linking, clients } = this.#parts;
    this.#unsubscribe = [
      runtime.listenTo(this.#listener.feed),
      // Only a linked account can fetch the key, which is needed before the first event.
      link.subscribe((state) => {
        if (state === 'linked') {
          void clients.signingKeys.refresh();
        }
      }),
      // The new link may belong to another account, at which our address has to be registered.
      linking.onReplaced(() => void this.#keeper?.reconcile()),
      ...(callbackOf(webhooks, linking) === null ? [] : [linking.served()]),
    ];
    this.round.testIfDue();
    this.#reconcileRegistration();
  }

  state(): WebhookReceiverState {
    return {
      listener: this.#listener.address,
      registration: this.#keeper?.state ?? 'by-hand',
      trouble: this.#keeper?.trouble ?? null,
      answers: this.#listener.counts(),
      lastSelfTest: this.round.last,
    };
  }

  certificate(): CertificateView | null {
    return this.#listener.certificate();
  }

  metrics(): readonly Metric[] {
    return this.#listener.metrics();
  }

  /** Resolves when the received events are in the ledger and no work is in progress. */
  async close(): Promise<void> {
    this.round.dispose();
    this.#keeper?.dispose();
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    await this.#listener.close();
  }

  async #test(): Promise<SelfTestReport> {
    const { addresses, clients } = this.#parts;
    return addresses.url === null
      ? { finding: 'no-public-address', status: null, tookMs: null, at: clients.serviceTime.now() }
      : this.#listener.selfTest(addresses.url);
  }

  #reconcileRegistration(): void {
    const { addresses, clients, link, runtime, clock, log } = this.#parts;
    const { url } = addresses;
    if (url === null) {
      log.info(
        t('No public address is set ({option}), so the registration with the service is left to you.', {
          option: 'webhooks.publicUrl',
        }),
      );
      return;
    }
    this.#keeper = new SubscriptionKeeper({
      gateway: clients.subscriptions,
      link,
      registered: addresses,
      url,
      expectConsentQuestion: () => this.#listener.expectRegistration(),
      onStanding: () => this.round.testIfDue(),
      watch: runtime.webhooks,
      adviceOnRefusal: async () => adviceFrom(await this.#test()),
      clock,
      log,
    });
    void this.#keeper.reconcile();
  }
}

/** A self-test does not prove delivery from outside, but where it fails, the service's requests fail, too. */
function adviceFrom(report: SelfTestReport): Message {
  return provesDelivery(report)
    ? message(
        'Our own test came through, so the way is open from here: try the address from outside of your home.',
      )
    : message('Our own test did not come through either ({finding}): "{command}" says what to do.', {
        finding: report.finding,
        command: 'npx homebridge-latchkey webhooks test',
      });
}
