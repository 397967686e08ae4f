// The server that strangers reach, on real sockets: whose connection is cut for not moving, and whose is not.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GuardedServer } from '../../../src/support/server/guarded-server.ts';

const ASK = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** More than the system keeps for a reader. */
const LONG = 'x'.repeat(16 * 1024 * 1024);

interface Met {
  readonly guard: GuardedServer;
  readonly client: Socket;
  readonly served: Socket;
}

/** A server with so much time for a request, a client of it that does not read yet, and the server's end of their connection. */
async function met(answer: RequestListener, slowestRequestMs = 100): Promise<Met> {
  const guard = new GuardedServer({
    tls: null,
    mostConnections: 4,
    slowestRequestMs,
    idleMs: 60_000,
    largestHeadersBytes: 16_384,
    onCut: () => {},
  });
  const server = guard.serve(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    guard.cutAll();
    server.close();
  });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const [served] = await connected;
  return { guard, client, served };
}

describe('a connection without traffic', () => {
  it.each<[string, RequestListener]>([
    ['the client does not read an answer', (_request, response) => response.end(LONG)],
    ['a part of an answer is not read', (_request, response) => response.write(LONG)],
  ])('is closed when %s', async (_case, answer) => {
    const { client, served } = await met(answer);
    client.write(ASK);
    await once(served, 'close');
    expect(served.destroyed).toBe(true);
    client.destroy();
  });

  it('stays open while its answer is being made, and is reported when that comes', async () => {
    const { promise: idle, resolve: isIdle } = Promise.withResolvers<void>();
    const { client, served } = await met((_request, response) => {
      void idle.then(() => response.end('late'));
    });
    client.write(ASK);
    served.on('timeout', isIdle);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toContain('late');
    client.destroy();
  });

  it('stays open between requests', async () => {
    const { client, served } = await met((_request, response) => {
      response.end('here');
    });
    client.write(ASK);
    await once(client, 'data');
    const { promise: slow, resolve: beSlow } = Promise.withResolvers<void>();
    const other = connect(served.localPort ?? 0, '127.0.0.1');
    other
      .on('error', () => {})
      .on('close', beSlow)
      .resume();
    // One that says nothing is cut; this one has said something.
    await slow;
    expect(served.destroyed).toBe(false);
    client.write(ASK);
    await once(client, 'data');
    client.destroy();
  });
});

describe('a sender whose connection is closed', () => {
  it('receives the last answer', async () => {
    const { guard, client, served } = await met(() => {});
    guard.end(served, 'farewell');
    const [word] = (await once(client, 'data')) as [Buffer];
    expect(word.toString()).toBe('farewell');
    client.destroy();
  });

  it('is disconnected long before it would count as idle, also when it does not read', async () => {
    const { guard, client, served } = await met((_request, response) => {
      response.write(LONG);
    }, 600_000);
    client.write(ASK);
    await once(served, 'data');
    guard.end(served, 'farewell');
    await once(served, 'close');
    expect(served.destroyed).toBe(true);
    client.destroy();
  });
});
