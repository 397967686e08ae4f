// Delivery to receivers that speak https (wire contract 6: the URL must be https).
import { createServer } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import { WebhookService } from '../../../src/simulator/webhooks/webhook-service.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { battery, KEYS, RESIDENT } from './harness.ts';
import { selfSigned } from './self-signed.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) {
    await cleanUp();
  }
});

/** An https receiver; answers its URL, its certificate and the methods it was called with. */
async function startReceiver() {
  const { cert, key } = selfSigned();
  const methods: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    methods.push(request.method ?? '');
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUps.push(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `https://127.0.0.1:${String(port)}/hooks`, cert, methods };
}

function startService(trustedAuthority?: string): WebhookService {
  const service = new WebhookService({
    clock: new ManualClock(),
    seed: '1',
    keys: KEYS,
    describeDevice: () => undefined,
    ...(trustedAuthority === undefined ? {} : { trustedAuthority }),
  });
  cleanUps.unshift(() => service.close());
  return service;
}

test('a receiver whose authority is trusted is asked and then reported', async () => {
  const receiver = await startReceiver();
  const service = startService(receiver.cert);
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
