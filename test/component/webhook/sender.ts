// A sender to a listener over a connection of its own, kept between requests: raw bytes out, raw answers in.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { PATH, pssOf } from './fixture.ts';

/** The first request of a stranger. */
export const ASK_FOR_NOTHING = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A delivery as raw bytes, signed by the service by default. */
export function deliveryOf(body: Buffer, signature: string = pssOf(body)): string {
  return `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nwebhook-signature: ${signature}\r\ncontent-length: ${String(body.length)}\r\n\r\n${body.toString()}`;
}

export class Sender {
  readonly socket: Socket;
  /** Resolves when the connection has ended, however it did. */
  readonly closed: Promise<void>;
  #received = '';
  #answered = Promise.withResolvers<string>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.on('close', () => {
      this.#answered.resolve('closed');
      resolve();
    });
  }

  /** Connects, and is gone when the test ends. */
  static async to(address: string): Promise<Sender> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    const sender = new Sender(socket);
    onTestFinished(() => {
      socket.destroy();
    });
    await Promise.race([once(socket, 'connect'), sender.closed]);
    return sender;
  }

  /** Sends one request, and resolves with the status of its answer, or `closed`. */
  async ask(request: string): Promise<string> {
    if (this.socket.listenerCount('data') === 0) {
      this.socket.setEncoding('latin1').on('data', (piece: string) => {
        this.#take(piece);
      });
    }
    this.#answered = Promise.withResolvers<string>();
    if (this.socket.destroyed) {
      return 'closed';
    }
    this.socket.write(request);
    return this.#answered.promise;
  }

  #take(piece: string): void {
    this.#received += piece;
    const head = this.#received.indexOf('\r\n\r\n');
    const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(this.#received) ?? [];
    if (head >= 0 && this.#received.length >= head + 4 + Number(length)) {
      const status = this.#received.slice('HTTP/1.1 '.length, 'HTTP/1.1 204'.length);
      this.#received = '';
      this.#answered.resolve(status);
    }
  }
}

/** Writes raw bytes on a connection, and gives back all that came until it was closed. */
export async function exchangeRaw(address: string, text: string): Promise<string> {
  const { socket, closed } = await Sender.to(address);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(text);
  await closed;
  return Buffer.concat(chunks).toString();
}

/** The same request again and again, on so many connections at a time. Resolves with how often each status came back. */
export async function flood(
  address: string,
  connections: number,
  times: number,
  asked: string,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const sender = await Sender.to(address);
      for (let count = 0; count < times; count += 1) {
        const status = await sender.ask(asked);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  return statuses;
}
