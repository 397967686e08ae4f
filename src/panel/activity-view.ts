// One thing that happened, as the dashboard lists it: facts, for the page finds the words.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, BoltState, Instant } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import type { LastMove, LockId, Presence } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';

/**
 * How many are kept, in the memory of the process that owns the account and for as long as it lives. What is older is in
 * the history of the lock.
 */
export const MAX_ACTIVITY = 100;

export interface ActivityView {
  /**
   * Grows by one with each and begins anew with the process. An event that has a known number again replaces that
   * entry: who moved a bolt may become known a moment after the move.
   */
  readonly number: number;
  /** When it was heard of, on the service's clock. When a bolt was moved, its `move` says. */
  readonly at: Instant;
  /** Null when it is about the account as a whole. */
  readonly lock: { readonly id: LockId; readonly name: string } | null;
  readonly news: ActivityDetail;
}

export type ActivityDetail =
  /** `move`: who or what brought it there; null while nobody has said. */
  | { readonly type: 'bolt'; readonly bolt: BoltState; readonly move: LastMove | null }
  | { readonly type: 'presence'; readonly presence: Presence }
  /** The account lists it for the first time. */
  | { readonly type: 'appeared' }
  /** It left for good: after a day of absence, or because a person said so. */
  | { readonly type: 'removed' }
  | { readonly type: 'alert'; readonly alert: AlertReport['type'] }
  | { readonly type: 'command'; readonly target: BoltPosition; readonly outcome: CommandOutcome }
  | { readonly type: 'link'; readonly link: RuntimeLinkState };
