// A lock that took the place of another, as pages and the command line show it.
import type { Message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';

/** How much was moved. */
export interface ReplacementView {
  readonly guests: number;
  readonly calendars: number;
  readonly entries: number;
  /** What becomes of the codes on the old lock, and what stays to be done. */
  readonly notes: readonly Message[];
}

/** Throws final where there is nothing to move, or nowhere to. */
export interface ReplacementApi {
  /** Locks that may have been replaced, the likeliest first: those that have left the account, then the others. */
  candidates(): readonly { readonly id: LockId; readonly name: string }[];
  replace(old: LockId, by: LockId): ReplacementView;
}
