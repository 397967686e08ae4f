// Maps a change of a lock to Matter events: operations with their true source, and a jam.

import type { CommandOutcome } from '../../../domain/commands/command.ts';
import { refusalHandling } from '../../../domain/commands/refusal.ts';
import type { AccessMethod } from '../../../domain/locks/access.ts';
import type { BoltPosition, BoltState } from '../../../domain/locks/bolt.ts';
import {
  ALARM,
  type Alarm,
  OPERATION,
  OPERATION_ERROR,
  OPERATION_SOURCE,
  type Operation,
  type OperationError,
  type OperationSource,
  REMOTE_CREDENTIAL,
  type REMOTE_USER_INDEX,
} from './matter-values.ts';

/** The controller behind a command over Matter, and its user, when it sent the PIN. */
export interface Asker {
  readonly fabricIndex: number | null;
  readonly sourceNode: bigint | null;
  readonly userIndex: typeof REMOTE_USER_INDEX | null;
}

const NO_ASKER: Asker = { fabricIndex: null, sourceNode: null, userIndex: null };

interface OperationFields extends Asker {
  readonly lockOperationType: Operation;
  readonly operationSource: OperationSource;
  readonly credentials?: readonly (typeof REMOTE_CREDENTIAL)[];
}

/** An event of the Door Lock cluster, by its name there. */
export type MatterEvent =
  | { readonly name: 'lockOperation'; readonly payload: OperationFields }
  | {
      readonly name: 'lockOperationError';
      readonly payload: OperationFields & { readonly operationError: OperationError };
    }
  | { readonly name: 'doorLockAlarm'; readonly payload: { readonly alarmCode: Alarm } };

/** Specification, Accessor types. A move while the lock was offline has no known source. */
const SOURCES: Readonly<Record<AccessMethod, OperationSource>> = {
  thumbturn: OPERATION_SOURCE.MANUAL,
  'access-code': OPERATION_SOURCE.KEYPAD,
  'auto-relock': OPERATION_SOURCE.AUTO,
  'one-touch': OPERATION_SOURCE.BUTTON,
  'unlock-button': OPERATION_SOURCE.BUTTON,
  'lock-button': OPERATION_SOURCE.BUTTON,
  schedule: OPERATION_SOURCE.SCHEDULE,
  'platform-key': OPERATION_SOURCE.RFID,
  'virtual-key': OPERATION_SOURCE.PROPRIETARY_REMOTE,
  platform: OPERATION_SOURCE.PROPRIETARY_REMOTE,
  'own-command': OPERATION_SOURCE.PROPRIETARY_REMOTE,
  unavailable: OPERATION_SOURCE.UNSPECIFIED,
  other: OPERATION_SOURCE.UNSPECIFIED,
};

/** A move of the bolt and its cause. */
export interface KnownMove {
  readonly to: BoltPosition;
  readonly method: AccessMethod;
}

/** `asker`: the controller of the latest Matter command to this position; null without one. */
export function operationEvent({ to, method }: KnownMove, asker: Asker | null): MatterEvent {
  const payload =
    method === 'own-command' && asker !== null
      ? fields(to, asker, OPERATION_SOURCE.REMOTE)
      : fields(to, NO_ASKER, SOURCES[method]);
  return { name: 'lockOperation', payload };
}

/** Another command is running on the lock, so this one stays queued. */
export function isRefusedAsBusy(outcome: CommandOutcome): boolean {
  return outcome.kind === 'refused' && refusalHandling(outcome.reason) === 'busy';
}

/**
 * The service said that the command failed. A lost reply, a timeout and a failure that claims success leave the outcome
 * open, so they are no error.
 */
export function isReportedFailure(outcome: CommandOutcome): boolean {
  const reason = outcome.kind === 'refused' || outcome.kind === 'uncertain' ? outcome.reason : undefined;
  return reason !== undefined && refusalHandling(reason) !== 'contradiction';
}

/** `asker`: the controller that sent the command; null for a command from elsewhere. */
export function errorEvent(
  target: BoltPosition,
  asker: Asker | null,
  operationError: OperationError = OPERATION_ERROR.UNSPECIFIED,
): MatterEvent {
  const source = asker === null ? OPERATION_SOURCE.PROPRIETARY_REMOTE : OPERATION_SOURCE.REMOTE;
  return {
    name: 'lockOperationError',
    payload: { ...fields(target, asker ?? NO_ASKER, source), operationError },
  };
}

/** A controller has sent so many wrong PINs that none is accepted from it for a while. */
export const TOO_MANY_WRONG_PINS: MatterEvent = {
  name: 'doorLockAlarm',
  payload: { alarmCode: ALARM.WRONG_CODE_ENTRY_LIMIT },
};

/** One alarm when a jam begins. */
export function alarmIn(previous: BoltState, bolt: BoltState): MatterEvent | null {
  return bolt === 'jammed' && previous !== 'jammed'
    ? { name: 'doorLockAlarm', payload: { alarmCode: ALARM.LOCK_JAMMED } }
    : null;
}

function fields(
  to: BoltPosition,
  { fabricIndex, sourceNode, userIndex }: Asker,
  operationSource: OperationSource,
): OperationFields {
  return {
    lockOperationType: to === 'secured' ? OPERATION.LOCK : OPERATION.UNLOCK,
    operationSource,
    userIndex,
    fabricIndex,
    sourceNode,
    ...(userIndex === null ? {} : { credentials: [REMOTE_CREDENTIAL] }),
  };
}
