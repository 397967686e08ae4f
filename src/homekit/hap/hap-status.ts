// Maps every answer to a request to the HAP status of the write.
import type { RequestRefusal } from '../../domain/commands/intent-policy.ts';
import type { RequestAnswer } from '../../engine/account-runtime.ts';
import type { Disposition, FinalError, LatchkeyError, WaitError } from '../../support/errors.ts';
import { HAP_STATUS, type HapStatus } from './characteristic-values.ts';

/** "Insufficient privileges" (-70401) is also HAP's own answer for `adminOnly`; -70411 would ask for authorization data. */
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

/** Codes that are more specific than their disposition. */
const STATUS_OF_CODE: ReadonlyMap<string, HapStatus> = new Map<
  WaitError['code'] | FinalError['code'],
  HapStatus
>([
  ['lock-offline', HAP_STATUS.SERVICE_COMMUNICATION_FAILURE],
  ['refused', HAP_STATUS.NOT_ALLOWED_IN_CURRENT_STATE],
  ['not-permitted', HAP_STATUS.INSUFFICIENT_PRIVILEGES],
]);

/** An uncertain command may still complete: the write succeeds, and a poll shows the result. */
export function statusOfAnswer(answer: RequestAnswer): HapStatus {
  if (answer.kind === 'refused') {
    return STATUS_OF_REFUSAL[answer.reason];
  }
  return answer.kind === 'failed' ? statusOfError(answer.error) : HAP_STATUS.SUCCESS;
}

export function statusOfError(error: LatchkeyError): HapStatus {
  return STATUS_OF_CODE.get(error.code) ?? STATUS_OF_DISPOSITION[error.disposition];
}
