// The one tree of errors. The first level says what the caller should do; `code` says what happened.

/** What the caller should do: see each class. */
export type Disposition = 'retry' | 'wait' | 'relink' | 'uncertain' | 'final';

/** The base of every error that crosses a room's edge. `cause` is always chained when there is one. */
export abstract class LatchkeyError extends Error {
  abstract readonly disposition: Disposition;
  abstract readonly code: string;
}

/** It may succeed soon, and it certainly did not happen; a policy decides when to try again. */
export class RetryError extends LatchkeyError {
  readonly disposition = 'retry';
  readonly code: 'unreachable' | 'timed-out' | 'server-fault' | 'storage-failed' | 'aborted';

  constructor(code: RetryError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RetryError';
    this.code = code;
  }
}

/** Not before a time. */
export class WaitError extends LatchkeyError {
  readonly disposition = 'wait';
  readonly code: 'rate-limited' | 'lock-busy' | 'lock-offline';
  /** How long the service asked us to wait, in milliseconds; null when it named no time. */
  readonly waitMs: number | null;

  constructor(code: WaitError['code'], message: string, waitMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WaitError';
    this.code = code;
    this.waitMs = waitMs;
  }
}

/** A person must link the account again; one clear line, then quiet. */
export class RelinkError extends LatchkeyError {
  readonly disposition = 'relink';
  readonly code: 'unlinked' | 'revoked' | 'expired' | 'signed-out';

  constructor(code: RelinkError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RelinkError';
    this.code = code;
  }
}

/** It may have happened. Never sent again, only read. */
export class UncertainError extends LatchkeyError {
  readonly disposition = 'uncertain';
  readonly code = 'reply-lost';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UncertainError';
  }
}

/** The same call would fail the same way. */
export class FinalError extends LatchkeyError {
  readonly disposition = 'final';
  readonly code:
    | 'refused'
    | 'not-permitted'
    | 'not-found'
    | 'wire-mismatch'
    | 'bad-configuration'
    | 'bad-request'
    | 'not-owner';
  /** For `refused`: the reason of domain/refusal.ts. */
  readonly reason: string | null;

  constructor(
    code: FinalError['code'],
    message: string,
    options?: ErrorOptions & { readonly reason?: string },
  ) {
    super(message, options);
    this.name = 'FinalError';
    this.code = code;
    this.reason = options?.reason ?? null;
  }
}

/** The message of anything thrown, for one line of a log. Never the stack, never the cause's data. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'something that is not an error was thrown';
}

/** Any thrown value as an error that says what to do. A foreign error is a mistake of ours: final. */
export function asLatchkeyError(thrown: unknown): LatchkeyError {
  return thrown instanceof LatchkeyError
    ? thrown
    : new FinalError('bad-request', `Unexpected failure: ${messageOf(thrown)}`, { cause: thrown });
}
