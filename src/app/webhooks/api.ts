// Webhook operations, available whether or not webhooks are received here, because the service answers either way.
import type { WebhooksConfig } from '../../config/config.ts';
import { message } from '../../domain/language/message.ts';
import type { Subscription, SubscriptionGateway } from '../../domain/webhooks/ports.ts';
import type { HealthReport, SelfTestReport } from '../../domain/webhooks/report.ts';
import type { SubscriptionView, WebhookApi, WebhooksView } from '../../panel/views/webhooks.ts';
import { FinalError } from '../../support/errors.ts';
import type { WebhookAddresses } from './addresses.ts';
import { NOT_OPEN } from './receiver.ts';
import type { WebhookService } from './service.ts';

export class AccountWebhooks implements WebhookApi {
  readonly #parts;

  constructor(parts: {
    /** Null while webhooks are not switched on. */
    readonly webhooks: WebhooksConfig | null;
    readonly addresses: WebhookAddresses;
    readonly subscriptions: SubscriptionGateway;
    readonly health: () => HealthReport;
    /** Null while nothing is received here. */
    readonly push: () => WebhookService | null;
  }) {
    this.#parts = parts;
  }

  status(withAddress: boolean): WebhooksView {
    const { webhooks, addresses, health, push } = this.#parts;
    const received = push()?.state() ?? NOTHING_RECEIVED;
    const report = health();
    return {
      ...report,
      because: webhooks === null ? 'not-configured' : report.because,
      ...received,
      enabled: webhooks !== null,
      publicUrl: webhooks?.publicUrl ?? null,
      address: withAddress && received.listener !== null ? (addresses.url ?? addresses.path) : null,
    };
  }

  async list(): Promise<readonly SubscriptionView[]> {
    const { addresses, subscriptions } = this.#parts;
    const [ours, former] = [addresses.url, addresses.read()];
    return (await subscriptions.list()).map(({ id, url, active }) => ({
      id,
      origin: URL.parse(url)?.origin ?? '',
      whose: url === ours ? 'ours' : former.includes(url) ? 'former' : 'other',
      active,
    }));
  }

  async register(): Promise<WebhooksView> {
    await this.#received().register();
    return this.status(false);
  }

  async remove(id: string): Promise<void> {
    const { addresses, subscriptions, push } = this.#parts;
    const held = (await subscriptions.list()).find((subscription) => subscription.id === id);
    if (held === undefined) {
      throw new FinalError(
        'not-found',
        message('The service holds no subscription of this id for this account.'),
      );
    }
    if (push() !== null && held.url === addresses.url) {
      throw new FinalError(
        'not-permitted',
        message(
          'This is the address in use, which the plugin would register again. Turn off "Receive webhooks" ({option}) and restart first.',
          { option: 'webhooks.enabled' },
        ),
      );
    }
    await subscriptions.remove(id);
    this.#forget(held);
  }

  async test(): Promise<SelfTestReport> {
    return this.#received().selfTest();
  }

  #forget({ url }: Subscription): void {
    const { addresses } = this.#parts;
    const known = addresses.read();
    if (known.includes(url)) {
      addresses.write(known.filter((address) => address !== url));
    }
  }

  /** The webhooks, or a final error with the reason for having none. */
  #received(): WebhookService {
    const { webhooks, push } = this.#parts;
    if (webhooks === null) {
      throw new FinalError(
        'bad-configuration',
        message('Webhooks are off. Turn on "Receive webhooks" ({option}), then restart.', {
          option: 'webhooks.enabled',
        }),
      );
    }
    const received = push();
    if (received === null) {
      throw new FinalError(
        'not-permitted',
        message(
          "Webhooks are received by the plugin, which isn't running. Start Homebridge, then try again.",
        ),
      );
    }
    return received;
  }
}

const NOTHING_RECEIVED = {
  ...NOT_OPEN,
  lastEventAgoMs: null,
  ignored: { foreign: 0, unrecognised: 0 },
};
