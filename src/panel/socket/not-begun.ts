// The error for a call that the owner of the account did not begin, because it was ending.
import { message } from '../../domain/language/message.ts';
import { RetryError } from '../../support/errors.ts';

/** The next owner may be asked the same, whatever the call would have changed. */
export class NotBegunError extends RetryError {
  constructor(options?: ErrorOptions) {
    super('unreachable', message('The owner of the account is closing.'), options);
  }
}
