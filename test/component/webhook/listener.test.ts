// The listener over real HTTP: a genuine event gets in, and nothing else is at its address.
import { describe, expect, it } from 'vitest';
import { startListener } from '../../../src/webhook/listener.ts';
import { bodyOf, openListener, PATH, post, pssOf, receiverFixture } from './fixture.ts';
import { Sender } from './sender.ts';

describe('a genuine event', () => {
  it('is emitted at once, acknowledged once it is in the ledger, and counted', async () => {
    const { url, received, ledger, listener } = await openListener();
    const response = await post(url, bodyOf());
    expect(response.status).toBe(204);
    expect(received).toEqual([
      {
        trust: 'verified',
        event: {
          type: 'bolt',
          bolt: 'unsecured',
          accessor: { method: 'access-code', id: 'a-1', name: 'Dog walker' },
          eventId: 'e-1',
          at: Date.UTC(2026, 3, 14, 11, 59, 59, 500),
          lockId: 'door-1',
        },
      },
    ]);
    expect([...ledger.events.keys()]).toEqual(['e-1']);
    expect(listener.counts()).toEqual({ accepted: 1 });
  });

  it('is emitted before it is written to the disk', async () => {
    const { url, ledger, listener } = await openListener();
    const commitsWhenReceived: number[] = [];
    listener.feed.subscribe(() => commitsWhenReceived.push(ledger.commits));
    await post(url, bodyOf());
    expect(commitsWhenReceived).toEqual([0]);
    expect(ledger.commits).toBe(1);
  });

  it('is accepted with a query in the address, and with either spelling of the content type', async () => {
    const { url, received } = await openListener();
    for (const [index, type] of ['application/json', 'Application/JSON;charset=UTF-8'].entries()) {
      const body = bodyOf({ eventId: `e-${String(index)}` });
      const signature = pssOf(body);
      const headers = { 'content-type': type, 'webhook-signature': signature };
      expect((await post(`${url}?env=prod`, body, headers)).status).toBe(204);
    }
    expect(received).toHaveLength(2);
  });

  it('is not acknowledged while the disk refuses it, and not emitted twice when it comes again', async () => {
    const { url, received, ledger, lines } = await openListener();
    ledger.broken = true;
    const refused = await post(url, bodyOf());
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(received).toHaveLength(1);
    ledger.broken = false;
    expect((await post(url, bodyOf())).status).toBe(204);
    expect(received).toHaveLength(1);
    expect(ledger.events.size).toBe(1);
    expect(lines).toEqual([
      'Events are not acknowledged, because they cannot be kept: The disk is full',
      'Events can be kept again.',
    ]);
  });
});

describe('a listener with an address of its own', () => {
  it('serves nothing but the webhook (faults#63)', async () => {
    const { listener, url } = await openListener();
    const asked = [
      '/',
      '/hooks',
      '/hooks/',
      `${PATH}/`,
      `/x${PATH}`,
      '/callback',
      '/panel',
      '/%',
      '/hooks/f00D',
      `/${PATH}`,
      '/..%2f',
    ];
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
      for (const path of asked) {
        const response = await fetch(listener.address + path, { method });
        expect([method, path, response.status]).toEqual([method, path, 404]);
      }
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH']) {
      const response = await fetch(url, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([
        method,
        405,
        'POST, OPTIONS',
      ]);
    }
  });

  it('repeats nothing of a request in its answer', async () => {
    const { listener } = await openListener();
    for (const path of ['/canary', '/%canary', '/canary?canary=1']) {
      const response = await fetch(listener.address + path, {
        headers: { host: 'canary', 'x-canary': 'canary' },
      });
      expect(await response.text()).not.toContain('canary');
      expect(JSON.stringify([...response.headers])).not.toContain('canary');
    }
  });

  it('names the port that is taken, as an error that may pass (faults#4)', async () => {
    const { listener } = await openListener();
    const port = Number(new URL(listener.address).port);
    const second = startListener({ ...receiverFixture().parts, callback: null, port });
    await expect(second).rejects.toMatchObject({
      disposition: 'retry',
      message: `Port ${String(port)} of 127.0.0.1 could not be opened: another program uses it.`,
    });
  });

  it('reports a certificate that cannot be used', async () => {
    const opened = startListener({
      ...receiverFixture().parts,
      callback: null,
      tls: () => ({ cert: 'no', key: 'no' }),
    });
    await expect(opened).rejects.toMatchObject({ code: 'bad-configuration' });
  });

  it('leaves no connection and no timer behind', async () => {
    const { listener, clock } = await openListener();
    const idle = await Sender.to(listener.address);
    listener.expectRegistration();
    await listener.close();
    await idle.closed;
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('without signatures', () => {
  it('an event is emitted as unverified, and blocks no genuine event by its id', async () => {
    const { url, received, ledger } = await openListener({ method: null });
    expect(await post(url, bodyOf(), {})).toMatchObject({ status: 204 });
    expect(await post(url, bodyOf(), {})).toMatchObject({ status: 204 });
    expect(received.map(({ trust }) => trust)).toEqual(['unverified', 'unverified']);
    expect(ledger.events.size).toBe(0);
  });
});
