// Notices that a guest seems to have left, from the moves of the doors on the last day, and ends the code where the calendar says so.
import type { HistoryLine } from '../../../domain/history/history.ts';
import type { AccessMethod, Accessor } from '../../../domain/locks/access.ts';
import { boltOf, type LockId } from '../../../domain/locks/lock.ts';
import type { LastMove } from '../../../domain/locks/move.ts';
import type { HistoryArchive } from '../../../domain/ports.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { localDay } from '../../../domain/time/local-hours.ts';
import type { GuestView } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import type { EventBus } from '../../../engine/locks/event-bus.ts';
import {
  type DoorMove,
  isQuietFrom,
  type LeftDoor,
  leftDoor,
  type MovedBy,
} from '../policy/departure-policy.ts';
import { isUnderWay, type Stay } from '../policy/stay.ts';
import { type StayCalendar, sharedLocks } from '../policy/stay-calendar.ts';
import { hasEnded } from '../policy/stay-plan-policy.ts';
import type { CalendarSetup } from '../policy/stay-ports.ts';
import { isCodeOf } from './arrival-watch.ts';
import type { StayBook } from './stay-book.ts';
import type { StayNews } from './stay-news.ts';

export interface DepartureWatchParts extends Pick<CommonParts, 'store' | 'serviceClock'> {
  readonly bus: Pick<EventBus, 'on'>;
  readonly archive: Pick<HistoryArchive, 'newest'>;
  readonly book: StayBook;
  readonly news: StayNews;
  readonly guests: { list(): readonly GuestView[] };
  readonly setup: Pick<CalendarSetup, 'calendars'>;
  readonly zoneOf: (calendar: StayCalendar) => string;
  readonly onChange: () => void;
  /** A door of a guest who leaves today has moved. */
  readonly onMove: () => void;
}

/** The number of history lines that are searched: the latest of a busy day (our choice). */
const MOST_LINES = 100;

interface Leaving {
  readonly stay: Stay;
  readonly calendar: StayCalendar;
  /** The guests of the account that keep its codes. */
  readonly guests: readonly GuestView[];
}

export class DepartureWatch {
  readonly #parts: DepartureWatchParts;
  #left: ReadonlyMap<string, LeftDoor> = new Map();
  /** The doors of guests who leave today. */
  #watched: ReadonlySet<LockId> = new Set();

  constructor(parts: DepartureWatchParts) {
    this.#parts = parts;
    const moved = (lock: LockId): void => {
      if (this.#watched.has(lock)) {
        parts.onMove();
      }
    };
    parts.bus.on('event-received', ({ event }) => event.type === 'bolt' && moved(event.lockId));
    parts.bus.on('lock-changed', ({ lock, previous }) => {
      if (lock.lastMove !== previous.lastMove) {
        moved(lock.id);
      }
    });
  }

  /** When the guest seems to have left; null: nothing says so. */
  leftAt(stay: string): Instant | null {
    return this.#left.get(stay)?.at ?? null;
  }

