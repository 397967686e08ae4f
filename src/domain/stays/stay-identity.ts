// Whether two bookings are of the same guest, and which booking of a reading continues which former one.
import { folded } from './booking-terms.ts';
import { type Booking, sameTime } from './stay.ts';
import { each, finished, type Steps } from './steps.ts';

export type Verdict = 'same' | 'differs' | 'unknown';

/** What a booking tells of its guest. */
type Marks = Pick<Booking, 'references' | 'phone4' | 'guest'>;

/**
 * The number of the reservation decides, then phone and name together. Dates prove nothing where one of these differs.
 * `isSameUid`: the entry is the same one, in which a name or a number may have been put right.
 */
export function guestVerdict(a: Marks, b: Marks, isSameUid: boolean): Verdict {
  const phone = verdictOf(a.phone4, b.phone4);
  const name = nameVerdict(a.guest, b.guest, isSameUid);
  // The same entry with the same full name: another number is a correction.
  const isCorrected = isSameUid && name === 'same' && isFull(a.guest) && isFull(b.guest);
  const reference = referenceVerdict(a.references, b.references);
  if (reference === 'same') {
    return phone === 'differs' && name === 'differs' ? 'differs' : 'same';
  }
  if (isCorrected || (name === 'same' && phone === 'same')) {
    return 'same';
  }
  return reference === 'differs' ? 'differs' : together(phone, name);
}

function together(one: Verdict, other: Verdict): Verdict {
  if (one === 'differs' || other === 'differs') {
    return 'differs';
  }
  return one === 'unknown' ? other : one;
}

const isFull = (name: string | null | undefined): boolean => name?.includes(' ') === true;

function verdictOf(a: string | null, b: string | null): Verdict {
  return a === null || b === null ? 'unknown' : a === b ? 'same' : 'differs';
}

function referenceVerdict(a: readonly string[] = [], b: readonly string[] = []): Verdict {
  if (a.length === 0 || b.length === 0) {
    return 'unknown';
  }
  return a.some((one) => b.includes(one)) ? 'same' : 'differs';
}

/** "Anna" and "Anna Berger" are one name, and so are "Anna B" and "Anna Berger". */
function nameVerdict(a: Marks['guest'], b: Marks['guest'], allowsTypo: boolean): Verdict {
  if (typeof a !== 'string' || typeof b !== 'string') {
    return 'unknown';
  }
  if (a === b) {
    return 'same';
  }
  const [few = [], many = []] = [a.split(' '), b.split(' ')].sort((one, other) => one.length - other.length);
  const isPart = few.every((word) => many.some((other) => sameWord(word, other, allowsTypo)));
  return isPart ? 'same' : 'differs';
}

function sameWord(a: string, b: string, allowsTypo: boolean): boolean {
  const [short = '', long = ''] = [a, b].sort((one, other) => one.length - other.length);
  return (
    long === short || (short.length === 1 && long.startsWith(short)) || (allowsTypo && isTypo(short, long))
  );
}

/** One letter more, less or other, in a word of five or more. */
function isTypo(short: string, long: string): boolean {
  if (short.length < 5 || long.length - short.length > 1) {
    return false;
  }
  let at = 0;
  while (at < short.length && short[at] === long[at]) {
    at += 1;
  }
  return short.slice(at + (long.length === short.length ? 1 : 0)) === long.slice(at + 1);
}

/** A booking that was known. */
export interface Former {
  readonly booking: Booking;
  /** It has not ended, so that it may go on under another id. */
  readonly isOpen: boolean;
}

/** Whether the guest is there, or comes today: portals cut off what has begun, and some give it a new id every day. */
export type HasBegun = (booking: Booking) => boolean;

/** More bookings with one key are hostile, and are not all tried. */
const MOST_TRIED = 5;

/** The booking with which each former one goes on. Each booking continues one at most. */
export function successors<T extends Former>(
  formers: readonly T[],
  read: readonly Booking[],
  hasBegun: HasBegun,
): ReadonlyMap<T, Booking> {
  return finished(successorSteps(formers, read, hasBegun));
}

/** Compares by keys, not by pairs. */
export function* successorSteps<T extends Former>(
  formers: readonly T[],
  read: readonly Booking[],
  hasBegun: HasBegun,
): Steps<ReadonlyMap<T, Booking>> {
  const found = new Map<T, Booking>();
  const free = new Set(read);
  const take = (former: T, booking: Booking | undefined): void => {
    if (booking !== undefined) {
      found.set(former, booking);
      free.delete(booking);
    }
  };
  const byUid = new Map(read.map((booking) => [booking.uid, booking]));
  yield undefined;
  for (const isOpen of [true, false]) {
    yield* each(formers, (former) => {
      const same = former.isOpen === isOpen ? byUid.get(former.booking.uid) : undefined;
      if (same !== undefined && free.has(same) && guestVerdict(former.booking, same, true) !== 'differs') {
        take(former, same);
      }
    });
  }
  for (const { keysOf, fits } of WAYS) {
    const open = free.size === 0 ? [] : formers.filter((former) => former.isOpen && !found.has(former));
    const places = new Map<string, Set<Booking>>();
    yield* each(open.length === 0 ? [] : free, (booking) => {
      for (const key of keysOf(booking)) {
        places.set(key, (places.get(key) ?? new Set()).add(booking));
      }
    });
    yield* each(open, (former) => {
      const near = keysOf(former.booking).flatMap((key) => firstOf(places.get(key), free));
      take(
        former,
        near.find((next) => fits(former.booking, next, hasBegun)),
      );
    });
  }
  return found;
}

function firstOf(place: Set<Booking> | undefined, free: ReadonlySet<Booking>): readonly Booking[] {
  const near: Booking[] = [];
  for (const booking of place ?? []) {
    if (!free.has(booking)) {
      place?.delete(booking);
    } else if (near.push(booking) >= MOST_TRIED) {
      break;
    }
  }
  return near;
}

interface Way {
  readonly keysOf: (booking: Booking) => readonly string[];
  readonly fits: (former: Booking, next: Booking, hasBegun: HasBegun) => boolean;
}

const isSure = (former: Booking, next: Booking): boolean => guestVerdict(former, next, false) === 'same';

/** Nothing that is known differs, and where nothing is known at all, the words are the same. */
const isLikely = (former: Booking, next: Booking): boolean => {
  const verdict = guestVerdict(former, next, false);
  return verdict === 'same' || (verdict === 'unknown' && folded(former.summary) === folded(next.summary));
};

/** From the surest to the least sure. */
const WAYS: readonly Way[] = [
  { keysOf: ({ references }) => references ?? [], fits: isSure },
  { keysOf: ({ start, end }) => [JSON.stringify([start, end])], fits: isLikely },
  {
    keysOf: ({ end }) => [JSON.stringify(end)],
    fits: (former, next, hasBegun) =>
      hasBegun(former) && hasBegun(next) && !sameTime(former.start, next.start) && isLikely(former, next),
  },
  { keysOf: ({ phone4 }) => (phone4 === null ? [] : [phone4]), fits: isSure },
  {
    keysOf: ({ guest }) => (isFull(guest) ? [guest ?? ''] : []),
    fits: (former, next, hasBegun) => hasBegun(former) && isSure(former, next),
  },
];
