// A webhook receiver on loopback that answers as a test wants and keeps every request.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names as they were spelled. */
  readonly headerNames: readonly string[];
  readonly body: Buffer;
}

/** A status with headers, or silence, or a connection that is cut. */
export type Reply =
  | number
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'
  | 'cut';

export class Receiver {
  readonly received: Received[] = [];
  /** What later requests get, one each; then `otherwise`. */
  readonly replies: Reply[] = [];
  otherwise: Reply = 204;
  #server: Server | undefined;
  #origin = '';
  #waiting: (() => void)[] = [];

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    const server = createServer((request, response) => {
      void receiver.#take(request, response);
    });
    receiver.#server = server;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    receiver.#origin = `http://127.0.0.1:${String(port)}`;
    return receiver;
  }

  url(target = '/hooks'): string {
    return `${this.#origin}${target}`;
  }

  /** Requests of one method, in the order they came. */
  of(method: 'OPTIONS' | 'POST'): readonly Received[] {
    return this.received.filter((request) => request.method === method);
  }

  /** JSON bodies of the deliveries. */
  get events(): readonly unknown[] {
    return this.of('POST').map(({ body }): unknown => JSON.parse(body.toString()));
  }

  /** Resolves when this many requests have come in. */
  async waitFor(count: number): Promise<void> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server?.close(() => {
        resolve();
      });
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.received.push({
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      headerNames: request.rawHeaders.filter((_name, index) => index % 2 === 0),
      body,
    });
    this.#answer(this.replies.shift() ?? this.otherwise, response);
    for (const resolve of this.#waiting.splice(0)) {
      resolve();
    }
  }

  #answer(reply: Reply, response: ServerResponse): void {
    if (reply === 'hang') {
      return;
    }
    if (reply === 'cut') {
      response.destroy();
      return;
    }
    const { status, headers = {}, body } = typeof reply === 'number' ? { status: reply } : reply;
    response.writeHead(status, headers).end(body);
  }
}
