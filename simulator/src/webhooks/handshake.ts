// The consent handshake with a receiver (wire contract 6, step 2).
import { isLoopbackHost } from '../../../src/support/server/loopback.ts';
import { HEADERS } from '../contract/names.ts';
import { type OutboundOptions, SENDER_ORIGIN, SENDER_USER_AGENT, sendOutbound } from './outbound-http.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** Requests a minute for which the service asks permission (wire contract 6). */
const REQUEST_RATE_PER_MINUTE = 120;

export type HandshakeSettings = Pick<WebhookSettings, 'handshake' | 'allowHttpToLoopback' | 'timeoutMs'>;

/** The URL of a subscription request, or null when the service does not deliver there. */
export function readReceiverUrl(text: unknown, settings: HandshakeSettings): URL | null {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  const acceptable =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && settings.allowHttpToLoopback && isLoopbackHost(url.hostname));
  return acceptable ? url : null;
}

/** True when the receiver consents. */
export async function shakeHands(
  url: URL,
  settings: HandshakeSettings,
  options: OutboundOptions,
): Promise<boolean> {
  const answer = await sendOutbound(
    {
      method: 'OPTIONS',
      url,
      headers: {
        [HEADERS.webhookOrigin]: SENDER_ORIGIN,
        [HEADERS.webhookRate]: String(REQUEST_RATE_PER_MINUTE),
        'User-Agent': SENDER_USER_AGENT,
      },
      timeoutMs: settings.timeoutMs,
    },
    options,
  );
  if (answer.kind !== 'answered' || answer.status < 200 || answer.status > 299) {
    return false;
  }
  const allowed = answer.headers[HEADERS.webhookAllowedOrigin.toLowerCase()];
  return allowed === undefined
    ? settings.handshake === 'lenient'
    : allowed === '*' || allowed === SENDER_ORIGIN;
}
