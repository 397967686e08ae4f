// Reads the history of locks unasked: for the archive, and to know whether webhooks can be relied on.
import { type BackOff, backOffMs } from '../../domain/backoff-policy.ts';
import type { Instant } from '../../domain/bolt.ts';
import { MOST_HISTORY_ENTRIES } from '../../domain/history.ts';
import {
  announcementOf,
  isRepeatedPosition,
  judgeAudit,
  showsMissedMove,
} from '../../domain/history-audit-policy.ts';
import type { LockId } from '../../domain/lock.ts';
import type { HistoryArchive, Listing, ServiceClock } from '../../domain/ports.ts';
import { REPORTED_WITHIN_MS } from '../../domain/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { messageOf, WaitError } from '../../support/errors.ts';
import type { CommonParts } from '../common-parts.ts';
import type { EventOf } from '../event-bus.ts';
import { elapsedClock } from '../state/elapsed-clock.ts';
import { type Case, explain, NEW_CASE, NOTHING_NOTICED } from './audit-case.ts';
import { type HistoryReader, mayGoWellLater } from './history-reader.ts';

export interface HistoryAuditParts extends Pick<CommonParts, 'bus' | 'clock' | 'log'> {
  readonly reader: Pick<HistoryReader, 'read'>;
  readonly archive: Pick<HistoryArchive, 'mark' | 'begin'>;
  /** While a command is under way, the history waits. */
  readonly commands: { readonly busy: boolean };
  readonly webhooks: { readonly health: string };
  readonly serviceClock: ServiceClock;
}

/** Between two calls, and before the first, in milliseconds (our choice): 149 locks take a quarter of an hour. */
const BETWEEN_CALLS_MS = 6_000;

/** After readings that failed (our choice). */
const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/** More events of a lock than the entries of a history that they can explain. */
const MOST_ANNOUNCED = 2 * MOST_HISTORY_ENTRIES;

export class HistoryAudit {
  readonly #parts: HistoryAuditParts;
  readonly #cases = new Map<LockId, Case>();
  /** The same for all locks. */
  #gapUntil: Instant = 0;
  #since: Instant = Number.NEGATIVE_INFINITY;
  #timer: CancelTimer | null = null;
  /** Counts sleep, as the service counts a pause that it asked for. */
  readonly #elapsed: () => number;
  #notBefore = 0;
  #failures = 0;
  #reading = false;
  #disposed = false;

  constructor(parts: HistoryAuditParts) {
    this.#parts = parts;
    this.#elapsed = elapsedClock(parts.clock);
    const { bus, serviceClock } = parts;
    bus.on('listed', ({ listing }) => {
      this.#listed(listing);
    });
    bus.on('gap', () => {
      this.#gapUntil = serviceClock.now();
      this.#since = this.#gapUntil + REPORTED_WITHIN_MS;
    });
    // It may have announced any event until now.
    bus.on('unverified-received', () => {
      this.#since = serviceClock.now() + REPORTED_WITHIN_MS;
    });
    bus.on('event-received', ({ event }) => {
      this.#received(event);
    });
    bus.on('lock-changed', (change) => {
      this.#changed(change);
    });
    bus.on('lock-removed', ({ id }) => {
      this.#cases.delete(id);
    });
    bus.on('suspended', () => {
      this.#timer?.();
      this.#timer = null;
      this.#schedule();
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
  }

  #received(event: EventOf<'event-received'>['event']): void {
    const known = this.#cases.get(event.lockId);
    if (known !== undefined) {
      known.announced = [...known.announced, announcementOf(event, event.at)].slice(-MOST_ANNOUNCED);
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
        const mark = this.#mark(id);
        known.updatedAt = updatedAt;
        known.hasNewEntries = mark !== undefined && (updatedAt === null || mark !== updatedAt);
        const gapUntil = Math.max(known.gapUntil, this.#gapUntil);
        if (gapUntil > known.gapsClosedUntil && gapUntil <= askedAt) {
          known.gapsClosedUntil = gapUntil;
          known.afterGap ||= known.hasNewEntries;
        }
      }
    }
    this.#schedule();
  }

  /** Nothing can have been missed of a lock before it was known: its history begins with this listing. */
  #begin(locks: Listing['locks'], askedAt: Instant): void {
    const unknown = locks.filter(({ id }) => !this.#cases.has(id));
    if (unknown.length === 0) {
      return;
    }
    try {
      this.#parts.archive.begin(unknown.map(({ id, updatedAt }) => ({ lockId: id, updatedAt })));
    } catch (error) {
      this.#parts.log.debug(`The start of a history could not be stored: ${messageOf(error)}`);
      return;
    }
    for (const { id, updatedAt } of unknown) {
      this.#cases.set(id, { ...NEW_CASE, updatedAt, since: askedAt + REPORTED_WITHIN_MS, announced: [] });
    }
  }

  #schedule(): void {
    const isDue = [...this.#cases.values()].map((known) => this.#isDue(known)).includes(true);
    if (isDue && this.#timer === null && !this.#reading && !this.#disposed) {
      const { clock } = this.#parts;
      const waitMs = Math.max(this.#notBefore - this.#elapsed(), BETWEEN_CALLS_MS);
      this.#timer = clock.after(waitMs, () => {
        this.#timer = null;
        void this.#readNext();
      });
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
    if (next !== undefined && !this.#parts.commands.busy) {
      this.#reading = true;
      await this.#read(...next);
      this.#reading = false;
    }
    this.#schedule();
  }

  async #read(id: LockId, known: Case): Promise<void> {
    const { bus, reader, clock, serviceClock, webhooks, log } = this.#parts;
    try {
      const entries = await reader.read(id, known.updatedAt);
      const since = Math.max(known.since, this.#since);
      const until = serviceClock.now() - REPORTED_WITHIN_MS;
      const isMissed = showsMissedMove(entries, { since, until, announced: known.announced });
      this.#failures = 0;
      known.vain = isMissed ? 0 : known.vain + 1;
      known.since = Math.max(since, until);
      known.announced = known.announced.filter(({ at }) => at > until - REPORTED_WITHIN_MS);
      if (isMissed && webhooks.health === 'healthy') {
        bus.emit({ type: 'move-missed', id });
      }
    } catch (error) {
      log.debug(`The history of a lock could not be read: ${messageOf(error)}`);
      if (mayGoWellLater(error)) {
        this.#failures += 1;
        const askedMs = error instanceof WaitError ? error.waitMs : null;
        this.#notBefore = this.#elapsed() + (askedMs ?? backOffMs(this.#failures, BACK_OFF));
        return;
      }
      known.vain += 1;
    }
    Object.assign(known, { ...NOTHING_NOTICED, readAt: clock.monotonic() });
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
