// Webhook subscriptions over HTTP (wire contract 6).
// Usage: call this in the scope of `{base_url}`, which has the gateway's hook in force and
// reads bodies as text, as `deviceInterface` sets it up.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { jsonIn, memberOf } from '../../../src/support/text/foreign-json.ts';
import { errorBody, REFUSALS, type Refusal } from '../contract/errors.ts';
import { SUBSCRIPTION_PATHS } from '../contract/names.ts';
import type { SubscriptionOwner } from './subscription-registry.ts';
import type { WebhookService } from './webhook-service.ts';

export interface SubscriptionRoutesOptions {
  readonly service: WebhookService;
  readonly productSegment: string;
  readonly gateway: { readonly callerOf: (request: FastifyRequest) => SubscriptionOwner };
}

const SUBSCRIPTION_UNKNOWN: Refusal = {
  status: 404,
  errorCode: 1,
  description: 'Subscription not found',
};

interface OneSubscription {
  Params: { subscriptionId: string };
}

/** Registers the routes after `{base_url}`. */
export function subscriptionRoutes(app: FastifyInstance, options: SubscriptionRoutesOptions): void {
  const { service, productSegment } = options;
  const ownerOf = (request: FastifyRequest): SubscriptionOwner => options.gateway.callerOf(request);
  const path = (name: keyof typeof SUBSCRIPTION_PATHS): string =>
    `/${productSegment}${SUBSCRIPTION_PATHS[name]}`;

  app.post(path('subscriptions'), async (request, reply) => {
    const body = jsonIn(String(request.body));
    if (body === undefined) {
      return refuse(reply, REFUSALS.notJson);
    }
    const subscribed = await service.subscribe(ownerOf(request), memberOf(body, 'url'));
    return subscribed.ok
      ? reply.code(subscribed.value.status).send(subscribed.value.record)
      : refuse(reply, subscribed.refusal);
  });
  app.get(path('subscriptions'), (request, reply) => reply.send(service.list(ownerOf(request))));
  app.get(path('publicKey'), (_request, reply) => reply.send(service.publishedKey()));
  app.get<OneSubscription>(path('subscription'), (request, reply) => {
    const record = service.get(ownerOf(request), request.params.subscriptionId);
    return record === undefined ? refuse(reply, SUBSCRIPTION_UNKNOWN) : reply.send(record);
  });
  app.delete<OneSubscription>(path('subscription'), (request, reply) =>
    service.unsubscribe(ownerOf(request), request.params.subscriptionId)
      ? reply.code(204).send()
      : refuse(reply, SUBSCRIPTION_UNKNOWN),
  );
}

function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply.code(refusal.status).send(errorBody(refusal));
}
