// Judges an answer: maps a refusal or a lost exchange to an error, of which a read may be repeated and a sent command never.
import { type RefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { FinalError, LatchkeyError, RetryError, UncertainError, WaitError } from '../../support/errors.ts';
import type { Headers } from '../../wire/endpoints.ts';
import { isForeign, type ServiceError } from '../../wire/error-codec.ts';
import { serviceCertificateWords } from '../../words/certificates.ts';
import { REFUSALS } from '../../words/refusals.ts';
import { certificateFaultOf } from './certificate-faults.ts';
import type { FailureCause, HttpFailure } from './exchange.ts';

const FAILURE_WORDS: Readonly<Record<Exclude<FailureCause, 'distrusted'>, Message>> = {
  unreachable: message('The service could not be reached.'),
  invalid: message(
    "The request could not be written; check the keys on the plugin's pages or in config.json, and the addresses in config.json.",
  ),
  'timed-out': message('The service did not answer in time.'),
  lost: message('The connection to the service was lost before its answer was complete.'),
  oversized: message('The answer of the service was too large to be one.'),
  closed: message('The call was given up, because this process is ending.'),
  cancelledBeforeSend: message('The call was cancelled before it was sent.'),
};

/** Returns the result of a decoder. Throws for null, with `otherwise` as the description of the answer. */
export function understood<T>(decoded: T | null, otherwise: string): T {
  if (decoded === null) {
    throw new FinalError('wire-mismatch', `The answer of the service is ${otherwise}.`);
  }
  return decoded;
}

/** Whether the answer is a part of a list: several pages were not promised (wire contract 2), and what others hold is not gone. */
export function isPart(headers: Headers): boolean {
  return /\brel="?[^",;]*\bnext\b/i.test(headers['link'] ?? '') || headers['content-range'] !== undefined;
}

/** Throws what a call rejected with, in other words where a refusal means something else than at a lock. */
export function rewordedBy(
  refusals: Partial<Readonly<Record<FinalError['code'], Message>>>,
): (error: unknown) => never {
  return (error) => {
    const words = error instanceof FinalError ? refusals[error.code] : undefined;
    throw error instanceof FinalError && words !== undefined
      ? new FinalError(error.code, words, { cause: error })
      : error;
  };
}

function failureWords({ why, cause }: Pick<HttpFailure, 'why' | 'cause'>): Message {
  return why === 'distrusted'
    ? serviceCertificateWords(certificateFaultOf(cause) ?? 'invalid')
    : FAILURE_WORDS[why];
}

/** The error for a failed call that changes nothing at the service: it may be repeated. */
export function readFailure({ why, cause }: HttpFailure): LatchkeyError {
  const words = failureWords({ why, cause });
  switch (why) {
    case 'unreachable':
    case 'distrusted':
      return new RetryError('unreachable', words, { cause });
    case 'timed-out':
    case 'lost':
      return new RetryError('timed-out', words, { cause });
    case 'cancelledBeforeSend':
      // The check that cancelled it has named the reason.
      return cause instanceof LatchkeyError ? cause : new RetryError('aborted', words, { cause });
    case 'closed':
      return new RetryError('aborted', words, { cause });
    case 'oversized':
      return new FinalError('wire-mismatch', words, { cause });
    case 'invalid':
      return new FinalError('bad-configuration', words, { cause });
  }
}

export interface CallErrors {
  readonly failure: (failure: HttpFailure) => LatchkeyError;
  readonly refusal: (status: number, error: ServiceError) => LatchkeyError;
}

export const READ_ERRORS: CallErrors = {
  failure: readFailure,
  refusal: (status, error) => (status >= 500 ? serverFault(status) : refusal(status, error)),
};

/** Once a byte was written, a command may have happened. */
export const COMMAND_ERRORS: CallErrors = {
  failure: (failure) =>
    failure.written ? mayHaveHappened(failureWords(failure), failure.cause) : readFailure(failure),
  refusal: (status, error) => {
    // After a 503 it was not processed (wire contract 11). 408: the service stopped waiting and does not say whether it
    // carried the command out. A redirect: it perhaps did, and names a page that says more (RFC 9110, 15.4).
    const isRedirect = status >= 300 && status < 400;
    const isUncertain = (status >= 500 && status !== 503) || status === 408 || isRedirect;
    return isUncertain ? mayHaveHappened(serverFaultWords(status)) : READ_ERRORS.refusal(status, error);
  },
};

function mayHaveHappened(what: Message, cause?: unknown): UncertainError {
  return new UncertainError(message('{what} The command may have been carried out.', { what }), { cause });
}

function serverFault(status: number): RetryError {
  return new RetryError('server-fault', serverFaultWords(status));
}

/** The same at every interface of the service. */
export function serverFaultWords(status: number): Message {
  return message('The service failed (HTTP {status}).', { status: String(status) });
}

/** A page or a gateway before the service answered: it says nothing of a lock, a command or a permission (faults#172). */
export function answeredElsewhere(status: number): FinalError {
  return new FinalError(
    'wire-mismatch',
    message(
      'The service answered with something else than expected (HTTP {status}); check its address in the configuration.',
      { status: String(status) },
    ),
  );
}

/** The message never has the service's own words: they may repeat its input. */
function refusal(status: number, error: ServiceError): LatchkeyError {
  if (status < 400 || ((status === 403 || status === 404) && isForeign(error))) {
    return answeredElsewhere(status);
  }
  const { reason } = error;
  const words =
    reason === null
      ? message('The service refused (HTTP {status}).', { status: String(status) })
      : message('The service refused (HTTP {status}): {why}.', {
          status: String(status),
          why: REFUSALS[reason],
        });
  // Any other number is about an access code, and tells more than the status (specification, Device command error codes).
  if (status === 404 && (reason === null || UNSPECIFIC.has(reason))) {
    return new FinalError('not-found', message('The service knows no such lock or command (HTTP 404).'));
  }
  if (status === 403) {
    return new FinalError(
      'not-permitted',
      message('This account may not do that with this lock (HTTP 403).'),
    );
  }
  if (reason !== null && refusalHandling(reason) === 'busy') {
    return new WaitError('lock-busy', words, null);
  }
  return new FinalError('refused', words, { reason: reason ?? 'unrecognised' });
}

/** Reasons that an answer about an unknown lock, command or route may give beside its status (wire contract 0). */
const UNSPECIFIC: ReadonlySet<RefusalReason> = new Set(['general-failure', 'unrecognised']);
