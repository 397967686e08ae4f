// Reads the history of locks unasked: for the archive, and to find missed webhooks.

import {
  type Announcement,
  announcementOf,
  isRepeatedPosition,
  judgeAudit,
  showsMissedMove,
} from '../../domain/history/audit-policy.ts';
import { type HistoryEntry, MOST_HISTORY_ENTRIES } from '../../domain/history/history.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { type BackOff, backOffMs } from '../../domain/polling/backoff-policy.ts';
import type { HistoryArchive, Listing, ServiceClock } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { REPORTED_WITHIN_MS } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { messageOf, WaitError } from '../../support/errors.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { EventOf } from '../locks/event-bus.ts';
import { type HistoryReader, mayGoWellLater } from './history-reader.ts';

/** The pause between two calls, and before the first, in milliseconds (our choice): 149 locks take a quarter of an hour. */
const BETWEEN_CALLS_MS = 6_000;

/** The pauses after readings that failed (our choice). */
const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/** How many events of a lock are remembered: more than the entries of a history that they can explain. */
const MOST_ANNOUNCED = 2 * MOST_HISTORY_ENTRIES;

/** The state of one lock; see `AuditFacts` and `Audited`. */
interface Case {
  updatedAt: Instant | null;
  hasNewEntries: boolean;
  afterGap: boolean;
  isRepeated: boolean;
  noticedAt: number | null;
  readAt: number | null;
  vain: number;
  /** Webhooks of this lock may have been missed until then; null once a listing has covered that time. */
  gapUntil: Instant | null;
  since: Instant;
  announced: Announcement[];
}

const NOTHING_NOTICED = { hasNewEntries: false, afterGap: false, isRepeated: false, noticedAt: null };

export class HistoryAudit {
  readonly #parts;
  readonly #cases = new Map<LockId, Case>();
  /** The timer of the next call, and the call under way. */
  #timer: CancelTimer | null = null;
  #failures = 0;
  #disposed = false;

