// Webhook subscriptions over the device interface: list, create and delete.
import { message } from '../domain/language/message.ts';
import type { SubscriptionGateway } from '../domain/webhooks/ports.ts';
import { FinalError } from '../support/errors.ts';
import { eventEndpoints } from '../wire/endpoints.ts';
import { decodeSubscription, decodeSubscriptions, encodeSubscription } from '../wire/subscription-codec.ts';
import type { DeviceInterface } from './device-interface.ts';
import { rewordedBy, understood } from './http/answer-errors.ts';

/** The same refusals mean something else here than at a lock. */
const rethrown = rewordedBy({
  // The service asks at the address before it takes it (wire contract 6): the commonest fault of a home behind a router.
  refused: message(
    'The service did not take the public address: it asks there first, and got no answer of ours.',
  ),
  'not-permitted': message(
    'The service does not let this account have webhooks (HTTP 403); ask whoever made the partner agreement.',
  ),
  'not-found': message(
    'The service knows no webhooks at this address (HTTP 404); check {address} and {segment} in config.json.',
    { address: 'partner.baseUrl', segment: 'partner.productSegment' },
  ),
});

export function subscriptionClient(
  service: Pick<DeviceInterface, 'read' | 'ensure'>,
  productSegment: string,
): SubscriptionGateway {
  const endpoints = eventEndpoints(productSegment);
  const list: SubscriptionGateway['list'] = async () => {
    const { body } = await service.read(endpoints.subscriptions, 'subscriptions').catch(rethrown);
    return understood(decodeSubscriptions(body), 'no list of subscriptions');
  };
  return {
    list,
    register: async (url) => {
      const { body } = await service
        .ensure('POST', endpoints.subscriptions, encodeSubscription(url))
        .catch(rethrown);
      return understood(decodeSubscription(body), 'no subscription');
    },
    remove: async (id) => {
      try {
        await service.ensure('DELETE', endpoints.subscription(id));
      } catch (error) {
        if (!(error instanceof FinalError && error.code === 'not-found')) {
          return rethrown(error);
        }
        // A gateway that knows no such route answers alike: only a list without it shows that it is gone.
        const left = await list();
        if (left.some((subscription) => subscription.id === id)) {
          return rethrown(error);
        }
      }
    },
  };
}
