// A tunnel as a person puts it before the webhooks: passes requests on as they are. It keeps the last event that came
// through, as somebody on the way could.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';

/** What came through, and could be sent once more. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** These are of one connection alone (RFC 9110, section 7.6.1); the other end has its own. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export class Tunnel {
  readonly #server: Server;
  #inner: Pool | null = null;
  #lastEvent: Passed | null = null;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#pass(request, response);
    });
  }

  /** Leads to this port of 127.0.0.1 from now on; resolves with the public address. */
  async open(port: number): Promise<string> {
    this.#inner = new Pool(`http://127.0.0.1:${port}`);
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  /** The last event that came through. */
  lastEvent(): Passed {
    if (this.#lastEvent === null) {
      throw new Error('No event came through the tunnel');
    }
    return this.#lastEvent;
  }

  /** Sends something to the inner end; resolves with the status. */
  async send(passed: Passed): Promise<number> {
    const { statusCode, body } = await this.#ask(passed);
    await body.dump();
    return statusCode;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#inner?.destroy();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passed: Passed = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: endToEnd(request.headers),
      body: await buffer(request),
    };
    if ('webhook-signature' in passed.headers) {
      this.#lastEvent = passed;
    }
    try {
      const { statusCode, headers, body } = await this.#ask(passed);
      response.writeHead(statusCode, endToEnd(headers)).end(Buffer.from(await body.arrayBuffer()));
    } catch {
      // As every proxy says that nobody answered behind it.
      response.writeHead(502).end();
    }
  }

  async #ask({ method, path, headers, body }: Passed) {
    if (this.#inner === null) {
      throw new Error('The tunnel is not open');
    }
    return this.#inner.request({ method, path, headers, body });
  }
}

function endToEnd(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, String(value)]],
    ),
  );
}
