// The end of a webhook registration at the service: only the service's own list proves it.
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { subscriptionClient } from '../../../src/cloud/subscription-client.ts';
import type { SubscriptionGateway } from '../../../src/domain/webhooks/ports.ts';
import { deviceInterfaceAt } from '../../support/service-clients.ts';

/** As a gateway writes it that knows no such route (wire contract 0). */
const NO_ROUTE = { statusCode: 404, message: 'Resource not found' };
const UNKNOWN = { errorCode: 1, Description: 'Subscription not found' };
const HELD = { subscriptionId: 's-1', url: 'https://home.example/hooks', status: 'Active' };

type Listed = readonly [status: number, body: unknown];

/** A service that answers every removal with 404. */
async function answering(removal: unknown, [status, list]: Listed): Promise<SubscriptionGateway> {
  const server = Fastify();
  server.delete('*', async (_, reply) => reply.code(404).send(removal));
  server.get('*', async (_, reply) => reply.code(status).send(list));
  onTestFinished(async () => server.close());
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return subscriptionClient(deviceInterfaceAt(url), 'locks');
}

it.each<[string, unknown, Listed, string | null]>([
  ['the service knows none, and lists none', UNKNOWN, [200, []], null],
  ['a gateway knows no such route, but none is listed', NO_ROUTE, [200, []], null],
  ['a gateway knows no such route, and it is still listed', NO_ROUTE, [200, [HELD]], 'not-found'],
  ['a gateway knows no route at all', NO_ROUTE, [404, NO_ROUTE], 'not-found'],
  ['the service knows none, but still lists it', UNKNOWN, [200, [HELD]], 'not-found'],
])('a removal that is answered 404, where %s', async (_, removal, listed, code) => {
  const subscriptions = await answering(removal, listed);
  const failure = await subscriptions.remove('s-1').then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toEqual(code === null ? null : expect.objectContaining({ code }));
});
