// Sends one attempt of a notification: signed by the service, or forged on request.
import type { Clock } from '../../support/clock.ts';
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

export class AttemptSender {
  readonly #options: SenderOptions;
  #stranger: SigningKeyPair | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Ends early, as unreachable, when `signal` says so. */
  async send(
    url: string,
    bytes: Buffer,
    forgery: Forgery | null,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const { settings, clock, trustedAuthority } = this.#options;
    const { contentType, signatureHeader, timeoutMs } = settings();
    const { body, signature } = this.#sign(bytes, forgery);
    const answer = await sendOutbound(
      {
        method: 'POST',
        url: new URL(url),
        headers: {
          'Content-Type': contentType,
          'User-Agent': SENDER_USER_AGENT,
          [HEADERS.webhookOrigin]: SENDER_ORIGIN,
          ...(signature === null ? {} : { [signatureHeader]: signature }),
        },
        body,
        timeoutMs,
      },
      { clock, signal, ...(trustedAuthority === undefined ? {} : { trustedAuthority }) },
    );
    return answer.kind === 'answered'
      ? { kind: 'answered', status: answer.status, retryAfter: answer.headers['retry-after'] }
      : answer;
  }

  #sign(body: Buffer, forgery: Forgery | null): { readonly body: Buffer; readonly signature: string | null } {
    const { keys, settings } = this.#options;
    const genuine = settings().signWith === 'newest' ? keys.newest : keys.previous;
    if (forgery === null) {
      return { body, signature: signBody(body, settings(), genuine.privateKey) };
    }
    this.#stranger ??= generateSigningKeyPair();
    return forge(body, settings(), { genuine, stranger: this.#stranger }, forgery);
  }
}
