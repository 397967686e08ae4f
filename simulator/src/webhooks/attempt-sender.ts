// Sends one attempt of a notification: signed by the service, or forged on request.
import type { Clock } from '../../../src/support/clock.ts';
import { HEADERS } from '../contract/names.ts';
import { SENDER_ORIGIN, SENDER_USER_AGENT, sendOutbound } from './outbound-http.ts';
import type { AttemptOutcome } from './retry-policy.ts';
import { type Forgery, forge, signBody } from './signature.ts';
import { generateSigningKeyPair, type SigningKeyPair, type SigningKeys } from './signing-keys.ts';
import type { WebhookSettings } from './webhook-settings.ts';

export interface SenderOptions {
  readonly clock: Clock;
  readonly keys: SigningKeys;
  readonly settings: () => WebhookSettings;
  readonly trustedAuthority?: string;
}

/** Ends early, as unreachable, when `signal` says so. */
export async function sendAttempt(
  { settings, keys, clock, trustedAuthority }: SenderOptions,
  url: string,
  bytes: Buffer,
  forgery: Forgery | null,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { contentType, signatureHeader, timeoutMs } = settings();
  const { body, signature } = signed(bytes, keys, settings(), forgery);
  const headers = {
    'Content-Type': contentType,
    'User-Agent': SENDER_USER_AGENT,
    [HEADERS.webhookOrigin]: SENDER_ORIGIN,
    ...(signature === null ? {} : { [signatureHeader]: signature }),
  };
  const answer = await sendOutbound(
    { method: 'POST', url: new URL(url), headers, body, timeoutMs },
    { clock, signal, ...(trustedAuthority === undefined ? {} : { trustedAuthority }) },
  );
  return answer.kind === 'answered'
    ? { kind: 'answered', status: answer.status, retryAfter: answer.headers['retry-after'] }
    : answer;
}

let stranger: SigningKeyPair | undefined;

function signed(
  body: Buffer,
  keys: SigningKeys,
  settings: WebhookSettings,
  forgery: Forgery | null,
): { readonly body: Buffer; readonly signature: string | null } {
  const genuine = settings.signWith === 'newest' ? keys.newest : keys.previous;
  if (forgery === null) {
    return { body, signature: signBody(body, settings, genuine.privateKey) };
  }
  stranger ??= generateSigningKeyPair();
  return forge(body, settings, { genuine, stranger }, forgery);
}
