// Decides after an attempt: done, retry, or give up (wire contract 7, delivery rules).
import type { WebhookSettings } from './webhook-settings.ts';

/** How one attempt went. `retryAfter` is the header as it came. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unreachable' };

/** The attempts so far. Instants are epoch milliseconds. */
export interface Progress {
  readonly firstAttemptAt: number;
  readonly now: number;
  /** Entries of the schedule used up. */
  readonly retriesUsed: number;
}

export type NextMove =
  | { readonly kind: 'delivered' }
  /** `gone`: the receiver wants no more events; the subscription becomes inactive. */
  | { readonly kind: 'give-up'; readonly reason: 'refused' | 'gone' | 'exhausted' }
  | { readonly kind: 'retry'; readonly delayMs: number; readonly usesRetry: boolean };

/** Answers that a repetition would not change. */
const FINAL_REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 413]);

/** A receiver that asks for no wait at all still gets a pause. */
const SHORTEST_WAIT_MS = 1000;

/** Retries of many receivers shall not fall on one instant; up to this share is added to a scheduled wait. */
const JITTER_SHARE = 0.1;

/** Decides the next move. `jitter` is from 0 up to 1. */
export function nextMove(
  outcome: AttemptOutcome,
  progress: Progress,
  schedule: Pick<WebhookSettings, 'retryDelaysMs' | 'giveUpAfterMs'>,
  jitter: number,
): NextMove {
  if (outcome.kind === 'answered') {
    const { status } = outcome;
    if (status >= 200 && status <= 299) {
      return { kind: 'delivered' };
    }
    if (status === 410) {
      return { kind: 'give-up', reason: 'gone' };
    }
    if (FINAL_REFUSALS.has(status)) {
      return { kind: 'give-up', reason: 'refused' };
    }
  }
  return retry(outcome, progress, schedule, jitter);
}

function retry(
  outcome: AttemptOutcome,
  progress: Progress,
  schedule: Pick<WebhookSettings, 'retryDelaysMs' | 'giveUpAfterMs'>,
  jitter: number,
): NextMove {
  const throttled = outcome.kind === 'answered' && outcome.status === 429;
  const named = throttled ? waitNamedBy(outcome.retryAfter, progress.now) : undefined;
  const scheduled = schedule.retryDelaysMs[progress.retriesUsed];
  if (scheduled === undefined && named === undefined) {
    return { kind: 'give-up', reason: 'exhausted' };
  }
  const delayMs = named ?? Math.round((scheduled ?? 0) * (1 + JITTER_SHARE * jitter));
  const tooLate = progress.now + delayMs > progress.firstAttemptAt + schedule.giveUpAfterMs;
  return tooLate
    ? { kind: 'give-up', reason: 'exhausted' }
    : { kind: 'retry', delayMs, usesRetry: !throttled };
}

/** Reads `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3). */
function waitNamedBy(retryAfter: string | undefined, now: number): number | undefined {
  const text = retryAfter?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(waitMs, SHORTEST_WAIT_MS);
}
