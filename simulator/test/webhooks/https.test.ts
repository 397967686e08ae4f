// Delivery to receivers that speak https (wire contract 6: the URL must be https).
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SELF_SIGNED } from '../../../test/component/cloud/self-signed.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { WebhookService } from '../../src/webhooks/webhook-service.ts';
import { battery, KEYS, RESIDENT } from './harness.ts';

/** An https receiver; answers its URL and the methods it was called with. */
async function startReceiver() {
  const methods: string[] = [];
  const server = createServer(SELF_SIGNED, (request, response) => {
    methods.push(request.method ?? '');
    request.resume();
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
  });
  return { url: `https://127.0.0.1:${String(port)}/hooks`, methods };
}

function startService(trustedAuthority?: string): WebhookService {
  const service = new WebhookService({
    clock: new ManualClock(),
    seed: '1',
    keys: KEYS,
    describeDevice: () => undefined,
    ...(trustedAuthority === undefined ? {} : { trustedAuthority }),
  });
  onTestFinished(() => service.close());
  return service;
}

test('a receiver whose authority is trusted is asked and then reported', async () => {
  const receiver = await startReceiver();
  const service = startService(SELF_SIGNED.cert);
  expect(await service.subscribe(RESIDENT, receiver.url)).toMatchObject({ ok: true, value: { status: 201 } });
  service.publish(battery());
  await service.idle();
  expect(receiver.methods).toEqual(['OPTIONS', 'POST']);
});

test('a certificate without a trusted authority fails the handshake before a request', async () => {
  const receiver = await startReceiver();
  const answer = await startService().subscribe(RESIDENT, receiver.url);
  expect(answer).toMatchObject({
    ok: false,
    refusal: { status: 400, description: 'Webhook endpoint validation failed' },
  });
  expect(receiver.methods).toEqual([]);
});
