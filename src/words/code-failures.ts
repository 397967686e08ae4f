// Why an operation on access codes failed: what is so, and what to do next.

import { LINK_STATES } from '../domain/account/account.ts';
import type { CodeField } from '../domain/codes/access-code-policy.ts';
import {
  type CodeFailure,
  type CodeFailureReason,
  isJudged,
  type JudgedReason,
  judgedFailure,
} from '../domain/codes/failure.ts';
import { isRefusalReason, type RefusalReason } from '../domain/commands/refusal.ts';
import { type Message, message } from '../domain/language/message.ts';
import { REFUSALS } from './refusals.ts';

type OwnReason = Exclude<CodeFailureReason, RefusalReason | JudgedReason>;

/** Reasons whose sentences about a bolt would not help with a code, by the field in which another value may help. */
const OF_FIELDS: Readonly<Record<CodeField, Readonly<Partial<Record<RefusalReason, Message>>>>> = {
  name: {
    'code-name-exists': message('The lock already has a code with this name. Choose a different name.'),
    'code-name-missing': message('The service says that the code has no name. Enter a name.'),
    'code-name-too-long': message('The name is too long for this lock. Use at most 12 characters.'),
  },
  pin: {
    'code-exists': message('The lock already has this code. Choose a different one.'),
    'pin-out-of-range': message('The lock accepts codes of 4 to 8 digits. Choose a different one.'),
    'pin-missing': message('The service says that the code has no digits. Enter a code.'),
    'code-length-missing': message('The service needs the code’s length. Enter the code again.'),
    'code-length-out-of-range': message(
      'The lock does not take codes of this length. Use as many digits as its other codes have.',
    ),
    'code-subset-in-use': message('A shorter code on the lock begins the same way. Choose a different one.'),
    'code-superset-in-use': message(
      'A longer code on the lock begins with these digits. Choose a different one.',
    ),
  },
  schedule: {
    'schedule-missing': message('The service says that the code has no schedule. Choose one.'),
    'activation-missing': message('The service misses the start of the schedule. Choose a start.'),
    'expiration-missing': message('The service misses the end of the schedule. Choose an end.'),
    'schedule-invalid': message('The lock does not accept this schedule. Check its days and times.'),
    'schedule-too-large': message('The lock accepts at most two weekly windows.'),
  },
  lock: {
    'code-not-added': message('The lock could not store the code. It may be full: remove a code first.'),
    'code-not-deleted': message('The lock could not delete the code. Try again in a minute.'),
    'user-not-on-lock': message(
      'The code is in the list, but not on the lock. Remove it, then add it again.',
    ),
    'code-id-duplicate': message('The lock has this code twice. Remove it in the lock’s own app.'),
  },
};

const FIELDS = ['name', 'pin', 'schedule', 'lock'] as const satisfies readonly CodeField[];

/** The same without such a field. All other reasons keep their sentences. */
const SERVICE: Readonly<Partial<Record<RefusalReason, Message>>> = {
  'lock-silent': message('The lock did not answer. Check its Wi-Fi and batteries, then try again.'),
  'code-id-missing': message(
    'The service says that no code was named. This is a fault of the plugin or of the service: report it, with the log.',
  ),
  'parameters-invalid': message(
    'The service did not accept the request. This is a fault of the plugin or of the service: report it, with the log.',
  ),
  'values-invalid': message('The service did not accept a value. Use plain letters and digits in the name.'),
  'user-disabled-missing': message(
    'The service misses a setting of the code. This is a fault of the plugin or of the service: report it, with the log.',
  ),
  'command-unknown': message('This service cannot change access codes.'),
  'lock-busy': message('The lock is busy with another command. Try again in a minute.'),
};

const OWN: Readonly<Record<OwnReason, Message>> = {
  'not-sent': message('The service or the lock was not ready in time, so nothing was sent. Try again later.'),
  'list-disagrees': message(
    'The service says that it was done, but its list of codes shows otherwise. Look at the list in a minute, and try the code at the door.',
  ),
  relink: message('The account is not connected any more. Connect it again, then ask again.'),
  'lock-gone': message('The account no longer has this lock.'),
  'service-trouble': message('The service answered in a way that makes no sense. The log has more.'),
};

export function codeFailure(reason: CodeFailureReason): CodeFailure {
  if (isJudged(reason)) {
    return judgedFailure(reason);
  }
  if (!isRefusalReason(reason)) {
    return { reason, field: null, words: OWN[reason] };
  }
  const field = FIELDS.find((one) => OF_FIELDS[one][reason] !== undefined) ?? null;
  const words = field === null ? SERVICE[reason] : OF_FIELDS[field][reason];
  return { reason, field, words: words ?? refused(reason) };
}

function refused(reason: RefusalReason): Message {
  return message('The lock or the service refused: {why}. Try again in a minute.', { why: REFUSALS[reason] });
}

/** The failure after an error that no later try would mend, by its code (support/errors.ts). */
export function failureAfter(errorCode: string): CodeFailure {
  return codeFailure(ERRORS.get(errorCode) ?? 'service-trouble');
}

const ERRORS: ReadonlyMap<string, CodeFailureReason> = new Map<string, CodeFailureReason>([
  ...LINK_STATES.map((state) => [state, 'relink'] as const),
  ['not-permitted', 'not-permitted'],
  ['not-found', 'lock-gone'],
]);
