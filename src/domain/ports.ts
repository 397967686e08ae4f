// Interfaces that the core needs from its adapters.
//
// Every port rejects with an error of support/errors.ts whose disposition defines how the caller reacts.
import type { LinkState, RuntimeLinkState } from './account/account.ts';
import type { CommandDraft, CommandId, CommandOutcome, CommandReading } from './commands/command.ts';
import type { HistoryEntry, HistoryLine, HistoryQuestion } from './history/history.ts';
import type { HistoryCursor, HistoryErased, HistoryFilter, HistoryPage } from './history/page.ts';
import type { KnownLock } from './locks/absence-policy.ts';
import type { BoltPosition, BoltState } from './locks/bolt.ts';
import type { Battery, DeviceFacts, LockDescription, LockId } from './locks/lock.ts';
import type { Instant } from './time/instant.ts';
import type { TimeBounds } from './time/time.ts';

export interface LockReading {
  readonly id: LockId;
  readonly description: LockDescription;
  readonly bolt: BoltState;
  /** Whether the service can reach the lock; null when it did not report that. */
  readonly connected: boolean | null;
  /** When the lock last contacted the service, if known: an offline lock's position dates from then. */
  readonly lastConnectedAt: Instant | null;
  /** When the service's record of the lock last changed; null when it did not report that. */
  readonly updatedAt: Instant | null;
  readonly battery: Battery;
  /** Undefined where the reading does not come from the device list. */
  readonly device?: DeviceFacts;
  /** Strength of the lock's Wi-Fi signal; null when the service did not report it. */
  readonly wifiDbm: number | null;
}

/** All locks of the account at one moment. */
export interface Listing {
  readonly locks: readonly LockReading[];
  /** When the question was sent: no claim of the listing is older. */
  readonly askedAt: Instant;
  /**
   * How many members could not be understood, or are listed twice: as many locks may be among them. Infinite where a page may
   * follow. 0: the listing is complete.
   */
  readonly unread: number;
}

/** The service's answer about a command, and when the question was sent. */
export interface TimedCommandReading {
  readonly reading: CommandReading;
  readonly askedAt: Instant;
}

/** A last check before a command is sent. */
export interface SendGuard {
  /** Resolves once the command is written down. A token and a connection are fetched meanwhile; when it rejects, nothing is sent. */
  readonly written: Promise<unknown>;
  /** The command is not sent later than this, in milliseconds from the call. */
  readonly withinMs: number;
  /**
   * Asked before each step and at the last moment before anything leaves: false, and nothing is sent. Asked once more
   * after it has left only when the service did not process it, as after a 401.
   */
  readonly stillWanted: () => boolean;
  /** The first byte of the command is sent now. */
  readonly left: () => void;
}

/** The device interface, for locks. Every call has a deadline; closing the implementation ends pending calls as if it had passed. */
export interface LockGateway {
  /** One call for all locks. Rejects with retry, wait, relink or final. */
  list(): Promise<Listing>;
  /**
   * Sends a command once, when `leave` permits it. Rejects with `uncertain` when the service may have received it, with
   * `retry` only when it certainly has not (`aborted` when it was no longer wanted), with `wait` (`lock-busy`) when
   * another command is running, with `final` when it was refused, and as `leave.written` when that was rejected.
   */
  command(lockId: LockId, target: BoltPosition, leave: SendGuard): Promise<TimedCommandReading>;
  /** Reads a command back. Rejects with retry, wait, relink or final (`not-found` after it was forgotten). */
  outcome(lockId: LockId, commandId: CommandId): Promise<TimedCommandReading>;
}

/** The service's own history of a lock. */
export interface LockHistory {
  /** Rejects with retry, wait, relink or final. */
  history(lockId: LockId, question: HistoryQuestion): Promise<HistoryList>;
}

export interface HistorySpan {
  readonly from: Instant;
  readonly to: Instant;
}

/** The service's answer to one question. */
export interface HistoryList {
  /** The newest first. */
  readonly entries: readonly HistoryEntry[];
  /** How many entries were asked for: the service may give fewer at once than the question wants. With this many, older ones may exist. */
  readonly limit: number;
  /** Stretches within the list in which an entry could not be read; absent: none. */
  readonly holes?: readonly HistorySpan[];
}

/** A history entry that a webhook reported. */
export interface ReportedEntry {
  readonly lockId: LockId;
  readonly entry: HistoryEntry;
  /** The report came so late that others of that time may be missing. */
  readonly late: boolean;
}

/** The service's list of one lock's history. */
export interface ListedHistory extends HistoryList {
  readonly lockId: LockId;
  /** `LockReading.updatedAt` from before the list was requested; null leaves the cursor as it is. */
  readonly updatedAt: Instant | null;
}

/**
 * History of the locks, kept for longer than the service keeps it. Missing stretches are kept as gaps. Every call throws
 * retry (`storage-failed`) when the disk fails. `now`: the service's time; entries dated years away from it are left out.
 */
export interface HistoryArchive {
  /** The `updatedAt` up to which a lock's history was listed, null when that is not known; undefined when it never was. */
  mark(lockId: LockId): Instant | null | undefined;
  /** In one step: marks these locks as listed up to there, without an entry. An existing cursor stays. */
  begin(locks: readonly Pick<ListedHistory, 'lockId' | 'updatedAt'>[]): void;
  /** In one step. Known entries stay; when the list does not reach back to them, a gap is stored in between. */
  saveListed(listed: ListedHistory, now: Instant): void;
  /** In one step. An entry that the service also listed is kept once, in any order of arrival. */
  saveReported(entries: readonly ReportedEntry[], now: Instant): void;
  /** Removes what is older than the history is kept, of every lock. */
  prune(now: Instant): void;
  /** The newest lines of a lock, the newest first; gaps count, too. */
  newest(lockId: LockId, limit: number): readonly HistoryLine[];
}

