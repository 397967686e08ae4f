// Sends a change of codes and follows it, also through the next owner of the account; fails with a reason when no owner is left.
import type { AccountSession } from '../../app/tools/account-session.ts';
import type { PanelCall } from '../../panel/socket/panel-client.ts';
import { messageOf, RetryError, UncertainError } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';

/** The outcome of the change is not known: the list of codes shows it, not the door. */
export class UnknownChangeError extends UncertainError {}

/** Sends a change. Rejects with `uncertain`, in words for `subject`, when the owner of the account ends before it answers. */
export async function sendChange<T>(subject: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw error instanceof UncertainError ? unknownChange(subject, error) : error;
  }
}

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
    throw unknownChange(subject, error);
  }
}

function unknownChange(subject: string, error: unknown): UnknownChangeError {
  const message = t('{subject}: how it went is not known. {why}', { subject, why: messageOf(error) });
  return new UnknownChangeError(message, { cause: error });
}
