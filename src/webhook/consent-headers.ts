// The answer to the service's handshake: the full set of headers, which a strict service insists on (wire contract 10.6).
import { type Headers, WEBHOOK_HEADERS } from '../wire/endpoints.ts';

/** Requests a minute that we agree to when the service does not say how many it wants (wire contract 6). */
const DEFAULT_RATE = '120';

/** An origin is the name of a host (CloudEvents, abuse protection). */
const ORIGIN = /^[a-z0-9.:_-]{1,253}$/;

/** Whether the origin can be answered: it becomes a part of a header. */
export function isOrigin(origin: string): boolean {
  return ORIGIN.test(origin.toLowerCase());
}

export function consentHeaders(origin: string, rate: string): Headers {
  return {
    allow: 'POST, OPTIONS',
    [WEBHOOK_HEADERS.allowedOrigin]: origin,
    [WEBHOOK_HEADERS.allowedRate]: /^\d{1,6}$/.test(rate) ? rate : DEFAULT_RATE,
  };
}
