// The server at the address that the service calls: reads the raw bytes, and answers 204 only once the broker has them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../src/support/clock.ts';
import { GuardedServer } from '../../src/support/server/guarded-server.ts';
import { type OpenServer, openGuarded } from '../../src/support/server/listen.ts';
import { consentHeaders, isOrigin } from '../../src/webhook/consent-headers.ts';
import { LARGEST_BODY_BYTES } from '../../src/webhook/receive.ts';
import { TRAVELLING_HEADERS } from '../../src/webhook/relayed-message.ts';
import { WEBHOOK_HEADERS } from '../../src/wire/endpoints.ts';
import type { LiveConfig } from './live-config.ts';
import { addressOf, type RelayAddress, targetsOf } from './relay-address.ts';
import { type Outcome, RELAY_STATUSES } from './relay-answers.ts';
import type { RelayConfig } from './relay-config.ts';
import type { DeliveryTarget, HomeDeliveries } from './relay-delivery.ts';
import type { RelayFigures } from './relay-figures.ts';

export interface RelayServerParts {
  readonly config: LiveConfig;
  readonly deliveries: HomeDeliveries;
  readonly figures: RelayFigures;
  readonly clock: Clock;
  /** Of the broker. */
  readonly isRevoked: (target: DeliveryTarget) => boolean;
}

/** Connections at a time (our choice): with their largest bodies 128 MB. */
const MOST_CONNECTIONS = 2_048;
const SLOWEST_REQUEST_MS = 10_000;
/** Longer than a load balancer keeps its end of a connection. */
const IDLE_MS = 75_000;
const LARGEST_HEADERS_BYTES = 16_384;

/** After 503 the service keeps its own schedule; other clients are asked to wait this long, in seconds. */
const RETRY_AFTER_S = 10;
const MS_PER_SECOND = 1_000;

/** Rejects with retry (`unreachable`) when the address is taken or does not exist. */
export async function startRelayServer(parts: RelayServerParts): Promise<OpenServer> {
  const guard = new GuardedServer({
    tls: null,
    mostConnections: MOST_CONNECTIONS,
    slowestRequestMs: SLOWEST_REQUEST_MS,
    idleMs: IDLE_MS,
    largestHeadersBytes: LARGEST_HEADERS_BYTES,
    onCut: () => parts.figures.count('limited'),
    clock: parts.clock,
  });
  const server = guard.serve((request, response) => void respond(parts, guard, request, response));
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    parts.figures.count('too-slow');
    socket.destroy(error);
  });
  return openGuarded(server, guard, parts.config.current);
}

/** Never rejects. */
async function respond(
  parts: RelayServerParts,
  guard: GuardedServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const outcome = await outcomeOf(parts, request, response).catch((): Outcome => ({ answer: 'failed' }));
  const { answer, waitMs } = outcome;
  parts.figures.count(answer);
  if (answer === 'relayed') {
    guard.vouchFor(request.socket);
  }
  const status = RELAY_STATUSES[answer];
  response.statusCode = status;
  if (waitMs !== undefined || status === 503) {
    const seconds = waitMs === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(waitMs / MS_PER_SECOND));
    response.setHeader('retry-after', String(seconds));
  }
  if (!request.complete) {
    // The server does not wait for the rest of the body.
    response.setHeader('connection', 'close');
  }
  if (status === 204) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(answer);
}

async function outcomeOf(
  parts: RelayServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Outcome> {
  const config = parts.config.current;
  const [path = ''] = (request.url ?? '').split('?', 1);
  const address = addressOf(path, config);
  if (address.kind === 'unknown') {
    return { answer: 'unknown-address' };
  }
  if (address.kind === 'revoked' || (address.kind === 'home' && parts.isRevoked(address.target))) {
    return { answer: 'revoked' };
  }
  if (request.method === 'OPTIONS') {
    return consent(config, request, response);
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST, OPTIONS');
    return { answer: 'wrong-method' };
  }
  return relay(parts, address, request);
}

/** The address is the consent: only the home and the service with which the home registered know it. */
function consent(
  { origins }: Pick<RelayConfig, 'origins'>,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Outcome {
  const origin = String(headers[WEBHOOK_HEADERS.requestOrigin] ?? '');
  const isExpected = origins.length === 0 || origins.includes(origin.toLowerCase());
  if (!isOrigin(origin) || !isExpected) {
    return { answer: 'no-consent' };
  }
  const rate = String(headers[WEBHOOK_HEADERS.requestRate] ?? '');
  for (const [name, value] of Object.entries(consentHeaders(origin, rate))) {
    response.setHeader(name, value);
  }
  return { answer: 'consented' };
}

async function relay(
  { config: { current: config }, deliveries, figures, clock, isRevoked }: RelayServerParts,
  address: Extract<RelayAddress, { kind: 'home' | 'shared' }>,
  request: IncomingMessage,
): Promise<Outcome> {
  const startedAt = clock.monotonic();
  const bytes = await bodyOf(request);
  if (bytes === null) {
    return { answer: 'too-large' };
  }
  // One of several homes that is revoked does not end the delivery for the others.
  const targets =
    address.kind === 'home'
      ? [address.target]
      : targetsOf(bytes, config).filter((target) => !isRevoked(target));
  if (targets.length === 0) {
    return { answer: 'unknown-device' };
  }
  const outcome = await deliveries.deliver({ bytes, headers: headersOf(config, request) }, targets);
  if (outcome.answer === 'relayed') {
    const homes = targets.map(({ home }) => home);
    figures.relayed(homes, clock.monotonic() - startedAt);
  }
  return outcome;
}

/** The body; null when it is larger than any event. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) {
    return null;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY_BYTES) {
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf(
  { signatureHeader }: Pick<RelayConfig, 'signatureHeader'>,
  { headers }: IncomingMessage,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...TRAVELLING_HEADERS, signatureHeader].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    }),
  );
}
