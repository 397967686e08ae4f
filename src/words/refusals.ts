// Why the lock or the service refused a command, one clause for each reason that the service can name.
import type { RefusalReason } from '../domain/commands/refusal.ts';

export const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  'claims-success': 'the service contradicts itself on whether it was done',
  'general-failure': 'the lock reported a general failure',
  'code-exists': 'this access code already exists',
  'pin-out-of-range': 'the PIN must be 4 to 8 digits',
  'code-name-exists': 'an access code with this name already exists',
  'code-not-added': 'the lock could not store the access code; it may be full',
  'code-not-deleted': 'the lock could not delete the access code',
  'storage-update-network': 'the service lost its network while saving',
  'storage-update-silent': 'the service got no answer while saving',
  'storage-update-denied': 'the service was not allowed to save',
  'storage-delete-network': 'the service lost its network while deleting',
  'storage-delete-silent': 'the service got no answer while deleting',
  'storage-delete-denied': 'the service was not allowed to delete',
  'lock-silent': 'the lock did not answer; its Wi-Fi may be down',
  'json-assembly': 'the service could not build its message',
  'json-parsing': 'the service could not read the request',
  'code-id-missing': 'no access code was named',
  'pin-missing': 'no PIN was given',
  'code-name-missing': 'the access code has no name',
  'schedule-missing': 'the access code has no schedule',
  'parameters-invalid': 'the service did not accept the request',
  'user-disabled-missing': 'the user-disabled status is missing',
  'activation-missing': 'the time of activation is missing',
  'expiration-missing': 'the time of expiration is missing',
  'values-invalid': 'a value in the request is not valid',
  'command-unknown': 'the service does not know this command',
  'user-not-on-lock': 'the lock does not have this access code',
  'code-id-duplicate': 'the lock holds this access code twice',
  'code-name-too-long': 'the name is longer than 24 characters',
  'code-length-missing': 'the length of the access code is missing',
  'code-length-out-of-range': 'this lock does not take access codes of that length',
  'code-id-invalid': 'there is no such access code',
  'bolt-jammed': 'the bolt is jammed',
  'schedule-locking': 'the lock reported an error of its locking schedule',
  'schedule-invalid': 'the schedule is not valid',
  'schedule-too-large': 'the schedule has too many windows',
  'lock-busy': 'the lock is busy with another command',
  'code-subset-in-use': 'a shorter code that begins this one is in use',
  'code-superset-in-use': 'a longer code that begins with this one is in use',
  unrecognised: 'the lock refused for a reason we do not know',
};

/** Without a full stop. */
export function refusalWords(reason: RefusalReason): string {
  return REFUSALS[reason];
}
