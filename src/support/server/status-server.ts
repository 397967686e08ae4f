// Serves health, readiness and figures of a service, for a supervisor and for Prometheus.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../errors.ts';
import { GuardedServer } from './guarded-server.ts';
import { type ListenPlace, type OpenServer, openGuarded } from './listen.ts';
import { type Metric, PROMETHEUS_TYPE, prometheusText } from './prometheus.ts';

/** What a service says of itself. */
export interface ServiceStatus {
  /** Null when requests can be served; else a word for the missing part. */
  readonly unready: () => Promise<string | null>;
  readonly metrics: () => Promise<readonly Metric[]>;
}

/** Prometheus and a supervisor need two; the others are for people. */
const MOST_CONNECTIONS = 16;
const SLOWEST_REQUEST_MS = 5_000;
const IDLE_MS = 75_000;
const LARGEST_HEADERS_BYTES = 8_192;

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Rejects with retry (`unreachable`) when the address is taken or not there. */
export async function startStatusServer(status: ListenPlace & ServiceStatus): Promise<OpenServer> {
  const guard = new GuardedServer({
    tls: null,
    mostConnections: MOST_CONNECTIONS,
    slowestRequestMs: SLOWEST_REQUEST_MS,
    idleMs: IDLE_MS,
    largestHeadersBytes: LARGEST_HEADERS_BYTES,
    onCut: () => {},
  });
  const server = guard.serve((request, response) => void answer(status, request, response));
  return openGuarded(server, guard, status);
}

/** Never rejects. */
async function answer(of: ServiceStatus, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, type, text } = await pageFor(of, request).catch(
    (error: unknown): Page => ({ ...plain(500, 'failed'), text: `${messageOf(error)}\n` }),
  );
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? '' : text);
}

async function pageFor(of: ServiceStatus, { method, url = '' }: IncomingMessage): Promise<Page> {
  const [path] = url.split('?', 1);
  if (method !== 'GET' && method !== 'HEAD') {
    return plain(405, 'wrong-method');
  }
  if (path === '/healthz') {
    return plain(200, 'ok');
  }
  if (path === '/readyz') {
    const unready = await of.unready();
    return unready === null ? plain(200, 'ready') : plain(503, unready);
  }
  return path === '/metrics'
    ? { status: 200, type: PROMETHEUS_TYPE, text: prometheusText(await of.metrics()) }
    : plain(404, 'unknown-address');
}

function plain(status: number, word: string): Page {
  return { status, type: 'text/plain; charset=utf-8', text: `${word}\n` };
}
