// One entry of the activity list, as facts; the page chooses the words.
import type { RuntimeLinkState } from '../../domain/account/account.ts';
import type { CommandOutcome } from '../../domain/commands/command.ts';
import type { BoltPosition, BoltState } from '../../domain/locks/bolt.ts';
import type { LockId, Presence } from '../../domain/locks/lock.ts';
import type { LastMove } from '../../domain/locks/move.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { AlertReport } from '../../domain/webhooks/service-event.ts';

/** The number of entries kept, in the owner's memory for its lifetime. Older ones are in the lock's history. */
export const MAX_ACTIVITY = 100;

export interface ActivityView {
  /**
   * Grows by one with each entry and restarts with the process. An event with a known number replaces that entry,
   * because a move may be attributed a moment later.
   */
  readonly number: number;
  /** When it was received, on the service's clock. The time of a bolt's move is in `move`. */
  readonly at: Instant;
  /** Null when it is about the account as a whole. */
  readonly lock: { readonly id: LockId; readonly name: string } | null;
  readonly detail: ActivityDetail;
}

export type ActivityDetail =
  /** `move`: the person or cause that moved it; null while unknown. */
  | { readonly type: 'bolt'; readonly bolt: BoltState; readonly move: LastMove | null }
  | { readonly type: 'presence'; readonly presence: Presence }
  /** The account lists it for the first time. `others`: how many more locks the same listing brought. */
  | { readonly type: 'appeared'; readonly others: number }
  /** The lock is gone for good: after a day of absence, or by a person's decision. */
  | { readonly type: 'removed' }
  | { readonly type: 'alert'; readonly alert: AlertReport['type'] }
  | { readonly type: 'command'; readonly target: BoltPosition; readonly outcome: CommandOutcome }
  | { readonly type: 'link'; readonly link: RuntimeLinkState };
