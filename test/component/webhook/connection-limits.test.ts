// Strangers who only take up room: connections that do not read, say nothing or are merely held, and who gets in meanwhile.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SELF_SIGNED } from '../cloud/self-signed.ts';
import { bodyOf, openListener, PATH, pssOf, strangerPair } from './fixture.ts';
import { ASK_FOR_NOTHING, deliveryOf, Sender } from './sender.ts';

async function several(count: number, address: string): Promise<readonly Sender[]> {
  return Promise.all(Array.from({ length: count }, async () => Sender.to(address)));
}

const eventOf = (id: string): string => deliveryOf(bodyOf({ eventId: id }));

describe('a sender who asks again and again without reading', () => {
  it.each([
    ['for nothing', ASK_FOR_NOTHING],
    ['without saying for which host', 'GET / HTTP/1.1\r\n\r\n'],
    ['with expectations', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: magic\r\n\r\n'],
    ['with empty events', deliveryOf(Buffer.alloc(0), pssOf(bodyOf(), strangerPair))],
  ])('%s is cut off before requests pile up', async (_, asked) => {
    const { listener } = await openListener();
    const senders = await several(5, listener.address);
    for (const { socket } of senders) {
      socket.write(asked.repeat(2_000));
    }
    await expect.poll(() => listener.counts().limited).toBe(5);
    const { limited: _limited, ...answers } = listener.counts();
    expect(Object.values(answers).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5 * 4);
    for (const { socket } of senders) {
      socket.resume();
    }
    await Promise.all(senders.map(({ closed }) => closed));
  });
});

describe('a sender of genuine events', () => {
  it('keeps its connection for any number of events', async () => {
    const { listener, received } = await openListener();
    const sender = await Sender.to(listener.address);
    for (let index = 0; index < 200; index += 1) {
      expect(await sender.ask(eventOf(`e-${String(index)}`))).toBe('204');
    }
    expect(received).toHaveLength(200);
  });

  it.each([2, 3, 10, 30])(
    'may send %i at once: each is answered in its turn, on the same connection',
    async (count) => {
      const { listener, received } = await openListener();
      const sender = await Sender.to(listener.address);
      let answers = '';
      sender.socket.setEncoding('latin1').on('data', (piece: string) => {
        answers += piece;
      });
      const forged = deliveryOf(bodyOf(), pssOf(bodyOf(), strangerPair));
      const all = Array.from({ length: count }, (_, index) => eventOf(`e-${String(index)}`));
      sender.socket.write([...all.slice(1), forged, all[0]].join(''));
      const expected = [...all.slice(1).map(() => '204'), '401', '204'];
      await expect
        .poll(() => [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status))
        .toEqual(expected);
      expect(received).toHaveLength(count);
      expect(sender.socket.destroyed).toBe(false);
      expect(listener.counts()).not.toHaveProperty('limited');
    },
  );

  it('keeps its connection after a refusal, too', async () => {
    const { listener } = await openListener();
    const sender = await Sender.to(listener.address);
    const forged = deliveryOf(bodyOf(), pssOf(bodyOf(), strangerPair));
    expect([await sender.ask(forged), await sender.ask(eventOf('e-1'))]).toEqual(['401', '204']);
  });
});

describe('a listener with as many connections as it takes', () => {
  it("closes the oldest connection of a stranger for a new one, and never that of a genuine event's sender", async () => {
    const { listener } = await openListener({ mostConnections: 4 });
    const service = await Sender.to(listener.address);
    expect(await service.ask(eventOf('e-1'))).toBe('204');
    const strangers: Sender[] = [];
    for (let index = 0; index < 10; index += 1) {
      const stranger = await Sender.to(listener.address);
      expect(await stranger.ask(ASK_FOR_NOTHING)).toBe('404');
      strangers.push(stranger);
    }
    const gone = strangers.slice(0, 7);
    await Promise.all(gone.map(({ closed }) => closed));
    expect(strangers.slice(7).map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
    expect(await service.ask(eventOf('e-2'))).toBe('204');
  });

  it('accepts a new sender at once, whatever connections strangers hold', async () => {
    const { listener, received } = await openListener();
    await several(256, listener.address);
    for (let index = 0; index < 20; index += 1) {
      const sender = await Sender.to(listener.address);
      expect(await sender.ask(eventOf(`e-${String(index)}`))).toBe('204');
    }
    expect(received).toHaveLength(20);
  });

  it('accepts no further connection once all of them sent genuine events', async () => {
    const { listener } = await openListener({ mostConnections: 2 });
    const known = await several(2, listener.address);
    for (const [index, sender] of known.entries()) {
      expect(await sender.ask(eventOf(`e-${String(index)}`))).toBe('204');
    }
    const late = await Sender.to(listener.address);
    expect(await late.ask(eventOf('late'))).toBe('closed');
    known[0]?.socket.destroy();
    await known[0]?.closed;
    expect(await known[1]?.ask(eventOf('e-3'))).toBe('204');
    expect(await (await Sender.to(listener.address)).ask(eventOf('late'))).toBe('204');
  });
});

describe('with TLS', () => {
  it('a sender of genuine events keeps its connection for any number of events', async () => {
    const { listener } = await openListener({ tls: () => SELF_SIGNED });
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: SELF_SIGNED.cert });
    onTestFinished(() => {
      agent.destroy();
    });
    const sockets = new Set<unknown>();
    for (let index = 0; index < 100; index += 1) {
      const body = bodyOf({ eventId: `e-${String(index)}` });
      const headers = { 'content-type': 'application/json', 'webhook-signature': pssOf(body) };
      const sent = request(listener.address + PATH, { method: 'POST', agent, headers });
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      sockets.add(response.socket);
      expect(response.statusCode).toBe(204);
      response.resume();
      await once(response, 'end');
    }
    expect(sockets.size).toBe(1);
  });

  it('a silent connection is closed in time, and counted', async () => {
    const { listener } = await openListener({ tls: () => SELF_SIGNED, slowestRequestMs: 200 });
    const silent = await several(5, listener.address);
    await Promise.all(silent.map(({ closed }) => closed));
    expect(listener.counts()).toEqual({ 'too-slow': 5 });
  });

  it('a connection with another protocol is closed at once', async () => {
    const { listener } = await openListener({ tls: () => SELF_SIGNED });
    const sender = await Sender.to(listener.address);
    expect(await sender.ask(ASK_FOR_NOTHING)).toBe('closed');
  });

  it('half a handshake does not delay the end of the listener', async () => {
    const { listener } = await openListener({ tls: () => SELF_SIGNED });
    const silent = await Sender.to(listener.address);
    await listener.close();
    await silent.closed;
    expect(silent.socket.destroyed).toBe(true);
  });
});
