// Maps a refusal or a lost answer of the credentialing interface to an error. Never repeats the service's own words.
import { readFailure } from '../cloud/http/answer-errors.ts';
import type { HttpFailure } from '../cloud/http/exchange.ts';
import { FinalError, type LatchkeyError, RetryError, UncertainError } from '../support/errors.ts';
import { namedMember } from '../wire/credential-codec.ts';

/** Code of a `refused`: the user has a credential already, or the card number is in use. */
export const CONFLICT = 'conflict';

const MAY_HAVE_HAPPENED = 'It may have been carried out all the same.';

/** The error for an incomplete answer. `repeatable`: a second call changes nothing. */
export function failureOf(failure: HttpFailure, repeatable: boolean): LatchkeyError {
  const error = readFailure(failure);
  return failure.written && !repeatable
    ? new UncertainError(`${error.message} ${MAY_HAVE_HAPPENED}`, { cause: failure.cause })
    : error;
}

/** The error for an answer that is neither a success nor handled by the caller (401, 429). */
export function refusalOf(status: number, sentence: string, repeatable: boolean): LatchkeyError {
  const code = `(HTTP ${String(status)})`;
  if (status >= 500 || status === 408) {
    const message = `The service failed ${code}.`;
    return repeatable
      ? new RetryError('server-fault', message)
      : new UncertainError(`${message} ${MAY_HAVE_HAPPENED}`);
  }
  const member = namedMember(sentence);
  const about = member === null ? '' : `, and names ${member}`;
  switch (status) {
    case 400:
      return new FinalError('refused', `The service refused a field ${code}${about}.`, {
        reason: 'bad-field',
      });
    case 403:
      return new FinalError(
        'not-permitted',
        `This login may not do that ${code}: it takes the role Administrator, and a permission for issue codes 1 to 63.`,
      );
    case 404:
      return new FinalError('not-found', `The service knows no such credential ${code}.`);
    case 409:
      return new FinalError(
        'refused',
        `The service refused it as a duplicate ${code}${about}: a user has one credential, and a card number is given once.`,
        { reason: CONFLICT },
      );
    default:
      return status < 400
        ? new FinalError(
            'wire-mismatch',
            `The service answered with something else than expected ${code}; check partner.credentialsUrl.`,
          )
        : new FinalError('refused', `The service refused ${code}${about}.`);
  }
}

/** The error for a success with an unreadable answer. */
export function unreadable(what: string): FinalError {
  return new FinalError(
    'wire-mismatch',
    `The service answered, but ${what} could not be read; check partner.credentialsUrl.`,
  );
}
