// The error hierarchy. The class gives the caller's next step; `code` gives the cause.
import { type Message, verbatim } from '../domain/language/message.ts';
import { inEnglish, t } from '../words/translate.ts';

/** The caller's next step: see each class. */
export type Disposition = 'retry' | 'wait' | 'relink' | 'uncertain' | 'final';

/** Base of every error that crosses a module boundary. `cause` is always chained when there is one. */
export abstract class LatchkeyError extends Error {
  abstract readonly disposition: Disposition;
  abstract readonly code: string;
  /** The message for a reader of any language; null where it is English alone. */
  readonly words: Message | null;

  constructor(message: string | Message, options?: ErrorOptions) {
    super(typeof message === 'string' ? message : inEnglish(() => t(message)), options);
    this.words = typeof message === 'string' ? null : message;
  }
}

/** It certainly did not happen, and may succeed soon; a policy decides when to retry. */
export class RetryError extends LatchkeyError {
  readonly disposition = 'retry';
  readonly code: 'unreachable' | 'timed-out' | 'server-fault' | 'storage-failed' | 'aborted';

  constructor(code: RetryError['code'], message: string | Message, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RetryError';
    this.code = code;
  }
}

/** A retry is allowed only after a time. */
export class WaitError extends LatchkeyError {
  readonly disposition = 'wait';
  /** `overloaded`: the service takes no calls for now. `rate-limited`: it takes calls, but no more of this one. */
  readonly code: 'rate-limited' | 'overloaded' | 'lock-busy' | 'lock-offline';
  /** The pause requested by the service, in milliseconds; null without a time. */
  readonly waitMs: number | null;

  constructor(
    code: WaitError['code'],
    message: string | Message,
    waitMs: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WaitError';
    this.code = code;
    this.waitMs = waitMs;
  }
}

/** A person must connect the account again; logged once. */
export class RelinkError extends LatchkeyError {
  readonly disposition = 'relink';
  readonly code: 'unlinked' | 'revoked' | 'expired' | 'signed-out' | 'used-elsewhere' | 'moved';

  constructor(code: RelinkError['code'], message: string | Message, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RelinkError';
    this.code = code;
  }
}

/** It may have happened. Never sent again, only read. */
export class UncertainError extends LatchkeyError {
  readonly disposition = 'uncertain';
  readonly code = 'reply-lost';

  constructor(message: string | Message, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UncertainError';
  }
}

/** The same call would fail again. */
export class FinalError extends LatchkeyError {
  readonly disposition = 'final';
  readonly code:
    | 'refused'
    | 'not-permitted'
    | 'not-found'
    | 'wire-mismatch'
    | 'bad-configuration'
    | 'bad-request'
    | 'changed-meanwhile'
    | 'not-owner';
  /** The reason of `refused`, of domain/commands/refusal.ts. */
  readonly reason: string | null;

  constructor(
    code: FinalError['code'],
    message: string | Message,
    options?: ErrorOptions & { readonly reason?: string },
  ) {
    super(message, options);
    this.name = 'FinalError';
    this.code = code;
    this.reason = options?.reason ?? null;
  }
}

/** The message of any thrown value, for a reader of any language. */
export function wordsOf(thrown: unknown): Message {
  return thrown instanceof LatchkeyError && thrown.words !== null
    ? thrown.words
    : verbatim(messageOf(thrown));
}

/** The message of any thrown value, for one log line, in the language of this process. Never the stack or the cause's data. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof LatchkeyError && thrown.words !== null) {
    return t(thrown.words);
  }
  return thrown instanceof Error ? thrown.message : 'something that is not an error was thrown';
}

/** The code of an error of the system or of Node, such as `ENOENT`; null without one. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Converts any thrown value. A foreign error is a defect of the plugin: final. */
export function asLatchkeyError(thrown: unknown): LatchkeyError {
  return thrown instanceof LatchkeyError
    ? thrown
    : new FinalError('bad-request', `Unexpected failure: ${messageOf(thrown)}`, { cause: thrown });
}
