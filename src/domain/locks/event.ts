// The facts that can happen to a lock. The lock machine folds them; nothing else changes a lock.

import type { Instant } from '../time/instant.ts';
import type { Accessor } from './access.ts';
import type { BoltPosition, BoltState } from './bolt.ts';
import type { EvidenceSource } from './evidence-policy.ts';
import type { Battery, DeviceFacts, LockDescription } from './lock.ts';
import type { LastMove } from './move.ts';

/** A report about the lock; an absent member was not reported. */
export interface Reported {
  readonly type: 'reported';
  readonly source: EvidenceSource;
  /** The instant for which the report is true. For a poll: when it was asked, the earliest it can speak of. */
  readonly at: Instant;
  readonly bolt?: BoltState;
  /** The instant for which the position is true, where it is older than the report: an offline lock's last report. */
  readonly boltAt?: Instant;
  readonly connected?: boolean;
  readonly battery?: Battery;
  readonly device?: DeviceFacts;
  readonly wifiDbm?: number | null;
  readonly description?: LockDescription;
  readonly accessor?: Accessor;
}

export type LockEvent =
  | Reported
  /** The history tells when and how a move was made that a listing found. */
  | {
      readonly type: 'move-read';
      readonly to: BoltPosition;
      readonly by: Accessor;
      readonly at: Instant;
    }
  /** A command was sent, or may have been: readings of the old position are echoes now. `next`: the target from now on, of a later request. */
  | {
      readonly type: 'command-sent';
      readonly target: BoltPosition;
      readonly at: Instant;
      readonly next?: BoltPosition | null;
    }
  /** The command's end is known: received `at`, last pending `provenSince`. `next`: the target from now on; null: it follows the truth. */
  | {
      readonly type: 'command-completed';
      readonly target: BoltPosition;
      readonly provenSince: Instant;
      readonly at: Instant;
      readonly next: BoltPosition | null;
    }
  /** The command failed, was given up, or its end cannot be known. `jammed`: the lock itself said that its bolt is. */
  | {
      readonly type: 'command-ended';
      readonly at: Instant;
      readonly jammed: boolean;
      readonly next: BoltPosition | null;
    }
  /** The history names another for a move that counts as made by a command of ours. */
  | { readonly type: 'author-read'; readonly to: BoltPosition; readonly by: Accessor; readonly at: Instant }
  /** Evidence has shown the bolt where a command of ours wanted it. */
  | { readonly type: 'command-moved'; readonly target: BoltPosition }
  /**
   * A command may have moved the bolt, or not: an unlock takes away every "locked" from before it left. `since` is when it
   * left; from `until` on, a reading of the old position counts again; null while that is not known.
   */
  | {
      readonly type: 'command-doubted';
      readonly target: BoltPosition;
      readonly since: Instant;
      readonly until: Instant | null;
    }
  /** An earlier process sent this unlock and never learnt its outcome: it may still open the bolt until then. */
  | { readonly type: 'unlock-recalled'; readonly at: Instant; readonly until: Instant }
  /** A position was requested (before anything is sent). */
  | { readonly type: 'requested'; readonly target: BoltPosition }
  /** The request ended without a command: refused, superseded or too old. */
  | { readonly type: 'request-dropped' }
  /** The service sent an event of "locked" that has no known order among the others: the next listing settles it (faults#83). */
  | { readonly type: 'order-unknown' }
  /** Time has passed: anything last confirmed before `staleBefore` is no longer fresh. */
  | { readonly type: 'aged'; readonly staleBefore: Instant }
  /** The machine slept for this long until now: a request that left the process before may be under way only since. */
  | { readonly type: 'slept'; readonly ms: number; readonly at: Instant }
  /**
   * The service's clock, or our estimate of it, was set back: dates ahead of `latest`, the latest that it can be now, are too
   * late by so much. They would outrank the truth until then (faults#106).
   */
  | { readonly type: 'clock-set-back'; readonly byMs: number; readonly latest: Instant }
  /** The lock has been unlocked since then, for longer than the options allow; null: no longer. */
  | { readonly type: 'left-unlocked'; readonly since: Instant | null }
  /** A listing of which a part is missing, asked at that instant, left the lock out: it confirms nothing (faults#183). */
  | { readonly type: 'left-out'; readonly at: Instant }
  /** History was erased here: no erased move names anybody any more. */
  | { readonly type: 'history-erased'; readonly isErased: (move: Pick<LastMove, 'at' | 'by'>) => boolean }
  /** A complete listing, asked at that instant, did not contain the lock. A later one that does brings it back. */
  | { readonly type: 'missed'; readonly at: Instant };

export type LockEventOf<Type extends LockEvent['type']> = Extract<LockEvent, { readonly type: Type }>;
