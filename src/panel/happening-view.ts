// One thing that happened, as the dashboard lists it: facts, for the page finds the words.
import type { HouseLink } from '../domain/account.ts';
import type { Bolt, Instant, Rest } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import type { LastMove, LockId } from '../domain/lock.ts';
import type { AlertNews } from '../domain/service-event.ts';

/** How many are kept, in memory: what is older is in the history of the lock. */
export const MOST_HAPPENINGS = 100;

export interface HappeningView {
  /** Grows by one with each, so that a page can tell what it has. */
  readonly number: number;
  /** On the service's clock. */
  readonly at: Instant;
  /** Null when it is about the account as a whole. */
  readonly lock: { readonly id: LockId; readonly name: string } | null;
  readonly news: HappeningNews;
}

export type HappeningNews =
  | { readonly type: 'bolt'; readonly bolt: Bolt; readonly move: LastMove | null }
  | { readonly type: 'reachable'; readonly reachable: boolean }
  | { readonly type: 'appeared' }
  | { readonly type: 'removed' }
  | { readonly type: 'alert'; readonly alert: AlertNews['type'] }
  | { readonly type: 'command'; readonly wish: Rest; readonly outcome: CommandOutcome }
  | { readonly type: 'link'; readonly link: HouseLink };
