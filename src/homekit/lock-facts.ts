// What the services beside the lock are told: how the door is, and what has just happened there.
import type { Instant } from '../domain/bolt.ts';
import type { LastMove, Lock } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import type { LockView } from './lock-mapping.ts';
import type { LockOptions } from './lock-options.ts';

/** How the door is now. */
export interface LockFacts {
  readonly lock: Lock;
  /** The lock as Home shows it. */
  readonly view: LockView;
  readonly batteryLow: boolean;
}

/** What has just happened: never told of anything old. */
export type LockNotice =
  | { readonly type: 'alert'; readonly alert: AlertReport['type']; readonly at: Instant }
  | { readonly type: 'moved'; readonly move: LastMove };

/** A service beside the lock. Each takes the part of this that it needs. */
export interface LockWatcher {
  /** The door may have changed, or not. */
  readonly show?: (facts: LockFacts) => void;
  readonly hear?: (news: LockNotice) => void;
  /** Other options are in force. Which services there are does not depend on those that can change. */
  readonly configure?: (options: LockOptions) => void;
  /** Ends what would end by itself later. */
  readonly dispose?: () => void;
}
