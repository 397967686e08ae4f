// The service as an HTTP client: one request to a receiver, with a deadline, no redirects and no interest in the body.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '../../../src/support/clock.ts';

/** How the service names itself to receivers (wire contract 6 and 7). */
export const SENDER_ORIGIN = 'events.lock-platform.example';
export const SENDER_USER_AGENT = 'lock-platform-webhooks/2.0';

/** Where a receiver sends more than this, the rest is not waited for. */
const MOST_ANSWER_BYTES = 65_536;

export interface OutboundRequest {
  readonly method: 'OPTIONS' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The deadline, from the start to the end of the answer. */
  readonly timeoutMs: number;
}

export type OutboundAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unreachable' };

export interface OutboundOptions {
  readonly clock: Clock;
  /** PEM of the one authority to trust instead of the built-in ones, for receivers with a certificate of their own. */
  readonly trustedAuthority?: string;
  /** Ends every request under way when aborted. */
  readonly signal: AbortSignal;
}

/** Sends one request on a connection of its own. Never rejects: a receiver that cannot be reached is an answer too. */
export function sendOutbound(outbound: OutboundRequest, options: OutboundOptions): Promise<OutboundAnswer> {
  const { clock, trustedAuthority, signal } = options;
  return new Promise((resolve) => {
    let answer: OutboundAnswer = { kind: 'unreachable' };
    const send = outbound.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(outbound.url, {
      method: outbound.method,
      headers: { ...outbound.headers, 'content-length': outbound.body?.byteLength ?? 0 },
      agent: false,
      signal,
      ...(trustedAuthority === undefined ? {} : { ca: trustedAuthority }),
    });
    const cancelTimeout = clock.after(outbound.timeoutMs, () => {
      answer = { kind: 'timed-out' };
      request.destroy();
    });
    request.on('response', (response) => {
      let received = 0;
      response.on('data', (chunk: Buffer) => {
        received += chunk.byteLength;
        if (received > MOST_ANSWER_BYTES) {
          request.destroy();
        }
      });
      // A received status counts, even if the rest of the answer is cut off.
      answer = { kind: 'answered', status: response.statusCode ?? 0, headers: response.headers };
    });
    // Without a listener a refused connection would end the process; 'close' follows and says the rest.
    request.on('error', () => undefined);
    request.on('close', () => {
      cancelTimeout();
      resolve(answer);
    });
    request.end(outbound.body);
  });
}
