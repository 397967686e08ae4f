// Why an operation on access codes failed, in sentences for people.
import type { CodeField } from './access-code-policy.ts';
import { isRefusalReason, type RefusalReason, refusalWords } from './refusal.ts';

/**
 * The service's reasons, and our own. `not-sent`: neither service nor lock was ready in time. `outcome-unknown`: it may
 * have happened, and the list does not settle it. `list-disagrees`: the service says that it was done, and its list shows
 * otherwise. `changed-meanwhile`: codes changed since the person looked.
 */
export type CodeFailureReason = RefusalReason | OwnReason;

type OwnReason =
  | 'not-sent'
  | 'outcome-unknown'
  | 'list-disagrees'
  | 'changed-meanwhile'
  | 'not-permitted'
  | 'read-only'
  | 'relink'
  | 'lock-gone'
  | 'service-trouble';

export interface CodeFailure {
  readonly reason: CodeFailureReason;
  /** The part of the request at fault; null where no other value would help. */
  readonly field: CodeField | null;
  readonly words: string;
}

interface FailureMeaning {
  readonly words: string;
  readonly field?: CodeField;
}

const TRY_AGAIN = 'Try again in a minute.';
const UPDATE = 'This is a fault of the plugin or of the service: report it, with the log.';

/** Reasons whose words for a bolt would not help with a code. The others keep theirs. */
const SERVICE: Readonly<Partial<Record<RefusalReason, FailureMeaning>>> = {
  'code-exists': { field: 'pin', words: 'The lock already has this code. Choose a different one.' },
  'pin-out-of-range': {
    field: 'pin',
    words: 'The lock accepts codes of 4 to 8 digits. Choose a different one.',
  },
  'code-name-exists': {
    field: 'name',
    words: 'The lock already has a code with this name. Choose a different name.',
  },
  'code-not-added': {
    field: 'lock',
    words: 'The lock could not store the code. It may be full: remove a code first.',
  },
  'code-not-deleted': { field: 'lock', words: `The lock could not delete the code. ${TRY_AGAIN}` },
  'storage-update-network': {
    words: `The service lost its connection while it saved the code. ${TRY_AGAIN}`,
  },
  'storage-update-silent': { words: `The service got no answer while it saved the code. ${TRY_AGAIN}` },
  'storage-update-denied': { words: `The service was not allowed to save the code. ${TRY_AGAIN}` },
  'storage-delete-network': {
    words: `The service lost its connection while it deleted the code. ${TRY_AGAIN}`,
  },
  'storage-delete-silent': { words: `The service got no answer while it deleted the code. ${TRY_AGAIN}` },
  'storage-delete-denied': { words: `The service was not allowed to delete the code. ${TRY_AGAIN}` },
  'lock-silent': { words: 'The lock did not answer. Check its Wi-Fi and batteries, then try again.' },
  'code-id-missing': { words: `The service says that no code was named. ${UPDATE}` },
  'pin-missing': { field: 'pin', words: 'The service says that the code has no digits. Enter a code.' },
  'code-name-missing': { field: 'name', words: 'The service says that the code has no name. Enter a name.' },
  'schedule-missing': {
    field: 'schedule',
    words: 'The service says that the code has no schedule. Choose one.',
  },
  'parameters-invalid': { words: `The service did not accept the request. ${UPDATE}` },
  'values-invalid': {
    words: 'The service did not accept a value. Use plain letters and digits in the name.',
  },
  'user-disabled-missing': { words: `The service misses a setting of the code. ${UPDATE}` },
  'activation-missing': {
    field: 'schedule',
    words: 'The service misses the start of the schedule. Choose a start.',
  },
  'expiration-missing': {
    field: 'schedule',
    words: 'The service misses the end of the schedule. Choose an end.',
  },
  'command-unknown': { words: 'This service cannot change access codes.' },
  'user-not-on-lock': {
    field: 'lock',
    words: 'The code is in the list, but not on the lock. Remove it, then add it again.',
  },
  'code-id-duplicate': {
    field: 'lock',
    words: 'The lock has this code twice. Remove it in the lock’s own app.',
  },
  'code-name-too-long': { field: 'name', words: 'The name is too long. Use at most 24 characters.' },
  'code-length-missing': {
    field: 'pin',
    words: 'The service misses the length of the code. Enter the code again.',
  },
  'code-length-out-of-range': {
    field: 'pin',
    words: 'The lock does not take codes of this length. Use as many digits as its other codes have.',
  },
  'code-id-invalid': { words: 'The code is no longer there. Look at the list again.' },
  'schedule-invalid': {
    field: 'schedule',
    words: 'The lock does not accept this schedule. Check its days and times.',
  },
  'schedule-too-large': { field: 'schedule', words: 'The lock accepts at most two weekly windows.' },
  'lock-busy': { words: `The lock is busy with another command. ${TRY_AGAIN}` },
  'code-subset-in-use': {
    field: 'pin',
    words: 'A shorter code on the lock begins the same way. Choose a different one.',
  },
  'code-superset-in-use': {
    field: 'pin',
    words: 'A longer code on the lock begins with these digits. Choose a different one.',
  },
};

const OWN: Readonly<Record<OwnReason, FailureMeaning>> = {
  'not-sent': {
    words: 'The service or the lock was not ready in time, so nothing was sent. Try again later.',
  },
  'outcome-unknown': {
    words: 'The lock did not say whether it was done. Look at the list of codes in a few minutes.',
  },
  'list-disagrees': {
    words:
      'The service says that it was done, but its list of codes shows otherwise. Look at the list in a minute, and try the code at the door.',
  },
  'changed-meanwhile': {
    words: 'The codes of the lock changed meanwhile. Look at the list, then ask again.',
  },
  'not-permitted': {
    words: 'This account may not change this code or this lock. Ask the owner of the lock.',
  },
  'read-only': {
    words: 'The service keeps this code as read-only. It can only be changed in the lock’s own app.',
  },
  relink: { words: 'The account is not linked any more. Link it again, then ask again.' },
  'lock-gone': { words: 'The account no longer has this lock.' },
  'service-trouble': { words: 'The service answered in a way that makes no sense. The log has more.' },
};

export function codeFailure(reason: CodeFailureReason): CodeFailure {
  const meaning: FailureMeaning = isRefusalReason(reason)
    ? (SERVICE[reason] ?? { words: `The lock or the service refused: ${refusalWords(reason)}. ${TRY_AGAIN}` })
    : OWN[reason];
  return { reason, field: meaning.field ?? null, words: meaning.words };
}

/** Whether what was sent may have taken effect, or still may. */
export function isUnsettled(failure: CodeFailure | null): boolean {
  return failure?.reason === 'outcome-unknown' || failure?.reason === 'list-disagrees';
}

/** The failure after an error that no later try would mend, by its code (support/errors.ts). */
export function failureAfter(errorCode: string): CodeFailure {
  return codeFailure(ERRORS.get(errorCode) ?? 'service-trouble');
}

const ERRORS: ReadonlyMap<string, OwnReason> = new Map([
  ['unlinked', 'relink'],
  ['revoked', 'relink'],
  ['expired', 'relink'],
  ['signed-out', 'relink'],
  ['not-permitted', 'not-permitted'],
  ['not-found', 'lock-gone'],
]);
