// Why a command with a missing or wrong PIN is refused, and its status.
import type { StatusName } from './command-status.ts';
import type { PinVerdict } from './pin-check.ts';

export interface Refusal {
  readonly why: string;
  readonly status: StatusName;
}

export const PIN_REFUSALS: Readonly<Record<Exclude<PinVerdict, 'right'>, Refusal>> = {
  missing: { why: 'the controller sent no PIN', status: 'Failure' },
  wrong: { why: 'the PIN was wrong', status: 'Failure' },
  disabled: {
    why: 'too many wrong PINs were sent; none from this controller is accepted for a minute',
    status: 'Busy',
  },
};