/** What a person wants gone from the archive. Throws as the archive does. */
export interface HistoryEraser {
  /** How many entries an erasure would remove. */
  count(what: HistoryErased): number;
  /** Erases entries up to now for good: the service's later lists do not bring them back. Returns how many. */
  erase(what: HistoryErased, now: Instant): number;
  /** Forgets a part of the received events of an erasure, in a moment. True: there are more, so call again. */
  forgetSome(): boolean;
  /** Whether an entry, also one that the service still lists, was erased here. */
  isErased(lockId: LockId, entry: Pick<HistoryEntry, 'at' | 'by'>): boolean;
}

export interface HistoryMover {
  /** The history of a lock becomes that of the one that took its place. Returns how many entries were moved. */
  moveLock(old: LockId, by: LockId): number;
}

/** The archive read in pages, by index: no call reads more of it than the answer needs. Throws as the archive does. */
export interface HistoryPages {
  page(filter: HistoryFilter, below: HistoryCursor | null, limit: number): HistoryPage;
  /** Names of people and codes in entries since then, in alphabetical order. */
  people(since: Instant): readonly string[];
}

/** The service's time as measured from its answers; only that clock orders reports. */
export interface ServiceClock {
  /** The earliest that it can be now on the service's clock. Never goes back by a jump of the machine's clock. */
  now(): Instant;
}

/** The estimate of the service's clock. */
export interface ServiceTimeline extends ServiceClock {
  bounds(): TimeBounds;
  /** An event with this date was received: every later request is true for a later instant. */
  received(at: Instant): void;
}

/** Tokens of one link. Opaque texts; never logged. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Wall time at which the access token was received, and its lifetime from then on. */
  readonly receivedAt: Instant;
  readonly expiresInMs: number;
  /** When the service issued the tokens, on its own clock; null where that is not known. */
  readonly issuedAt: Instant | null;
}

/** The vault's copy of the link. `generation` grows by one with every change, by any process. */
export interface StoredLink {
  readonly state: LinkState;
  readonly tokens: TokenPair | null;
  readonly generation: number;
  /** A process has ended while it renewed these tokens: the service may have taken the refresh token (faults#111). */
  readonly interrupted: boolean;
}

/** The account's link as the account runtime sees it. */
export interface AccountLink {
  /** The service has just shown that it works: a pause after failures may end. */
  signOfLife(): void;
  state(): RuntimeLinkState;
  /** Calls `listener` after every change until the returned function is called. */
  subscribe(listener: (state: RuntimeLinkState) => void): () => void;
  /**
   * The service reported that this user signed out everywhere at that instant, on its clock: an older link of theirs has
   * ended. False where subject or time is unknown or differs: then a reading settles it.
   */
  signedOut(userId: string | null, at: Instant): boolean;
}

/** Where tokens survive. Every write is on the disk when it returns; a failure throws a retry error. */
export interface TokenVault {
  read(): StoredLink;
  /** Notes that this refresh token is about to be spent, which proves that a write can succeed. Throws when it cannot. */
  beginRenewal(refreshToken: string): void;
  /** The refresh token is known not to be spent. Storing its successor ends a renewal as well. Throws when it cannot be written. */
  endRenewal(): void;
  /**
   * Stores the state and the tokens (null: none) in one step and returns the new generation. With `over`, only while the
   * link still has that generation: null when another process has stored one since, and nothing changed.
   */
  write(state: LinkState, tokens: TokenPair | null, over?: number): number | null;
}

export interface AuthorizationServer {
  /** The address to which a person's browser goes. `challenge` is the PKCE S256 challenge, or null. */
  authorizeUrl(parameters: { readonly state: string; readonly challenge: string | null }): string;
  /** Exchanges a code, once. */
  exchange(code: string, verifier: string | null): Promise<TokenPair>;
  /** Spends a refresh token. */
  refresh(refreshToken: string): Promise<TokenPair>;
}

export type JournalId = number;

/** A command that was written down and has no end yet. */
export interface OpenCommand extends CommandDraft {
  readonly journalId: JournalId;
  readonly commandId: CommandId | null;
}

/** A note on a recorded command: its id at the service, or its end. The first end counts. */
export type JournalNote =
  | { readonly journalId: JournalId; readonly commandId: CommandId }
  | { readonly journalId: JournalId; readonly outcome: CommandOutcome['kind'] };

/** Commands, written before they are sent. Each call is one commit, all of it or none. Throws retry (`storage-failed`). */
export interface CommandJournal {
  /** A row for each, in their order. */
  begin(drafts: readonly CommandDraft[]): readonly JournalId[];
  note(notes: readonly JournalNote[]): void;
  /** Commands without an end: after a crash, some of them may have been carried out. */
  open(): readonly OpenCommand[];
  /** Commands issued since then that ended without their outcome being known. */
  uncertainSince(issuedAt: Instant): readonly CommandDraft[];
}

/** Which locks are known, across restarts: the memory behind "removed only after a day of absence". */
export interface KnownLockStore {
  all(): readonly KnownLock[];
  /** Null when it is not known. */
  find(id: LockId): KnownLock | null;
  /** All of them in one commit, or none. */
  save(locks: readonly KnownLock[]): void;
  forget(id: LockId): void;
  /** How many members could not be read in the last list that had every lock. */
  unreadBeside(): number;
  noteUnreadBeside(count: number): void;
}
