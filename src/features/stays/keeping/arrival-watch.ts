// Notices the first use of a stay's code: by an event, or in the history where events were missed.
import { letsIn } from '../../../domain/history/page.ts';
import type { Accessor } from '../../../domain/locks/access.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { HistoryArchive } from '../../../domain/ports.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { GuestView } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import type { EventBus } from '../../../engine/locks/event-bus.ts';
import { isUnderWay, type Stay } from '../policy/stay.ts';
import type { StayBook } from './stay-book.ts';
import type { StayNews } from './stay-news.ts';
import { isReserve, type StayReserves } from './stay-reserves.ts';

export interface ArrivalWatchParts extends Pick<CommonParts, 'serviceClock'> {
  readonly bus: Pick<EventBus, 'on'>;
  readonly archive: Pick<HistoryArchive, 'newest'>;
  readonly book: StayBook;
  readonly news: StayNews;
  readonly reserves: Pick<StayReserves, 'stayOf'>;
  readonly guests: { list(): readonly GuestView[] };
}

/** The number of history lines that are searched: the latest of a busy day (our choice). */
const MOST_LINES = 100;

export class ArrivalWatch {
  readonly #parts: ArrivalWatchParts;

  constructor(parts: ArrivalWatchParts) {
    this.#parts = parts;
    parts.bus.on('event-received', ({ event }) => {
      if (event.type === 'bolt' && event.bolt === 'unsecured' && event.accessor !== null) {
        this.#used(event.lockId, event.accessor, event.at);
      }
    });
    // Catches moves that polling found, once the history has told who made them.
    parts.bus.on('lock-changed', ({ lock: { id, lastMove } }) => {
      if (lastMove !== null && lastMove.to === 'unsecured') {
        this.#used(id, lastMove.by, lastMove.at);
      }
    });
  }

  /** Searches the stored history for expected guests. Throws as the archive does. */
  search(): void {
    const { archive, book, guests, serviceClock } = this.#parts;
    const now = serviceClock.now();
    const expected = book.stays().filter((stay) => stay.arrivedAt === null && isUnderWay(stay, now));
    if (expected.length === 0) {
      return;
    }
    const ids = new Set(expected.map(({ id }) => id));
    const views = guests.list().filter((guest) => ids.has(this.#stayOf(guest)?.id ?? ''));
    for (const lock of new Set(views.flatMap(({ onLocks }) => onLocks.map(({ lockId }) => lockId)))) {
      // The oldest line comes first, because the first use counts.
      for (const line of archive.newest(lock, MOST_LINES).toReversed()) {
        // An entry that the code was added or changed carries its name as well (faults#159).
        if (line.what !== 'gap' && letsIn(line)) {
          this.#used(lock, line.by, line.at);
        }
      }
    }
  }

  #used(lock: LockId, accessor: Accessor, at: Instant): void {
    const { book, guests, news } = this.#parts;
    if (accessor.method !== 'access-code') {
      return;
    }
    const stay = this.#stayOf(
      guests.list().find((guest) => guest.stay !== null && isCodeOf(guest, lock, accessor)),
    );
    // The same name or id may have belonged to an earlier code.
    if (stay !== undefined && stay.window.opensAt <= at && at < stay.window.closesAt) {
      news.used(book.get(stay.id) ?? stay, lock, at);
    }
  }

  #stayOf(guest: GuestView | undefined): Stay | undefined {
    if (guest === undefined || guest.stay === null) {
      return undefined;
    }
    const { book, reserves } = this.#parts;
    return isReserve(guest) ? reserves.stayOf(guest) : book.get(guest.stay.id);
  }
}

/** By its id; where the service gives none, by its name. */
export function isCodeOf({ nameOnLock, onLocks }: GuestView, lock: LockId, accessor: Accessor): boolean {
  const own = onLocks.find(({ lockId }) => lockId === lock);
  return (
    own !== undefined && (accessor.id === null ? accessor.name === nameOnLock : accessor.id === own.codeId)
  );
}
