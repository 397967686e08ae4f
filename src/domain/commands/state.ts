// The state of the command machine of one lock, its inputs and its effects.

import type { BoltPosition, BoltState } from '../locks/bolt.ts';
import type { LockEvent } from '../locks/event.ts';
import type { Instant } from '../time/instant.ts';
import type { CommandId, CommandOutcome, CommandPhase, CommandReading } from './command.ts';
import type { RequestFacts, RequestRefusal } from './intent-policy.ts';
import type { RefusalReason } from './refusal.ts';

/** After this long without an end the lock is read and the target follows the truth (our choice: Home gives up long before). */
export const OVERDUE_AFTER_MS = 35_000;

/** The service ends every command after 60 s (wire contract 3) and answers "busy" until then; 5 s are for its delays. */
export const ABANDONED_AFTER_MS = 65_000;

/** An unlock without an answer for this long may have opened the bolt: "locked" is no longer shown (our choice). */
export const SILENT_AFTER_MS = 2_900;

/** The same limit for an accepted command: its read-backs are up to 5 s apart. */
export const UNREAD_AFTER_MS = 6_000;

/** The same limit while a read-back has no good answer: then listings are read instead, which may lag behind (our choice). */
export const UNANSWERED_AFTER_MS = 2_400;

/** The pause before a request is tried again: it doubles up to the longest, in milliseconds (our choice). */
export const FIRST_RETRY_PAUSE_MS = 500;
export const LONGEST_RETRY_PAUSE_MS = 4_000;

/** Names a request until it is answered. */
export type RequestId = number;

/** Names a command until it has ended: the service's id is known only once it has answered. */
export type CommandKey = number;

/** The last request, while it waits for its turn. */
export interface WaitingRequest {
  readonly target: BoltPosition;
  /** The requests that have no answer yet: the same position may be requested more than once. */
  readonly unanswered: readonly RequestId[];
  /** From this instant on the request is not sent any more. */
  readonly expiresAt: number;
  /** The request is not sent before this: the lock was busy, the service asked for a pause, or it could not be reached. */
  readonly notBefore: number;
  readonly retryPauseMs: number;
  /** Why the request was not sent at its last try; null before that, and after a busy lock. */
  readonly cause: unknown;
}

/** The only command of a lock that has not ended. */
export interface ActiveCommand {
  readonly key: CommandKey;
  readonly phase: CommandPhase;
  readonly target: BoltPosition;
  readonly unanswered: readonly RequestId[];
  readonly expiresAt: number;
  readonly retryPauseMs: number;
  /** False once a later request wants the other position. */
  readonly wanted: boolean;
  /** When the command was sent, on both clocks; before that, when its preparation began. */
  readonly sentAt: number;
  readonly issuedAt: Instant;
  /** The believed position of the bolt when the command was sent. */
  readonly before: BoltState;
  readonly commandId: CommandId | null;
  /** The last instant at which the command certainly had not ended yet, on both clocks. */
  readonly pendingAt: number;
  readonly pendingSince: Instant;
  /** The last read-back failed, or its answer is overdue. */
  readonly unansweredRead: boolean;
  /** The belief from before the command was sent is no longer shown. */
  readonly doubted: boolean;
  /** An earlier process sent it, so it may have ended long before it is read back. */
  readonly resumed: boolean;
  /** Ends that the service reported before it named this command: events overtake answers. */
  readonly earlyEnds: readonly ReportedEnd[];
}

/** Nothing of the command has left or come back yet. */
export const UNSENT = {
  phase: 'preparing',
  wanted: true,
  before: 'unknown',
  commandId: null,
  unansweredRead: false,
  doubted: false,
  resumed: false,
  earlyEnds: [],
} as const satisfies Partial<ActiveCommand>;

export interface ReportedEnd {
  readonly reading: CommandReading;
  readonly at: Instant;
}

/**
 * A command whose bolt has arrived while the service still has it pending: another one would be refused as busy (36), and
 * where that refusal is lost, it would look like a command of unknown outcome.
 */
export interface TrailingCommand {
  readonly commandId: CommandId;
  readonly target: BoltPosition;
  readonly sentAt: number;
  readonly issuedAt: Instant;
  /** Until then the service's last report of the command as pending counts. */
  readonly until: number;
}

export interface CommandState {
  readonly nextKey: CommandKey;
  /** When the last command was sent, or a lock command ended: an older belief cannot make a request count as fulfilled. */
  readonly evidenceCountsAfter: Instant;
  readonly waiting: WaitingRequest | null;
  readonly active: ActiveCommand | null;
  /** Only while `active` is null. */
  readonly trailing: TrailingCommand | null;
  /** How far the service's clock had been set back when the instants of this state were dated. */
  readonly setBackMs: number;
}

