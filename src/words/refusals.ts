// Why the lock or the service refused a command, one clause for each reason that the service can name.
import type { RefusalReason } from '../domain/commands/refusal.ts';
import { type Message, message } from '../domain/language/message.ts';
import { t } from './translate.ts';

export const REFUSALS: Readonly<Record<RefusalReason, Message>> = {
  'claims-success': message('the service contradicts itself on whether it was done'),
  'general-failure': message('the lock reported a general failure'),
  'code-exists': message('this access code already exists'),
  'pin-out-of-range': message('the PIN must be 4 to 8 digits'),
  'code-name-exists': message('an access code with this name already exists'),
  'code-not-added': message('the lock could not store the access code; it may be full'),
  'code-not-deleted': message('the lock could not delete the access code'),
  'storage-update-network': message('the service lost its network while saving'),
  'storage-update-silent': message('the service got no answer while saving'),
  'storage-update-denied': message('the service was not allowed to save'),
  'storage-delete-network': message('the service lost its network while deleting'),
  'storage-delete-silent': message('the service got no answer while deleting'),
  'storage-delete-denied': message('the service was not allowed to delete'),
  'lock-silent': message('the lock did not answer; its Wi-Fi may be down'),
  'json-assembly': message('the service could not build its message'),
  'json-parsing': message('the service could not read the request'),
  'code-id-missing': message('no access code was named'),
  'pin-missing': message('no PIN was given'),
  'code-name-missing': message('the access code has no name'),
  'schedule-missing': message('the access code has no schedule'),
  'parameters-invalid': message('the service did not accept the request'),
  'user-disabled-missing': message('the user-disabled status is missing'),
  'activation-missing': message('the time of activation is missing'),
  'expiration-missing': message('the time of expiration is missing'),
  'values-invalid': message('a value in the request is not valid'),
  'command-unknown': message('the service does not know this command'),
  'user-not-on-lock': message('the lock does not have this access code'),
  'code-id-duplicate': message('the lock holds this access code twice'),
  'code-name-too-long': message('the name is too long'),
  'code-length-missing': message('the length of the access code is missing'),
  'code-length-out-of-range': message('this lock does not take access codes of that length'),
  'code-id-invalid': message('there is no such access code'),
  'bolt-jammed': message('the bolt is jammed'),
  'schedule-locking': message('the lock reported an error of its locking schedule'),
  'schedule-invalid': message('the schedule is not valid'),
  'schedule-too-large': message('the schedule has too many windows'),
  'lock-busy': message('the lock is busy with another command'),
  'code-subset-in-use': message('a shorter code that begins this one is in use'),
  'code-superset-in-use': message('a longer code that begins with this one is in use'),
  unrecognised: message('the lock refused for a reason we do not know'),
};

/** Without a full stop. */
export function refusalWords(reason: RefusalReason): string {
  return t(REFUSALS[reason]);
}
