// Decides, as a pure state machine, which redirected address of a link attempt may be exchanged.

/** Longest time on the service's page, in milliseconds (our choice: time to sign in, short for an interceptor). */
export const LINK_TIMEOUT_MS = 10 * 60 * 1000;

/** The parameters of the service's redirect. Absent members are null. */
export interface RedirectAnswer {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

export type LinkAttempt =
  | { readonly phase: 'idle' }
  | { readonly phase: 'waiting'; readonly state: string; readonly startedAt: number }
  /** A genuine answer came: no further one is accepted for this state. */
  | { readonly phase: 'answered'; readonly state: string };

/** Why a redirected address is not exchanged. */
export type LinkRefusal =
  | 'nothing-waits'
  | 'state-missing'
  | 'state-foreign'
  | 'too-old'
  | 'used'
  | 'denied'
  | 'client-refused'
  | 'scope-refused'
  | 'request-refused'
  | 'service-stumbled'
  | 'sign-in-required'
  | 'code-missing';

export type LinkVerdict =
  | { readonly kind: 'exchange'; readonly code: string; readonly next: LinkAttempt }
  | { readonly kind: 'refuse'; readonly reason: LinkRefusal; readonly next: LinkAttempt };

export const NO_ATTEMPT: LinkAttempt = { phase: 'idle' };

/** The words with which an authorization server sends a browser back (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). Others read as a bad request. */
const REFUSALS_BY_ERROR: ReadonlyMap<string, LinkRefusal> = new Map([
  ['access_denied', 'denied'],
  ['unauthorized_client', 'client-refused'],
  ['invalid_client', 'client-refused'],
  ['invalid_scope', 'scope-refused'],
  ['server_error', 'service-stumbled'],
  ['temporarily_unavailable', 'service-stumbled'],
  ['login_required', 'sign-in-required'],
  ['interaction_required', 'sign-in-required'],
  ['consent_required', 'sign-in-required'],
  ['account_selection_required', 'sign-in-required'],
]);

export function waitingFor(state: string, startedAt: number): LinkAttempt {
  return { phase: 'waiting', state, startedAt };
}

/**
 * Judges a redirected address. A forged one does not end the attempt, so that no outsider can; a genuine answer does,
 * even a refusal.
 */
export function judgeAnswer(attempt: LinkAttempt, answer: RedirectAnswer, now: number): LinkVerdict {
  if (attempt.phase === 'idle') {
    return { kind: 'refuse', reason: 'nothing-waits', next: attempt };
  }
  if (answer.state === null) {
    return { kind: 'refuse', reason: 'state-missing', next: attempt };
  }
  if (answer.state !== attempt.state) {
    return { kind: 'refuse', reason: 'state-foreign', next: attempt };
  }
  if (attempt.phase === 'answered') {
    return { kind: 'refuse', reason: 'used', next: attempt };
  }
  const next: LinkAttempt = { phase: 'answered', state: attempt.state };
  if (now - attempt.startedAt > LINK_TIMEOUT_MS) {
    return { kind: 'refuse', reason: 'too-old', next };
  }
  if (answer.error !== null) {
    return { kind: 'refuse', reason: REFUSALS_BY_ERROR.get(answer.error) ?? 'request-refused', next };
  }
  return answer.code === null
    ? { kind: 'refuse', reason: 'code-missing', next }
    : { kind: 'exchange', code: answer.code, next };
}
