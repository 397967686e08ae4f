// Reads while a change is followed, also from the next owner of the account; ends in words when there is none.
import type { AccountSession } from '../app/account-session.ts';
import type { PanelCall } from '../panel/panel-client.ts';
import { messageOf, RetryError, UncertainError } from '../support/errors.ts';

/** `subject`: whose change. Rejects with `uncertain` when the account is out of reach: the change may go on without us. */
export async function readFollowing<T>(
  session: AccountSession,
  subject: string,
  read: (call: PanelCall) => Promise<T>,
): Promise<T> {
  try {
    return await session.read(read);
  } catch (error) {
    if (error instanceof RetryError && error.code === 'aborted') {
      throw error;
    }
    throw new UncertainError(`${subject}: how it went is not known. ${messageOf(error)}`, { cause: error });
  }
}