/** A command of the lock is under way. */
export interface BusyState extends CommandState {
  readonly active: ActiveCommand;
}

export function isBusy(state: CommandState): state is BusyState {
  return state.active !== null;
}

export const IDLE: CommandState = {
  nextKey: 1,
  evidenceCountsAfter: 0,
  waiting: null,
  active: null,
  trailing: null,
  setBackMs: 0,
};

export interface CommandContext {
  /** Milliseconds of a clock that never goes back and counts the machine's sleep. */
  readonly now: number;
  readonly serviceNow: Instant;
  /** By how much the estimate of the service's time was ever set back, in total, in milliseconds. */
  readonly setBackMs: number;
  /** The lock as it is known; null when it has left the account. */
  readonly lock: (LockFacts & { readonly claimedAt: Instant }) | null;
}

/** The facts of a lock that decide on a request; `claimedAt` of the context is the instant for which `bolt` is true. */
export type LockFacts = Omit<RequestFacts, 'target' | 'unheardMs' | 'active'>;

export type CommandInput =
  /** `withinMs`: the caller gives up then. `unheardMs`: how long it may have waited before it was read. */
  | {
      readonly type: 'requested';
      readonly request: RequestId;
      readonly target: BoltPosition;
      readonly withinMs: number;
      readonly unheardMs: number;
    }
  /** The command is about to be sent, or has to be sent once more after a 401: nothing of it was processed so far. */
  | { readonly type: 'leaving'; readonly key: CommandKey }
  | { readonly type: 'left'; readonly key: CommandKey }
  | {
      readonly type: 'replied';
      readonly key: CommandKey;
      readonly reading: CommandReading;
      readonly askedAt: Instant;
    }
  | { readonly type: 'reply-lost'; readonly key: CommandKey }
  /** It certainly was not processed. `mayRetry`: the same may succeed later. `waitMs`: the pause that the service asked for. */
  | {
      readonly type: 'not-processed';
      readonly key: CommandKey;
      readonly mayRetry: boolean;
      readonly waitMs: number | null;
      readonly cause: unknown;
    }
  | {
      readonly type: 'refused';
      readonly key: CommandKey;
      readonly reason: RefusalReason;
      readonly cause: unknown;
    }
  /** A read-back that was asked at that instant. */
  | { readonly type: 'read-back'; readonly reading: CommandReading; readonly askedAt: Instant }
  /** A read-back failed for now, or has had no answer for too long. */
  | { readonly type: 'read-back-missed'; readonly commandId: CommandId }
  /** The service no longer knows the command, or refuses the question. */
  | { readonly type: 'read-back-lost'; readonly commandId: CommandId }
  | ({ readonly type: 'end-reported' } & ReportedEnd)
  /** A command of an earlier process: it is only followed. */
  | {
      readonly type: 'resumed';
      readonly target: BoltPosition;
      readonly commandId: CommandId | null;
      readonly issuedAt: Instant;
      readonly ageMs: number;
    }
  /** Time has passed, or the lock has changed. */
  | { readonly type: 'checked' }
  | { readonly type: 'closed' };

/** `too-late`: it waited for as long as it may. `closed`: this process gives the lock up. `failed`: `cause` was thrown. Nothing was sent. */
export type CommandAnswer =
  | { readonly kind: 'accepted' | 'uncertain' | 'already' | 'joined' | 'superseded' }
  | { readonly kind: 'too-late' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'refused'; readonly reason: RequestRefusal }
  | { readonly kind: 'failed'; readonly cause: unknown };

export type CommandEffect =
  | {
      readonly type: 'send';
      readonly key: CommandKey;
      readonly target: BoltPosition;
      readonly issuedAt: Instant;
      readonly withinMs: number;
    }
  | {
      readonly type: 'answer';
      readonly requests: readonly RequestId[];
      readonly target: BoltPosition;
      readonly answer: CommandAnswer;
    }
  /** Read the command back from now on, the first time after `firstMs`; its end or `stop-reading` ends that. */
  | {
      readonly type: 'start-reading';
      readonly commandId: CommandId;
      readonly sentAgoMs: number;
      readonly firstMs: number;
    }
  | { readonly type: 'stop-reading' }
  | { readonly type: 'note-id'; readonly key: CommandKey; readonly commandId: CommandId }
  | { readonly type: 'note-end'; readonly key: CommandKey; readonly outcome: CommandOutcome['kind'] }
  | { readonly type: 'ended'; readonly target: BoltPosition; readonly outcome: CommandOutcome }
  /** The lock should be read soon. */
  | { readonly type: 'poll-soon' }
  | { readonly type: 'lock'; readonly event: LockEvent };

/** One step of the machine: its context, and the effects that it collects. */
export interface Step extends CommandContext {
  readonly out: CommandEffect[];
}
