// The health of the webhook delivery path with its reason, and the findings of a self-test.

import { type Message, message } from '../language/message.ts';
import type { WebhookHealth } from '../polling/poll-policy.ts';
import type { Instant } from '../time/instant.ts';

/**
 * The reason of a health. `event`, `self-test`: it came in. `not-configured`, `not-open`: no listener is open.
 * `none-received`: nothing has come in yet. `missed-change`: a poll found a change that no event announced. `silent`:
 * nothing has come in for too long, and no self-test either.
 */
export type HealthReason =
  | 'event'
  | 'self-test'
  | 'not-configured'
  | 'not-open'
  | 'none-received'
  | 'missed-change'
  | 'silent';

export interface HealthReport {
  readonly health: WebhookHealth;
  readonly because: HealthReason;
}

/**
 * Where a self-test got lost, or `came-through`.
 *
 * - `no-public-address`: none is set, so nothing can be asked.
 * - `name-unknown`, `unreachable`, `timed-out`: the host name does not resolve; no server answers; or not in time.
 * - `certificate-refused`: the certificate is not valid for the address. The service will not deliver there either.
 * - `answered-elsewhere`: another server answered, and the listener never saw the test; `status` is that server's.
 * - `not-forwarded`: the relay answered with `status`, and the test did not arrive here in time.
 * - `path-changed`, `method-changed`: it reached the listener, but not as it was sent.
 * - `signature-removed`, `content-changed`: it came without its signature header, or with another content type or body.
 * - `marker-removed`: it came, with its signature, but without the header that names the test. Events come through.
 * - `answer-lost`: it came, but our answer did not come back: the service would send it again and again.
 * - `no-keys`: it came through, but no key of the service is known that would verify an event.
 */
export type SelfTestFinding =
  | 'came-through'
  | 'marker-removed'
  | 'answer-lost'
  | 'no-public-address'
  | 'name-unknown'
  | 'unreachable'
  | 'timed-out'
  | 'certificate-refused'
  | 'answered-elsewhere'
  | 'not-forwarded'
  | 'path-changed'
  | 'method-changed'
  | 'signature-removed'
  | 'content-changed'
  | 'no-keys';

/** The findings of one test of the public address. */
export interface SelfTestReport {
  readonly finding: SelfTestFinding;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** From the sending to the answer or the failure, in milliseconds; null when nothing was sent. */
  readonly tookMs: number | null;
  /** On the service's clock. */
  readonly at: Instant;
}

/** Findings after which an event of the service would have come in and been believed. */
export function provesDelivery({ finding }: SelfTestReport): boolean {
  return finding === 'came-through' || finding === 'marker-removed' || finding === 'answer-lost';
}

/** `by-hand`: no public address is set. `pending`: not known yet, or being made. `failed`: `trouble` says why. */
export type RegistrationState = 'standing' | 'pending' | 'failed' | 'by-hand';

/** Why nothing is received, although the configuration wants it: a sentence, and the next step. */
export interface Closed {
  readonly what: Message;
  readonly advice: Message;
}

/** `trouble`: why the listener could not be opened, a sentence; null before the first try. */
export function whyClosed(trouble: Message | null): Closed {
  return trouble === null
    ? {
        what: message('The process that owns the account does not receive them.'),
        advice: message('Start Homebridge.'),
      }
    : {
        what: message('Nothing is received: {trouble}', { trouble }),
        advice: message(
          'Fix this to receive events. Changes to config.json or to a file that it names need a restart; otherwise it retries every minute.',
        ),
      };
}

/** Events that changed nothing: about locks that no linked account lists, and in words that are not known here. */
export interface IgnoredEvents {
  readonly foreign: number;
  readonly unrecognised: number;
}
