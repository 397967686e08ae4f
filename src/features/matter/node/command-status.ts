// Maps the answer to a request to the status of a Matter command: only an immediate refusal is an error.
import type { RequestRefusal } from '../../../domain/commands/intent-policy.ts';
import type { RequestAnswer } from '../../../engine/account-runtime.ts';
import type { Disposition } from '../../../support/errors.ts';

/** Names of Homebridge's status errors. */
export const STATUS_NAMES = ['PermissionDenied', 'Busy', 'Timeout', 'NotFound', 'Failure'] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

const STATUS_OF_REFUSAL: Readonly<Record<RequestRefusal, StatusName>> = {
  'not-linked': 'Failure',
  'lock-missing': 'NotFound',
  'remote-unlock-forbidden': 'PermissionDenied',
  'role-may-not-command': 'PermissionDenied',
  'too-late': 'Timeout',
};

const STATUS_OF_DISPOSITION: Readonly<Record<Disposition, StatusName>> = {
  retry: 'Failure',
  wait: 'Busy',
  relink: 'Failure',
  uncertain: 'Timeout',
  final: 'Failure',
};

/** Null is success: the command was accepted, and the attributes follow the bolt. */
export function statusOf(answer: RequestAnswer): StatusName | null {
  switch (answer.kind) {
    case 'accepted':
    case 'uncertain':
    case 'already':
    case 'joined':
    case 'superseded':
      return null;
    case 'refused':
      return STATUS_OF_REFUSAL[answer.reason];
    case 'failed':
      return STATUS_OF_DISPOSITION[answer.error.disposition];
  }
}

/** Whether a command is in flight or queued. */
export function isUnderWay({ kind }: RequestAnswer): boolean {
  return kind === 'accepted' || kind === 'uncertain' || kind === 'joined';
}

/** Whether a request failed without a refusal by the service; the end of the command reports it. */
export function isUnsent(answer: RequestAnswer): boolean {
  return answer.kind === 'refused' || (answer.kind === 'failed' && answer.error.code !== 'refused');
}
