// One request to our own public address: with a deadline, no redirects, and nothing read but the head of the answer.
import { Client } from 'undici';
import type { Clock } from '../support/clock.ts';

export interface PublicCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly clock: Clock;
  /** Ends the call, as if its deadline had passed. */
  readonly signal: AbortSignal;
}

/** The answer, and how long it took in milliseconds; `null` as a status: an answer that is no HTTP. */
export type PublicReply =
  | { readonly kind: 'answered'; readonly status: number | null; readonly tookMs: number }
  | {
      readonly kind: 'failed';
      readonly why: 'name-unknown' | 'unreachable' | 'timed-out' | 'certificate-refused';
      readonly tookMs: number;
    };

/** Half of the service's limit for an answer (wire contract 7): a slower address counts as failing (our choice). */
const ANSWER_WITHIN_MS = 15_000;

/** The head of an answer is all that is read. */
const LARGEST_HEAD_BYTES = 16_384;

/** Sends a POST, once. Never rejects. */
export async function callPublicAddress(call: PublicCall): Promise<PublicReply> {
  const { url, headers, body, clock } = call;
  const { origin, pathname, search } = new URL(url);
  // Deadlines are ours, by the injected clock.
  const client = new Client(origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    allowH2: false,
    maxHeaderSize: LARGEST_HEAD_BYTES,
  });
  const patience = new AbortController();
  const cancelDeadline = clock.after(ANSWER_WITHIN_MS, () => {
    patience.abort();
  });
  const signal = AbortSignal.any([patience.signal, call.signal]);
  const startedAt = clock.monotonic();
  const tookMs = (): number => clock.monotonic() - startedAt;
  try {
    const answer = await client.request({
      method: 'POST',
      path: pathname + search,
      headers,
      body,
      signal,
    });
    answer.body.on('error', () => {}).destroy();
    return { kind: 'answered', status: answer.statusCode, tookMs: tookMs() };
  } catch (error) {
    const why = signal.aborted ? 'timed-out' : whyOf(error);
    return why === null
      ? { kind: 'answered', status: null, tookMs: tookMs() }
      : { kind: 'failed', why, tookMs: tookMs() };
  } finally {
    cancelDeadline();
    await client.destroy();
  }
}

/**
 * By Node's and OpenSSL's names; null when the answer was in another protocol than the address promises. A connection
 * closed without an answer counts as unreachable: a port without a listener, or a full one, does the same.
 */
function whyOf(error: unknown): 'name-unknown' | 'unreachable' | 'certificate-refused' | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return 'name-unknown';
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH/.test(code)) {
    return 'certificate-refused';
  }
  return /^(?:HPE_|EPROTO|ERR_SSL|UND_ERR_(?:HEADERS|RESPONSE))/.test(code) ? null : 'unreachable';
}
