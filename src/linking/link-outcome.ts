// Outcomes of a linking as a fixed list, so that a page never shows text from a request.
import { LatchkeyError } from '../support/errors.ts';
import { LINKING_WORDS } from '../words/linking.ts';

/**
 * The refusals of the machine, and the outcomes of the exchange. `code-refused`: the code was used, or it is too old.
 * `overtaken`: a newer linking began during the exchange, or the account was unlinked.
 */
export type LinkOutcome = keyof typeof LINKING_WORDS;

export function isLinkOutcome(word: unknown): word is LinkOutcome {
  return typeof word === 'string' && Object.hasOwn(LINKING_WORDS, word);
}

/** The outcome for an error from any source. */
export function outcomeOf(error: unknown): Exclude<LinkOutcome, 'linked'> {
  if (!(error instanceof LatchkeyError)) {
    return 'failed';
  }
  const reason: unknown = Reflect.get(error, 'reason');
  if (isLinkOutcome(reason) && reason !== 'linked') {
    return reason;
  }
  switch (error.code) {
    case 'refused':
      return 'code-refused';
    case 'bad-configuration':
      return 'misconfigured';
    case 'unreachable':
    case 'timed-out':
    case 'server-fault':
      return 'unreachable';
    case 'rate-limited':
    case 'overloaded':
      return 'paused';
    case 'reply-lost':
      return 'answer-lost';
    case 'not-owner':
      return 'not-owner';
    default:
      return 'failed';
  }
}
