// Why an operation on access codes failed: what is so, and what to do next.

import type { CodeField } from '../domain/codes/access-code-policy.ts';
import {
  type CodeFailure,
  type CodeFailureReason,
  isJudged,
  type JudgedReason,
  judgedFailure,
} from '../domain/codes/failure.ts';
import { isRefusalReason, type RefusalReason } from '../domain/commands/refusal.ts';
import { refusalWords } from './refusals.ts';

type OwnReason = Exclude<CodeFailureReason, RefusalReason | JudgedReason>;

type Meaning = readonly [words: string, field?: CodeField];

const TRY_AGAIN = 'Try again in a minute.';
const UPDATE = 'This is a fault of the plugin or of the service: report it, with the log.';

/** Reasons whose sentences about a bolt would not help with a code. All others keep theirs. */
const SERVICE: Readonly<Partial<Record<RefusalReason, Meaning>>> = {
  'code-exists': ['The lock already has this code. Choose a different one.', 'pin'],
  'pin-out-of-range': ['The lock accepts codes of 4 to 8 digits. Choose a different one.', 'pin'],
  'code-name-exists': ['The lock already has a code with this name. Choose a different name.', 'name'],
  'code-not-added': ['The lock could not store the code. It may be full: remove a code first.', 'lock'],
  'code-not-deleted': [`The lock could not delete the code. ${TRY_AGAIN}`, 'lock'],
  'storage-update-network': [`The service lost its connection while it saved the code. ${TRY_AGAIN}`],
  'storage-update-silent': [`The service got no answer while it saved the code. ${TRY_AGAIN}`],
  'storage-update-denied': [`The service was not allowed to save the code. ${TRY_AGAIN}`],
  'storage-delete-network': [`The service lost its connection while it deleted the code. ${TRY_AGAIN}`],
  'storage-delete-silent': [`The service got no answer while it deleted the code. ${TRY_AGAIN}`],
  'storage-delete-denied': [`The service was not allowed to delete the code. ${TRY_AGAIN}`],
  'lock-silent': ['The lock did not answer. Check its Wi-Fi and batteries, then try again.'],
  'code-id-missing': [`The service says that no code was named. ${UPDATE}`],
  'pin-missing': ['The service says that the code has no digits. Enter a code.', 'pin'],
  'code-name-missing': ['The service says that the code has no name. Enter a name.', 'name'],
  'schedule-missing': ['The service says that the code has no schedule. Choose one.', 'schedule'],
  'parameters-invalid': [`The service did not accept the request. ${UPDATE}`],
  'values-invalid': ['The service did not accept a value. Use plain letters and digits in the name.'],
  'user-disabled-missing': [`The service misses a setting of the code. ${UPDATE}`],
  'activation-missing': ['The service misses the start of the schedule. Choose a start.', 'schedule'],
  'expiration-missing': ['The service misses the end of the schedule. Choose an end.', 'schedule'],
  'command-unknown': ['This service cannot change access codes.'],
  'user-not-on-lock': ['The code is in the list, but not on the lock. Remove it, then add it again.', 'lock'],
  'code-id-duplicate': ['The lock has this code twice. Remove it in the lock’s own app.', 'lock'],
  'code-name-too-long': ['The name is too long. Use at most 24 characters.', 'name'],
  'code-length-missing': ['The service needs the code’s length. Enter the code again.', 'pin'],
  'code-length-out-of-range': [
    'The lock does not take codes of this length. Use as many digits as its other codes have.',
    'pin',
  ],
  'schedule-invalid': ['The lock does not accept this schedule. Check its days and times.', 'schedule'],
  'schedule-too-large': ['The lock accepts at most two weekly windows.', 'schedule'],
  'lock-busy': [`The lock is busy with another command. ${TRY_AGAIN}`],
  'code-subset-in-use': ['A shorter code on the lock begins the same way. Choose a different one.', 'pin'],
  'code-superset-in-use': [
    'A longer code on the lock begins with these digits. Choose a different one.',
    'pin',
  ],
};

const OWN: Readonly<Record<OwnReason, Meaning>> = {
  'not-sent': ['The service or the lock was not ready in time, so nothing was sent. Try again later.'],
  'list-disagrees': [
    'The service says that it was done, but its list of codes shows otherwise. Look at the list in a minute, and try the code at the door.',
  ],
  relink: ['The account is not connected any more. Connect it again, then ask again.'],
  'lock-gone': ['The account no longer has this lock.'],
  'service-trouble': ['The service answered in a way that makes no sense. The log has more.'],
};

export function codeFailure(reason: CodeFailureReason): CodeFailure {
  if (isJudged(reason)) {
    return judgedFailure(reason);
  }
  const [words, field]: Meaning = isRefusalReason(reason)
    ? (SERVICE[reason] ?? [`The lock or the service refused: ${refusalWords(reason)}. ${TRY_AGAIN}`])
    : OWN[reason];
  return { reason, field: field ?? null, words };
}

/** The failure after an error that no later try would mend, by its code (support/errors.ts). */
export function failureAfter(errorCode: string): CodeFailure {
  return codeFailure(ERRORS.get(errorCode) ?? 'service-trouble');
}

const ERRORS: ReadonlyMap<string, CodeFailureReason> = new Map([
  ['unlinked', 'relink'],
  ['revoked', 'relink'],
  ['expired', 'relink'],
  ['signed-out', 'relink'],
  ['used-elsewhere', 'relink'],
  ['moved', 'relink'],
  ['not-permitted', 'not-permitted'],
  ['not-found', 'lock-gone'],
]);
