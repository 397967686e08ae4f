// Finds out what nobody told: the history of each lock of which the service knows something new is read after a gap, where no
// event announced it, and, while there are no webhooks to rely on, before the service forgets.
//
// It is for the archive, and to know whether webhooks can be relied on. Home is shown the present, which a listing has told by
// then; nobody is alarmed by the past.
import type { Instant } from '../../domain/bolt.ts';
import type { HistoryEntry } from '../../domain/history.ts';
import type { LockId } from '../../domain/lock.ts';
import {
  isReadingDue,
  type MissedRelock,
  REPORTED_WITHIN_MS,
  unannouncedMoveAt,
} from '../../domain/missed-event-policy.ts';
import type { HistoryArchive, Listing } from '../../domain/ports.ts';
import type { Clock } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { HistoryQueue } from './history-queue.ts';
import { type HistoryReader, mayGoWellLater } from './history-reader.ts';
import { LatestByLock } from './latest-by-lock.ts';
import { MissedRelocks } from './missed-relocks.ts';

export interface CatchUpParts {
  readonly book: Pick<HistoryReader, 'read'>;
  readonly archive: Pick<HistoryArchive, 'mark' | 'begin'>;
  /** Whether a command is under way: history can wait, a person cannot. */
  readonly busy: () => boolean;
  /** Whether webhooks are proven, so that what they did not tell is a surprise. */
  readonly relied: () => boolean;
  /** A bolt moved at that instant, and nothing that we heard of explains it. */
  readonly unannounced: (id: LockId, at: Instant) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is known of a lock's past beside the archive. */
interface Past {
  /** The archive's mark; undefined when it could not be read. */
  mark: Instant | null | undefined;
  /** What the last listing said. */
  updatedAt: Instant | null;
  /** See `MissedEventFacts`. */
  changes: number;
  vain: number;
  /** The time of the newest entry that was read; null before the first reading. */
  newestAt: Instant | null;
  /** It waits in the queue only because nobody told of it. */
  untold: boolean;
}

export class HistoryCatchUp {
  readonly #parts: CatchUpParts;
  readonly #queue: HistoryQueue;
  /** Since when something may have been missed, for all locks and for single ones; the next listing from then on tells. */
  #missedSince: Instant | null = 0;
  readonly #lockMissedSince = new Map<LockId, Instant>();
  readonly #pasts = new Map<LockId, Past>();
  /** Up to when verified events told of a lock, and up to when anything else explains what they did not. */
  readonly #told = new LatestByLock();
  readonly #explained = new LatestByLock();
  readonly #returns: MissedRelocks;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
    this.#returns = new MissedRelocks(parts.clock);
    this.#queue = new HistoryQueue({
      ...parts,
      read: async (id, updatedAt) => this.#read(id, updatedAt),
    });
  }

  /** Something may have been missed until that instant, at one lock or at all. */
  missed(until: Instant, lockId?: LockId): void {
    this.#explained.note(until, lockId);
    if (lockId === undefined) {
      this.#missedSince = until;
    } else {
      this.#lockMissedSince.set(lockId, until);
    }
  }

  /** A verified event told of something that happened at that instant. */
  told(at: Instant, id: LockId): void {
    this.#told.note(at, id);
    this.#returns.told(at, id);
    const past = this.#pasts.get(id);
    // What is told of another time does not explain it.
    if (
      past?.untold === true &&
      !this.#returns.isOpen(id) &&
      Math.abs(at - (past.updatedAt ?? at)) <= REPORTED_WITHIN_MS
    ) {
      past.untold = false;
      this.#queue.drop(id);
    }
  }

  /** A command of ours, or word that proves nothing, explains whatever happened until that instant, at one lock or at all. */
  explained(until: Instant, id?: LockId): void {
    this.#explained.note(until, id);
  }

  /** An event told of a position that was believed before it: the history knows whether the bolt was elsewhere meanwhile. */
  returned(id: LockId, found: MissedRelock): void {
    const past = this.#pasts.get(id);
    if (past !== undefined && this.#parts.relied() && this.#returns.notice(id, found)) {
      this.#queue.add(id, past.updatedAt);
    }
  }

  /** A listing has come in: it tells which locks have news, and whether somebody told of them. */
  listed({ askedAt, locks }: Listing): void {
    const everywhere = this.#missedSince !== null && askedAt >= this.#missedSince;
    this.#begin(locks, askedAt);
    for (const { id, updatedAt } of locks) {
      const here = (this.#lockMissedSince.get(id) ?? Number.POSITIVE_INFINITY) <= askedAt;
      if (here) {
        this.#lockMissedSince.delete(id);
      }
      const past = this.#pasts.get(id);
      if (past !== undefined) {
        this.#lookAt(id, past, updatedAt, here || everywhere);
      }
    }
    if (everywhere) {
      this.#missedSince = null;
    }
  }

  /** The lock is gone. */
  forget(lockId: LockId): void {
    this.#queue.forget(lockId);
    this.#lockMissedSince.delete(lockId);
    this.#pasts.delete(lockId);
    this.#told.forget(lockId);
    this.#returns.forget(lockId);
    this.#explained.forget(lockId);
  }

  dispose(): void {
    this.#queue.dispose();
  }

  /** Nothing can have been missed of a lock before it was known: what it did then is read when somebody asks. */
  #begin(locks: Listing['locks'], askedAt: Instant): void {
    const unknown = locks.filter(({ id }) => !this.#pasts.has(id));
    if (unknown.length === 0) {
      return;
    }
    const { archive, log } = this.#parts;
    try {
      archive.begin(unknown.map(({ id, updatedAt }) => ({ lockId: id, updatedAt })));
    } catch (error) {
      log.debug(`It could not be noted from where a history begins: ${messageOf(error)}`);
      return;
    }
    for (const { id, updatedAt } of unknown) {
      this.#explained.note(askedAt, id);
      const mark = this.#mark(id);
      this.#pasts.set(id, { mark, updatedAt, changes: 0, vain: 0, newestAt: null, untold: false });
    }
  }

  /** Only where the service knows something new; where it does not say, it may after a gap. */
  #lookAt(id: LockId, past: Past, updatedAt: Instant | null, missed: boolean): void {
    past.changes += past.updatedAt === updatedAt ? 0 : 1;
    past.updatedAt = updatedAt;
    past.mark = past.mark === undefined ? this.#mark(id) : past.mark;
    const hasNews = past.mark !== undefined && (updatedAt === null || past.mark !== updatedAt);
    if (hasNews && (missed || this.#isMissed(id, past, updatedAt))) {
      past.untold = !missed;
      this.#queue.add(id, updatedAt);
    }
  }

  #isMissed(id: LockId, { changes, vain }: Past, updatedAt: Instant | null): boolean {
    const relied = this.#parts.relied();
    const isReported = updatedAt === null || updatedAt <= this.#told.of(id) + REPORTED_WITHIN_MS;
    if (updatedAt === null || (relied && isReported)) {
      return false;
    }
    const now = this.#parts.clock.monotonic();
    return isReadingDue({ now, readAt: this.#queue.readAt(id), changes, vain, relied });
  }

  async #read(id: LockId, updatedAt: Instant | null): Promise<void> {
    try {
      const entries = await this.#parts.book.read(id, updatedAt);
      const past = this.#pasts.get(id);
      if (past !== undefined) {
        past.mark = this.#mark(id);
        this.#judge(id, past, entries, updatedAt);
      }
    } catch (error) {
      const past = this.#pasts.get(id);
      if (past !== undefined && !mayGoWellLater(error)) {
        past.vain += 1;
      }
      throw error;
    }
  }

  #judge(id: LockId, past: Past, entries: readonly HistoryEntry[], updatedAt: Instant | null): void {
    const [reportedUntil, explainedUntil] = [this.#told.of(id), this.#explained.of(id)];
    const forReturn = this.#returns.isOpen(id);
    const leftAt = this.#returns.judge(id, entries, explainedUntil);
    const newestAt = Math.max(past.newestAt ?? 0, ...entries.map(({ at }) => at));
    const found =
      past.newestAt === null || newestAt > Math.max(past.newestAt, reportedUntil + REPORTED_WITHIN_MS);
    // What was read for another reason says nothing of how often listings have news in vain.
    past.vain = found ? 0 : past.vain + (forReturn ? 0 : 1);
    past.changes = 0;
    past.newestAt = newestAt;
    if (!this.#parts.relied()) {
      return;
    }
    const listedAt =
      updatedAt === null
        ? null
        : unannouncedMoveAt(entries, Math.max(reportedUntil, explainedUntil), updatedAt);
    const movedAt = leftAt ?? listedAt;
    if (movedAt !== null) {
      this.#parts.unannounced(id, movedAt);
    }
  }

  #mark(id: LockId): Instant | null | undefined {
    try {
      return this.#parts.archive.mark(id);
    } catch (error) {
      this.#parts.log.debug(`It is not known how far a history was read: ${messageOf(error)}`);
      return undefined;
    }
  }
}