  constructor(
    parts: Pick<CommonParts, 'bus' | 'clock' | 'log'> & {
      readonly reader: Pick<HistoryReader, 'read'>;
      readonly archive: Pick<HistoryArchive, 'mark' | 'begin'>;
      /** While a command is under way, the history waits. */
      readonly commands: { readonly busy: boolean };
      readonly webhooks: { readonly health: string };
      readonly serviceClock: ServiceClock;
    },
  ) {
    this.#parts = parts;
    const { bus, serviceClock } = parts;
    bus.on('listed', ({ listing }) => this.#listed(listing));
    bus.on('gap', () => {
      for (const known of this.#cases.values()) {
        this.#noteGap(known, serviceClock.now());
      }
    });
    // An unverified event may have announced any move up to now.
    bus.on('unverified-received', () => {
      for (const known of this.#cases.values()) {
        explain(known, serviceClock.now());
      }
    });
    bus.on('event-received', ({ event }) => this.#received(event));
    bus.on('lock-changed', (change) => this.#changed(change));
    bus.on('lock-removed', ({ id }) => this.#cases.delete(id));
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
  }

  #received(event: EventOf<'event-received'>['event']): void {
    const known = this.#cases.get(event.lockId);
    if (known !== undefined) {
      known.announced.push(announcementOf(event, event.at));
      known.announced.splice(0, known.announced.length - MOST_ANNOUNCED);
    }
    // A move without a known accessor means that the service could not reach the lock.
    if (event.type === 'bolt' && event.accessor?.method === 'unavailable') {
      this.#noteGap(known, event.at);
    }
  }

  #changed({ lock, previous }: EventOf<'lock-changed'>): void {
    const known = this.#cases.get(lock.id);
    if (previous.presence !== 'reachable' && lock.presence === 'reachable') {
      this.#noteGap(known, lock.presenceAt);
    }
    if (known !== undefined && lock.inFlight !== null) {
      explain(known, lock.inFlight.until ?? this.#parts.serviceClock.now());
    }
    if (known !== undefined && isRepeatedPosition(previous, lock)) {
      known.isRepeated = true;
      known.noticedAt ??= this.#parts.clock.monotonic();
    }
  }

  /** A recent event may be dated ahead of our estimate of the service's time; a listing requested now covers it. */
  #noteGap(known: Case | undefined, until: Instant): void {
    if (known !== undefined) {
      known.gapUntil = Math.min(until, this.#parts.serviceClock.now());
      explain(known, known.gapUntil);
    }
  }

  #listed({ locks, askedAt }: Listing): void {
    this.#begin(locks, askedAt);
    for (const { id, updatedAt } of locks) {
      const known = this.#cases.get(id);
      if (known !== undefined) {
        known.updatedAt = updatedAt;
        known.hasNewEntries = this.#hasNewEntries(id, updatedAt);
        if (known.gapUntil !== null && known.gapUntil <= askedAt) {
          known.gapUntil = null;
          known.afterGap ||= known.hasNewEntries;
        }
      }
    }
    this.#schedule();
  }

  /** No move can have been missed before the lock was known: its history begins with this listing. */
  #begin(locks: Listing['locks'], askedAt: Instant): void {
    const unknown = locks.filter(({ id }) => !this.#cases.has(id));
    if (unknown.length === 0) {
      return;
    }
    const begin = (): void =>
      this.#parts.archive.begin(unknown.map(({ id, updatedAt }) => ({ lockId: id, updatedAt })));
    if (tryDisk(this.#parts.log, 'The start of a history could not be stored', begin, 'debug') === null) {
      return;
    }
    for (const { id, updatedAt } of unknown) {
      const since = askedAt + REPORTED_WITHIN_MS;
      const unread = { readAt: null, vain: 0, gapUntil: 0, announced: [] };
      this.#cases.set(id, { ...NOTHING_NOTICED, ...unread, updatedAt, since });
    }
  }

  #schedule(pauseMs = 0): void {
    const isDue = [...this.#cases.values()].map((known) => this.#isDue(known)).includes(true);
    if ((isDue || pauseMs > 0) && this.#timer === null && !this.#disposed) {
      const waitMs = Math.max(pauseMs, BETWEEN_CALLS_MS);
      this.#timer = this.#parts.clock.after(waitMs, () => void this.#readNext());
    }
  }

  #isDue(known: Case): boolean {
    const { clock, webhooks } = this.#parts;
    const { updatedAt, announced } = known;
    const now = clock.monotonic();
    const noticedAt = known.noticedAt ?? now;
    const isReported =
      updatedAt === null || announced.some(({ at }) => Math.abs(at - updatedAt) <= REPORTED_WITHIN_MS);
    const relied = webhooks.health === 'healthy';
    const verdict = judgeAudit({ ...known, now, noticedAt, isReported, relied });
    known.noticedAt = verdict === 'no' ? null : noticedAt;
    return verdict === 'now';
  }

  async #readNext(): Promise<void> {
    const next = [...this.#cases].find(([, known]) => this.#isDue(known));
    const pauseMs = next === undefined || this.#parts.commands.busy ? 0 : await this.#read(...next);
    this.#timer = null;
    this.#schedule(pauseMs);
  }

  /** Resolves with the pause that a failure demands, in milliseconds; 0: none. */
  async #read(id: LockId, known: Case): Promise<number> {
    const { reader, clock, log } = this.#parts;
    try {
      this.#judge(id, known, await reader.read(id, known.updatedAt));
      this.#failures = 0;
    } catch (error) {
      log.debug(`The history of a lock could not be read: ${messageOf(error)}`);
      if (mayGoWellLater(error)) {
        this.#failures += 1;
        return (error instanceof WaitError ? error.waitMs : null) ?? backOffMs(this.#failures, BACK_OFF);
      }
      known.vain += 1;
    }
    Object.assign(known, { ...NOTHING_NOTICED, readAt: clock.monotonic() });
    return 0;
  }

  #judge(id: LockId, known: Case, entries: readonly HistoryEntry[]): void {
    const { bus, serviceClock, webhooks } = this.#parts;
    const until = serviceClock.now() - REPORTED_WITHIN_MS;
    const isMissed = showsMissedMove(entries, { ...known, until });
    known.vain = isMissed ? 0 : known.vain + 1;
    known.since = Math.max(known.since, until);
    known.announced = known.announced.filter(({ at }) => at > until - REPORTED_WITHIN_MS);
    if (isMissed && webhooks.health === 'healthy') {
      bus.emit({ type: 'move-missed', id });
    }
  }

  #hasNewEntries(id: LockId, updatedAt: Instant | null): boolean {
    const { archive, log } = this.#parts;
    // The disk is asked first: while it cannot answer, no entry counts as new.
    const isNew = (): boolean => archive.mark(id) !== updatedAt || updatedAt === null;
    return tryDisk(log, 'It is not known how far a history was read', isNew, 'debug') ?? false;
  }
}

/** Moves up to this instant need no event: something else explains them. */
function explain(known: Case, until: Instant): void {
  known.since = Math.max(known.since, until + REPORTED_WITHIN_MS);
}
