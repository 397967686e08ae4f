// How many refusals strangers may cause before they are told to wait. What is right is never limited.
import { Allowance, type AllowanceLimits } from '../support/allowance.ts';
import type { Clock } from '../support/clock.ts';

/** A person's whole evening of pasting the wrong thing in one go (our choice). */
const REFUSALS: AllowanceLimits = { atOnce: 20, everyMs: 3_000 };

/** One budget for everybody: the address of a sender can be chosen, and would cost memory. */
export function refusalBudget(clock: Clock): Allowance {
  return new Allowance(clock, REFUSALS);
}
