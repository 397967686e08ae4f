// Maps a refusal or a lost answer of the credentialing interface to an error. Never repeats the service's own words.
import { answeredElsewhere, readFailure, serverFaultWords } from '../../../cloud/http/answer-errors.ts';
import type { HttpFailure } from '../../../cloud/http/exchange.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import {
  FinalError,
  type LatchkeyError,
  RetryError,
  UncertainError,
  wordsOf,
} from '../../../support/errors.ts';
import { namedMember } from './credential-codec.ts';

/** Code of a `refused`: the user has a credential already, or the card number is in use. */
export const CONFLICT = 'conflict';

/** The error for an incomplete answer. `repeatable`: a second call changes nothing. */
export function failureOf(failure: HttpFailure, repeatable: boolean): LatchkeyError {
  const error = readFailure(failure);
  return failure.written && !repeatable ? mayHaveHappened(wordsOf(error), failure.cause) : error;
}

function mayHaveHappened(what: Message, cause?: unknown): UncertainError {
  return new UncertainError(message('{what} It may have been carried out all the same.', { what }), {
    cause,
  });
}

/** The error for an answer that is neither a success nor handled by the caller (401, 429). */
export function refusalOf(httpStatus: number, sentence: string, repeatable: boolean): LatchkeyError {
  if (httpStatus >= 500 || httpStatus === 408) {
    const words = serverFaultWords(httpStatus);
    return repeatable ? new RetryError('server-fault', words) : mayHaveHappened(words);
  }
  const isForeign = sentence === '';
  if (isForeign && [401, 403, 404].includes(httpStatus)) {
    return answeredElsewhere(httpStatus);
  }
  const status = String(httpStatus);
  const member = namedMember(sentence);
  switch (httpStatus) {
    case 400:
      return new FinalError('refused', fieldWords(status, member), { reason: 'bad-field' });
    case 403:
      return new FinalError(
        'not-permitted',
        message(
          'This login may not do that (HTTP {status}): it takes the role Administrator, and a permission for issue codes 1 to 63.',
          { status },
        ),
      );
    case 404:
      return new FinalError(
        'not-found',
        message('The service knows no such credential (HTTP {status}).', { status }),
      );
    case 409:
      return new FinalError('refused', duplicateWords(status, member), { reason: CONFLICT });
    default:
      return unexpected(httpStatus, member);
  }
}

function fieldWords(status: string, member: string | null): Message {
  return member === null
    ? message('The service refused a field (HTTP {status}).', { status })
    : message('The service refused a field (HTTP {status}), and names {member}.', { status, member });
}

function duplicateWords(status: string, member: string | null): Message {
  return member === null
    ? message(
        'The service refused it as a duplicate (HTTP {status}): a user has one credential, and a card number is given once.',
        { status },
      )
    : message(
        'The service refused it as a duplicate (HTTP {status}), and names {member}: a user has one credential, and a card number is given once.',
        { status, member },
      );
}

function unexpected(httpStatus: number, member: string | null): FinalError {
  const status = String(httpStatus);
  if (httpStatus < 400) {
    return new FinalError(
      'wire-mismatch',
      message('The service answered with something else than expected (HTTP {status}); check {option}.', {
        status,
        option: 'partner.credentialsUrl',
      }),
    );
  }
  return new FinalError(
    'refused',
    member === null
      ? message('The service refused (HTTP {status}).', { status })
      : message('The service refused (HTTP {status}), and names {member}.', { status, member }),
  );
}

/** The error for a success with an unreadable answer. */
export function unreadable(what: string): FinalError {
  return new FinalError(
    'wire-mismatch',
    `The service answered, but ${what} could not be read; check partner.credentialsUrl.`,
  );
}
