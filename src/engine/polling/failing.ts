// The description of a service that does not answer: for the log, and for the pages.
import type { Message } from '../../domain/language/message.ts';
import { type LatchkeyError, wordsOf } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';

/** The service does not answer as it should. */
export interface Failing {
  /** How long the failure has lasted, in milliseconds. */
  readonly forMs: number;
  /** The reason of the last failure, for a person. */
  readonly message: Message;
  readonly code: LatchkeyError['code'];
  /** When the next call is made, in milliseconds; null while one is under way. */
  readonly retryInMs: number | null;
}

/** What the last failure says of itself. */
export function failureOf(error: LatchkeyError): Pick<Failing, 'message' | 'code'> {
  return { message: wordsOf(error), code: error.code };
}

/** The line of the log at the beginning of the failure. */
export function outageLine(error: LatchkeyError): string {
  const why = wordsOf(error);
  return error.code === 'storage-failed'
    ? t('The locks cannot be read: {why} Trying again by itself.', { why })
    : t('The lock service does not answer as it should: {why} Trying again by itself.', { why });
}