  /** The next instant at which a code may end by itself; null: none. */
  nextAt(now: Instant): Instant | null {
    const coming = [...this.#left.values()].map(isQuietFrom).filter((at) => at > now);
    return coming.length === 0 ? null : Math.min(...coming);
  }

  /** Judges every guest who leaves today by what is known. Throws as the archive does. */
  judge(): void {
    const leaving = this.#leaving();
    this.#watched = new Set(leaving.flatMap(({ calendar }) => calendar.locks));
    const before = JSON.stringify([...this.#left]);
    this.#left = new Map(
      leaving.flatMap((one) => {
        const left = this.#leftDoor(one);
        return left === null ? [] : [[one.stay.id, left] as const];
      }),
    );
    for (const { stay, calendar } of leaving) {
      const left = this.#left.get(stay.id);
      if (left !== undefined && calendar.endWhenLeft && this.#isSure(left)) {
        this.#parts.news.left(stay);
      }
    }
    if (JSON.stringify([...this.#left]) !== before) {
      this.#parts.onChange();
    }
  }

  #leaving(): readonly Leaving[] {
    const { book, guests, setup, serviceClock, zoneOf } = this.#parts;
    const now = serviceClock.now();
    const calendars = new Map(setup.calendars().map((one) => [one.id, one]));
    const leaving = book.stays().flatMap((stay) => {
      const calendar = calendars.get(stay.calendarId);
      const isOpen = isUnderWay(stay, now) && !hasEnded(stay, now) && !stay.isSkipped;
      return calendar !== undefined && isOpen && isLastDay(stay, now, zoneOf(calendar))
        ? [{ stay, calendar }]
        : [];
    });
    // The views of all guests are made only on a day on which one leaves.
    const all = leaving.length === 0 ? [] : guests.list();
    return leaving.map(({ stay, calendar }) => ({
      stay,
      calendar,
      guests: all.filter((guest) => guest.stay?.id === stay.id || guest.id === stay.reserveId),
    }));
  }

  #leftDoor({ stay, calendar, guests }: Leaving): LeftDoor | null {
    const { setup, zoneOf } = this.#parts;
    const zone = zoneOf(calendar);
    const isOwnCode = (lock: LockId, by: Accessor): boolean =>
      by.method === 'access-code' && guests.some((guest) => isCodeOf(guest, lock, by));
    const moves = calendar.locks
      .flatMap((lock) => this.#movesOf(lock, (by) => isOwnCode(lock, by)))
      .filter(
        ({ at }) => isLastDay(stay, at, zone) && stay.window.opensAt <= at && at >= (stay.stillHereAt ?? at),
      );
    const shared = sharedLocks(calendar, setup.calendars());
    return leftDoor(moves, new Set(calendar.locks.filter((id) => !shared.has(id))));
  }

  /** What the archive has, and what was learned since it was written last. */
  #movesOf(lock: LockId, isOwnCode: (by: Accessor) => boolean): readonly DoorMove[] {
    const { archive, store } = this.#parts;
    const { recent, lastMove } = store.get(lock) ?? { recent: { moves: [] }, lastMove: null };
    const learned = [...recent.moves, ...(lastMove === null ? [] : [lastMove])];
    return [
      ...archive.newest(lock, MOST_LINES).flatMap((line) => ofLine(lock, line, isOwnCode)),
      ...learned.map((move) => ofMove(lock, move, isOwnCode)),
    ];
  }

  /** Whether the door was seen locked after that time: silence alone proves nothing. */
  #isSure(left: LeftDoor): boolean {
    const lock = this.#parts.store.get(left.lock);
    const quietFrom = isQuietFrom(left);
    return (
      lock !== undefined &&
      this.#parts.serviceClock.now() >= quietFrom &&
      lock.presence === 'reachable' &&
      lock.inFlight === null &&
      boltOf(lock) === 'secured' &&
      !lock.belief.stale &&
      (lock.belief.confirmedAt ?? 0) >= quietFrom
    );
  }
}

function isLastDay({ window }: Stay, at: Instant, zone: string): boolean {
  return at < window.closesAt && localDay(at, zone) === localDay(window.departureAt, zone);
}

function ofLine(lock: LockId, line: HistoryLine, isOwnCode: (by: Accessor) => boolean): readonly DoorMove[] {
  if (line.what === 'gap' || line.what === 'jammed') {
    return [{ lock, at: line.what === 'gap' ? line.to : line.at, what: 'unclear', by: 'other' }];
  }
  const { what: to, by, at } = line;
  return to === 'secured' || to === 'unsecured' ? [ofMove(lock, { to, by, at }, isOwnCode)] : [];
}

function ofMove(lock: LockId, { to, by, at }: LastMove, isOwnCode: (by: Accessor) => boolean): DoorMove {
  const movedBy = isOwnCode(by) ? 'guest' : whoseOf(by);
  return { lock, at, what: to === 'secured' ? 'locked' : 'unlocked', by: movedBy };
}

const INSIDE: ReadonlySet<AccessMethod> = new Set(['thumbturn', 'unlock-button', 'lock-button']);

function whoseOf({ method }: Accessor): MovedBy {
  if (method === 'one-touch') {
    return 'outside';
  }
  return INSIDE.has(method) ? 'inside' : 'other';
}
