// On a full lock, the stay that begins last gives its place to an earlier one, and has it again once there is room.
import { MOST_CODES } from '../../domain/codes/access-code-policy.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { isUnderWay, type Stay } from '../../domain/stays/stay.ts';
import type { StayCalendar } from '../../domain/stays/stay-calendar.ts';
import { reserveFrom } from '../../domain/stays/stay-plan-policy.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { AccessCodes } from '../codes/access-codes.ts';
import type { Guests, GuestView } from '../codes/guests.ts';
import type { CommonParts } from '../locks/common-parts.ts';
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
    for (const stay of this.#parts.book.stays()) {
      if (stay.gaveWay !== undefined) {
        await this.#giveBack(stay, views);
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
    return [...refused, ...guestless];
  }

  async #makeRoom({ lockId, beginsAt }: Needy, views: readonly GuestView[]): Promise<void> {
    const { book, serviceClock } = this.#parts;
    // One place is on its way to be free.
    const isClearing = views.some(({ onLocks }) =>
      onLocks.some((on) => on.lockId === lockId && on.isLeaving),
    );
    if (isClearing || !(await this.#isFull(lockId, views))) {
      return;
    }
    const now = serviceClock.now();
    const [last] = views
      .filter((view) => isWantedOn(view, lockId) && view.onLocks.some((on) => isListed(on, lockId)))
      .map((view) => book.get(view.stay?.id ?? ''))
      .filter((stay) => stay !== undefined)
      .filter((stay) => stay.window.opensAt > beginsAt && !isUnderWay(stay, now))
      .toSorted((a, b) => b.window.opensAt - a.window.opensAt);
    if (last !== undefined) {
      book.note({ ...last, gaveWay: [...(last.gaveWay ?? []), lockId] });
    }
  }

  async #giveBack(stay: Stay, views: readonly GuestView[]): Promise<void> {
    const { book, store, calendarOf } = this.#parts;
    const still: LockId[] = [];
    for (const lockId of stay.gaveWay ?? []) {
      const isOf = calendarOf(stay.calendarId)?.locks.includes(lockId) === true;
      const isHere = isOf && store.get(lockId) !== undefined;
      if (isHere && (await this.#isFull(lockId, views))) {
        still.push(lockId);
      }
    }
    const present = book.get(stay.id);
    if (present?.gaveWay !== undefined && still.length < present.gaveWay.length) {
      const { gaveWay: _gaveWay, ...whole } = present;
      book.note(still.length === 0 ? whole : { ...whole, gaveWay: still });
    }
  }

  /** Counts codes that are to come, and those that are still to go. A list that cannot be read says nothing. */
  async #isFull(lockId: LockId, views: readonly GuestView[]): Promise<boolean> {
    const coming = views.filter(
      (view) => isWantedOn(view, lockId) && !view.onLocks.some((on) => isListed(on, lockId)),
    );
    try {
      const { codes } = await this.#parts.codes.facts(lockId);
      return codes.length + coming.length >= MOST_CODES;
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
