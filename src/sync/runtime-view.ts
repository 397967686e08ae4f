// The house as HomeKit, the pages and the command line see it: what is known of its locks, what happens, and a wish.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, Instant } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import type { Lock, LockId } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import type { RequestAnswer, RequestLimits } from './commands/request-answer.ts';
import type { LockChange } from './state/lock-store.ts';

export type RuntimeEvent =
  | LockChange
  | { readonly type: 'link-changed'; readonly state: RuntimeLinkState }
  /** Something at a door that is no state of it, and when it happened, on the service's clock. */
  | { readonly type: 'alert'; readonly id: LockId; readonly alert: AlertReport['type']; readonly at: Instant }
  /** For whoever follows a wish to its end; what became of the bolt, the lock itself tells. */
  | {
      readonly type: 'command-ended';
      readonly id: LockId;
      readonly target: BoltPosition;
      readonly outcome: CommandOutcome;
    };

/** Nothing here does I/O but `request`. */
export interface RuntimeView {
  locks(): readonly Lock[];
  lock(id: LockId): Lock | undefined;
  linkState(): RuntimeLinkState;
  /** Hears everything that happens from now on, `first` before all others; the returned function ends it. */
  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void;
  /** Looks whether the machine slept, after which nothing remembered is fresh. For whoever is about to show what it remembers. */
  checkSuspend(): void;
  /**
   * Asks for a bolt to be moved. Never rejects; answers when the command has left or will not.
   */
  request(id: LockId, target: BoltPosition, limits?: RequestLimits): Promise<RequestAnswer>;
  /** Tells the house of a lock that it may not know, such as one that Home still shows. */
  remember(id: LockId, name: string): void;
}
