// The 39 error numbers of the service as our own reasons (specification, Device command error codes).
import type { RefusalReason } from '../domain/commands/refusal.ts';

/** The reason of each number, the number being the position. */
const REASONS: readonly RefusalReason[] = [
  'claims-success', // 0
  'general-failure',
  'code-exists',
  'pin-out-of-range',
  'code-name-exists',
  'code-not-added', // 5
  'code-not-deleted',
  'storage-update-network',
  'storage-update-silent',
  'storage-update-denied',
  'storage-delete-network', // 10
  'storage-delete-silent',
  'storage-delete-denied',
  'lock-silent',
  'json-assembly',
  'json-parsing', // 15
  'code-id-missing',
  'pin-missing',
  'code-name-missing',
  'schedule-missing',
  'parameters-invalid', // 20
  'user-disabled-missing',
  'activation-missing',
  'expiration-missing',
  'values-invalid',
  'command-unknown', // 25
  'user-not-on-lock',
  'code-id-duplicate',
  'code-name-too-long',
  'code-length-missing',
  'code-length-out-of-range', // 30
  'code-id-invalid',
  'bolt-jammed',
  'schedule-locking',
  'schedule-invalid',
  'schedule-too-large', // 35
  'lock-busy',
  'code-subset-in-use',
  'code-superset-in-use',
];

/** The reason behind a number; `unrecognised` for a missing number and for every one that the specification lacks. */
export function refusalReason(errorCode: number | null): RefusalReason {
  return (errorCode === null ? undefined : REASONS[errorCode]) ?? 'unrecognised';
}
