// Webhook subscriptions over the device interface: which there are, one more, one less.
import type { Subscription, SubscriptionGateway } from '../domain/ports.ts';
import { FinalError } from '../support/errors.ts';
import { type EventEndpoints, eventEndpoints } from '../wire/endpoints.ts';
import { decodeSubscription, decodeSubscriptions, encodeSubscription } from '../wire/subscription-codec.ts';
import type { DeviceInterface } from './device-interface.ts';

export class SubscriptionClient implements SubscriptionGateway {
  readonly #service: Pick<DeviceInterface, 'read' | 'ensure'>;
  readonly #endpoints: EventEndpoints;

  constructor(
    service: Pick<DeviceInterface, 'read' | 'ensure'>,
    { productSegment }: { readonly productSegment: string },
  ) {
    this.#service = service;
    this.#endpoints = eventEndpoints(productSegment);
  }

  async list(): Promise<readonly Subscription[]> {
    const { body } = await this.#service.read(this.#endpoints.subscriptions);
    const subscriptions = decodeSubscriptions(body);
    if (subscriptions === null) {
      throw new FinalError('wire-mismatch', 'The answer of the service is no list of subscriptions.');
    }
    return subscriptions;
  }

  async register(url: string): Promise<Subscription> {
    const path = this.#endpoints.subscriptions;
    const { body } = await this.#service.ensure('POST', path, encodeSubscription(url));
    const subscription = decodeSubscription(body);
    if (subscription === null) {
      throw new FinalError('wire-mismatch', 'The answer of the service is no subscription.');
    }
    return subscription;
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#service.ensure('DELETE', this.#endpoints.subscription(id));
    } catch (error) {
      if (!(error instanceof FinalError && error.code === 'not-found')) {
        throw error;
      }
    }
  }
}
