// On a full lock, the stay that begins last gives its place to an earlier one, and has it again once there is room.
import { MOST_CODES } from '../../../domain/codes/access-code-policy.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { AccessCodes } from '../../../engine/codes/access-codes.ts';
import type { Guests, GuestView } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { isUnderWay, type Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { isCodeWanted, reserveFrom } from '../policy/stay-plan-policy.ts';
import type { StayBook } from './stay-book.ts';
import { isReserve } from './stay-reserves.ts';

export interface StayPlacesParts extends Pick<CommonParts, 'store' | 'serviceClock'> {
  readonly book: StayBook;
  readonly guests: Pick<Guests, 'list'>;
  readonly codes: Pick<AccessCodes, 'facts'>;
  readonly calendarOf: (id: string) => StayCalendar | undefined;
}

interface Needy {
  readonly lockId: LockId;
  readonly beginsAt: Instant;
}

export class StayPlaces {
  readonly #parts: StayPlacesParts;

  constructor(parts: StayPlacesParts) {
    this.#parts = parts;
  }

  /** `without`: stays for which no guest could be made, because there are too many guests on a lock. */
  async pass(without: ReadonlySet<string>): Promise<void> {
    const views = this.#parts.guests.list();
    const needy = this.#needyIn(views, without).toSorted((a, b) => a.beginsAt - b.beginsAt);
    const asked = new Set<LockId>();
    for (const one of needy) {
      if (!asked.has(one.lockId)) {
        asked.add(one.lockId);
        await this.#makeRoom(one, views);
      }
    }
    const back = new Map<LockId, number>();
    // The earliest first: each place goes to one stay.
    for (const stay of this.#parts.book.stays()) {
      if (stay.gaveWay !== undefined) {
        await this.#returnPlaces(stay, views, back);
      }
    }
  }

  #needyIn(views: readonly GuestView[], without: ReadonlySet<string>): readonly Needy[] {
    const { book, serviceClock, calendarOf } = this.#parts;
    const refused = views.flatMap((view): readonly Needy[] => {
      const beginsAt = isReserve(view)
        ? reserveFrom(serviceClock.now())
        : book.get(view.stay?.id ?? '')?.window.opensAt;
      return beginsAt === undefined || view.isLeaving
        ? []
        : view.onLocks.filter(isRefusedForRoom).map(({ lockId }) => ({ lockId, beginsAt }));
    });
    const stays = [...without].map((id) => book.get(id)).filter((stay) => stay !== undefined);
    const guestless = stays.flatMap(({ calendarId, window: { opensAt: beginsAt } }) =>
      (calendarOf(calendarId)?.locks ?? [])
        .filter((id) => views.filter((view) => isWantedOn(view, id)).length >= MOST_CODES)
        .map((lockId) => ({ lockId, beginsAt })),
    );
    const gaveWay = book
      .stays()
      .filter((stay) => isCodeWanted(stay, calendarOf(stay.calendarId)?.daysAhead ?? 0, serviceClock.now()))
      .flatMap(({ gaveWay: lockIds = [], window: { opensAt: beginsAt } }) =>
        lockIds.map((lockId) => ({ lockId, beginsAt })),
      );
    return [...refused, ...guestless, ...gaveWay];
  }

  async #makeRoom({ lockId, beginsAt }: Needy, views: readonly GuestView[]): Promise<void> {
    const { book, serviceClock } = this.#parts;
    if (!(await this.#isFull(lockId, views))) {
      return;
    }
    const now = serviceClock.now();
    const later = views
      .filter((view) => isWantedOn(view, lockId))
      .flatMap((view) => {
        const stay = book.get(view.stay?.id ?? '');
        const isListedThere = view.onLocks.some((on) => isListed(on, lockId));
        return stay === undefined ? [] : [{ stay, isListedThere }];
      })
      .filter(({ stay }) => stay.window.opensAt > beginsAt && !isUnderWay(stay, now))
      .toSorted((a, b) => b.stay.window.opensAt - a.stay.window.opensAt);
    // One place is on its way to be free.
    const isClearing = views.some(({ onLocks }) =>
      onLocks.some((on) => on.lockId === lockId && on.isLeaving),
    );
    const last = isClearing ? undefined : later.find(({ isListedThere }) => isListedThere);
    // Those that wait would take the place that is made.
    for (const one of later.filter((each) => !each.isListedThere || each === last)) {
      book.note({ ...one.stay, gaveWay: [...(one.stay.gaveWay ?? []), lockId] });
    }
  }

  /** `back`: how many places of each lock were given back in this pass. */
  async #returnPlaces(stay: Stay, views: readonly GuestView[], back: Map<LockId, number>): Promise<void> {
    const { book, store, calendarOf } = this.#parts;
    const still: LockId[] = [];
    for (const lockId of stay.gaveWay ?? []) {
      const isOf = calendarOf(stay.calendarId)?.locks.includes(lockId) === true;
      const isHere = isOf && store.get(lockId) !== undefined;
      const given = back.get(lockId) ?? 0;
      if (isHere && (await this.#isFull(lockId, views, given))) {
        still.push(lockId);
      } else {
        back.set(lockId, given + 1);
      }
    }
    const present = book.get(stay.id);
    if (present?.gaveWay !== undefined && still.length < present.gaveWay.length) {
      const { gaveWay: _gaveWay, ...whole } = present;
      book.note(still.length === 0 ? whole : { ...whole, gaveWay: still });
    }
  }

  /** Counts codes that are to come, and those that are still to go. A list that cannot be read says nothing. */
  async #isFull(lockId: LockId, views: readonly GuestView[], given = 0): Promise<boolean> {
    const coming = views.filter(
      (view) => isWantedOn(view, lockId) && !view.onLocks.some((on) => isListed(on, lockId)),
    );
    try {
      const { codes } = await this.#parts.codes.facts(lockId);
      return codes.length + coming.length + given >= MOST_CODES;
    } catch {
      return true;
    }
  }
}

type OnLock = GuestView['onLocks'][number];

/** The service knows no better reason for a full lock. */
const isRefusedForRoom = ({ standing }: OnLock): boolean =>
  standing.kind === 'refused' && standing.failure.reason === 'code-not-added';

const isListed = ({ lockId, codeId }: OnLock, id: LockId): boolean => lockId === id && codeId !== null;

function isWantedOn({ isLeaving, onLocks }: GuestView, id: LockId): boolean {
  return !isLeaving && onLocks.some((on) => on.lockId === id && !on.isLeaving);
}
