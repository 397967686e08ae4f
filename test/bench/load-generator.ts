// A process of its own that sends prepared requests as fast as they are answered, so that making the load takes nothing
// from whoever is measured, nor from the reader of the clock. Messages of its parent say what to send.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Each connection has one request under way at a time. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly Uint8Array[];
  /** Nothing more is sent after this time. Left out: everything is. */
  readonly withinMs?: number;
}

export interface Sent {
  readonly tookMs: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>;
  /** From each request to its answer, in milliseconds. */
  readonly latenciesMs: readonly number[];
}

const END_OF_HEAD = '\r\n\r\n';

async function send({ port, connections, requests, withinMs }: Load): Promise<Sent> {
  const sockets = await Promise.all(Array.from({ length: connections }, async () => opened(port)));
  const statuses: Record<string, number> = {};
  const latenciesMs: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const until = startedAt + (withinMs ?? Number.POSITIVE_INFINITY);
  await Promise.all(
    sockets.map(async (socket) => {
      const answers = statusesOf(socket);
      for (
        let request = requests[next];
        request !== undefined && performance.now() < until;
        request = requests[next]
      ) {
        next += 1;
        const sentAt = performance.now();
        socket.write(request);
        const status = await answers();
        latenciesMs.push(performance.now() - sentAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  const tookMs = performance.now() - startedAt;
  for (const socket of sockets) {
    socket.destroy();
  }
  return { tookMs, statuses, latenciesMs };
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Returns what resolves with the status of the answer that is to come; it rejects when the connection breaks. */
function statusesOf(socket: Socket): () => Promise<string> {
  let received = '';
  let waiting = Promise.withResolvers<string>();
  socket.setEncoding('latin1').on('data', (piece: string) => {
    received += piece;
    if (isWhole(received)) {
      const status = received.slice('HTTP/1.1 '.length, 'HTTP/1.1 204'.length);
      received = '';
      waiting.resolve(status);
    }
  });
  socket.on('close', () => {
    waiting.reject(new Error('The connection was closed before the answer'));
  });
  // No pause stands between the last answer and the end.
  return async () => {
    const status = await waiting.promise;
    waiting = Promise.withResolvers<string>();
    waiting.promise.catch(() => {});
    return status;
  };
}

function isWhole(received: string): boolean {
  const head = received.indexOf(END_OF_HEAD);
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(received) ?? [];
  return head >= 0 && received.length >= head + END_OF_HEAD.length + Number(length);
}

process.on('message', (load: Load) => {
  void send(load).then((sent) => process.send?.(sent));
});
