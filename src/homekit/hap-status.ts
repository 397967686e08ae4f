// Every answer to a wish as the status that HomeKit gets for its write, exhaustively.
import type { RequestRefusal } from '../domain/intent-policy.ts';
import type { Disposition, FinalError, LatchkeyError, WaitError } from '../support/errors.ts';
import type { RequestAnswer } from '../sync/account-runtime.ts';
import { HAP_STATUS, type HapStatus } from './characteristic-values.ts';

/**
 * Not allowed is "insufficient privileges" (-70401), which HAP itself answers for `adminOnly`. "Insufficient
 * authorization" (-70411) would be wrong: it asks the client for other authorization data, and we take none.
 */
const STATUS_OF_REFUSAL: Readonly<Record<RequestRefusal, HapStatus>> = {
  'not-linked': HAP_STATUS.SERVICE_COMMUNICATION_FAILURE,
  'lock-missing': HAP_STATUS.SERVICE_COMMUNICATION_FAILURE,
  'remote-unlock-forbidden': HAP_STATUS.INSUFFICIENT_PRIVILEGES,
  'role-may-not-command': HAP_STATUS.INSUFFICIENT_PRIVILEGES,
  'too-late': HAP_STATUS.OPERATION_TIMED_OUT,
};

const STATUS_OF_DISPOSITION: Readonly<Record<Disposition, HapStatus>> = {
  retry: HAP_STATUS.SERVICE_COMMUNICATION_FAILURE,
  wait: HAP_STATUS.RESOURCE_BUSY,
  relink: HAP_STATUS.SERVICE_COMMUNICATION_FAILURE,
  uncertain: HAP_STATUS.OPERATION_TIMED_OUT,
  final: HAP_STATUS.SERVICE_COMMUNICATION_FAILURE,
};

/** Codes that say more than their disposition does. */
const STATUS_OF_CODE: ReadonlyMap<string, HapStatus> = new Map<
  WaitError['code'] | FinalError['code'],
  HapStatus
>([
  ['lock-offline', HAP_STATUS.SERVICE_COMMUNICATION_FAILURE],
  ['refused', HAP_STATUS.NOT_ALLOWED_IN_CURRENT_STATE],
  ['not-permitted', HAP_STATUS.INSUFFICIENT_PRIVILEGES],
]);

/** An uncertain command may well land: the write succeeded, and the lock is read to learn its end. */
export function statusOfAnswer(answer: RequestAnswer): HapStatus {
  switch (answer.kind) {
    case 'accepted':
    case 'uncertain':
    case 'already':
    case 'joined':
    case 'superseded':
      return HAP_STATUS.SUCCESS;
    case 'refused':
      return STATUS_OF_REFUSAL[answer.reason];
    case 'failed':
      return statusOfError(answer.error);
  }
}

export function statusOfError(error: LatchkeyError): HapStatus {
  return STATUS_OF_CODE.get(error.code) ?? STATUS_OF_DISPOSITION[error.disposition];
}
