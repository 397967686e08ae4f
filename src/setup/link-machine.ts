// One attempt to link an account, as a pure machine: which redirected address may be exchanged, and which never.

/** How long a person may take on the service's page, in milliseconds (our choice: a password reset takes minutes). */
export const LINK_PATIENCE_MS = 15 * 60 * 1000;

/** What the service's redirect brought back. Absent members are null. */
export interface RedirectAnswer {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

export type LinkAttempt =
  | { readonly phase: 'idle' }
  | { readonly phase: 'waiting'; readonly state: string; readonly startedAt: number }
  /** The code is being exchanged: the same answer again is a repetition, not a second try. */
  | { readonly phase: 'exchanging'; readonly state: string };

/** Why a redirected address is not exchanged. */
export type LinkRefusal =
  | 'nothing-waits'
  | 'state-missing'
  | 'state-foreign'
  | 'too-old'
  | 'used'
  | 'denied'
  | 'service-refused'
  | 'code-missing';

export type LinkVerdict =
  | { readonly kind: 'exchange'; readonly code: string; readonly next: LinkAttempt }
  | { readonly kind: 'refuse'; readonly reason: LinkRefusal; readonly next: LinkAttempt };

export const NO_ATTEMPT: LinkAttempt = { phase: 'idle' };

export function waitingFor(state: string, startedAt: number): LinkAttempt {
  return { phase: 'waiting', state, startedAt };
}

/**
 * Judges a redirected address. A forged one leaves the attempt as it is, so that nobody can end it from outside; a
 * genuine answer ends it, whatever it says.
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
  if (attempt.phase === 'exchanging') {
    return { kind: 'refuse', reason: 'used', next: attempt };
  }
  if (now - attempt.startedAt > LINK_PATIENCE_MS) {
    return { kind: 'refuse', reason: 'too-old', next: NO_ATTEMPT };
  }
  if (answer.error !== null) {
    const reason = answer.error === 'access_denied' ? 'denied' : 'service-refused';
    return { kind: 'refuse', reason, next: NO_ATTEMPT };
  }
  return answer.code === null
    ? { kind: 'refuse', reason: 'code-missing', next: NO_ATTEMPT }
    : { kind: 'exchange', code: answer.code, next: { phase: 'exchanging', state: attempt.state } };
}
