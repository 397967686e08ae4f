// Why a command with a missing or wrong PIN is refused, and its status.

import type { PinVerdict } from '../support/remote-pin.ts';
import type { StatusName } from './command-status.ts';
import { OPERATION_ERROR, type OperationError } from './matter-values.ts';

export interface Refusal {
  readonly why: string;
  readonly status: StatusName;
  /** Left out: unspecified. */
  readonly error?: OperationError;
}

const error = OPERATION_ERROR.INVALID_CREDENTIAL;

export const PIN_REFUSALS: Readonly<Record<Exclude<PinVerdict, 'right'>, Refusal>> = {
  missing: { why: 'the controller sent no PIN', status: 'Failure', error },
  wrong: { why: 'the PIN was wrong', status: 'Failure', error },
  disabled: {
    why: 'too many wrong PINs were sent; none from this controller is accepted for a minute',
    status: 'Busy',
    error,
  },
};
