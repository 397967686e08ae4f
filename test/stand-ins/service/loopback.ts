// A service on loopback that answers as a test wants and remembers every request.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as it arrived, with its whole body. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** How many requests its connection had carried before it. */
  readonly earlierOnConnection: number;
}

export type Answerer = (request: SeenRequest, response: ServerResponse, socket: Socket) => void;

export interface LoopbackService {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Connections that are open, as the service sees them, the oldest first. */
  readonly open: ReadonlySet<Socket>;
  /** The number of connections that were opened so far. */
  opened(): number;
  /** Resolves when this many requests have arrived in all. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service whose every request is handed to `answer`. It is closed when the test ends. */
export async function startLoopbackService(answer: Answerer): Promise<LoopbackService> {
  const seen: SeenRequest[] = [];
  const carried = new WeakMap<Socket, number>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { socket, method = '', url = '', headers } = request;
      const earlierOnConnection = carried.get(socket) ?? 0;
      carried.set(socket, earlierOnConnection + 1);
      const body = Buffer.concat(chunks).toString('utf8');
      const arrival: SeenRequest = { method, path: url, headers, body, earlierOnConnection };
      seen.push(arrival);
      for (const wake of waiting) {
        wake();
      }
      answer(arrival, response, socket);
    });
  });
  const open = new Set<Socket>();
  let opened = 0;
  server.on('connection', (socket: Socket) => {
    opened += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${String(port)}`,
    seen,
    open,
    opened: () => opened,
    async arrived(count) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          if (seen.length >= count) {
            waiting.delete(wake);
            resolve();
          }
        };
        waiting.add(wake);
        wake();
      });
    },
    close,
  };
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
