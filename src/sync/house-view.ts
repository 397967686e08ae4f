// The house as HomeKit, the pages and the command line see it: what is known of its locks, what happens, and a wish.
import type { HouseLink } from '../domain/account.ts';
import type { Instant, Rest } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import type { Lock, LockId } from '../domain/lock.ts';
import type { AlertNews } from '../domain/service-event.ts';
import type { LockHappening } from './lock-store.ts';
import type { WishAnswer } from './wish-line.ts';

export type HouseHappening =
  | LockHappening
  | { readonly type: 'link-changed'; readonly state: HouseLink }
  /** Something at a door that is no state of it, and when it happened, on the service's clock. */
  | { readonly type: 'alert'; readonly id: LockId; readonly alert: AlertNews['type']; readonly at: Instant }
  /** For whoever follows a wish to its end; what became of the bolt, the lock itself tells. */
  | {
      readonly type: 'command-ended';
      readonly id: LockId;
      readonly wish: Rest;
      readonly outcome: CommandOutcome;
    };

/** Nothing here does I/O but `wish`. */
export interface HouseView {
  locks(): readonly Lock[];
  lock(id: LockId): Lock | undefined;
  linkState(): HouseLink;
  /** Hears everything that happens from now on, `first` before all others; the returned function ends it. */
  subscribe(listener: (happening: HouseHappening) => void, place?: 'first'): () => void;
  /** Looks whether the machine slept, after which nothing remembered is fresh. For whoever is about to show what it remembers. */
  lookRound(): void;
  /** Wishes a bolt somewhere. Never rejects; answers when the service accepted, refused or failed. */
  wish(id: LockId, rest: Rest): Promise<WishAnswer>;
  /** Tells the house of a lock that it may not know, such as one that Home still shows. */
  remember(id: LockId, name: string): void;
}
