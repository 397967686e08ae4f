// Whether two bookings are of the same guest, and which booking of a reading continues which former one.
import type { Instant } from '../../../domain/time/instant.ts';
import { folded } from './booking-terms.ts';
import type { CalendarTime } from './calendar-ports.ts';
import { type Booking, sameTime } from './stay.ts';
import type { Span } from './stay-windows.ts';
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

/** The same guest by more than a phone alone, which may be that of a host in every booking. */
export function isSurelyOf(a: Marks, b: Marks): boolean {
  const isNamed = nameVerdict(a.guest, b.guest, false) === 'same';
  return (
    guestVerdict(a, b, false) === 'same' &&
    (isNamed || referenceVerdict(a.references, b.references) === 'same')
  );
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
  const bare = new Set(b.map(bareReference));
  return a.some((one) => bare.has(bareReference(one))) ? 'same' : 'differs';
}

/** Portals write a number with hyphens in one place, and without in another. */
const bareReference = (id: string): string => id.replaceAll(/[/-]/gu, '');

/** "Anna" and "Anna Berger" are one name, and so are "Anna B" and "Anna Berger". */
function nameVerdict(a: Marks['guest'], b: Marks['guest'], allowsTypo: boolean): Verdict {
  if (typeof a !== 'string' || typeof b !== 'string') {
    return 'unknown';
  }
  if (a === b) {
    return 'same';
  }
  const [few = [], many = []] = [a.split(' '), b.split(' ')].sort((one, other) => one.length - other.length);
  const others = few.filter((word) => !many.some((other) => sameWord(word, other)));
  // One word is put right, and another one says who it is.
  const isPutRight =
    allowsTypo &&
    others.length === 1 &&
    few.length > 1 &&
    many.some((other) => isTypo(others[0] ?? '', other));
  return others.length === 0 || isPutRight ? 'same' : 'differs';
}

function sameWord(a: string, b: string): boolean {
  if (a === b) {
    return true;
  }
  const [short = '', long = ''] = byLength(spelled(a), spelled(b));
  return long === short || (short.length === 1 && long.startsWith(short));
}

/** "Müller" is "Mueller", and "Strauß" is "Strauss". */
const spelled = (word: string): string =>
  word.replaceAll(/ß|ø|œ|æ|ł|[aou]e/gu, (letters) => SPELLED.get(letters) ?? letters.slice(0, 1));

const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', ø: 'o', œ: 'o', æ: 'a', ł: 'l' }),
);

const byLength = (a: string, b: string): readonly string[] =>
  [a, b].sort((one, other) => one.length - other.length);

/** One letter more, less or other, in a word of five or more. */
function isTypo(a: string, b: string): boolean {
  const [short = '', long = ''] = byLength(a, b);
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
  /** Its loss was believed. */
  readonly isLost?: boolean;
}

export interface IdentityFacts {
  /** Whether the guest is there, or comes today: portals cut off what has begun, and some give it a new id every day. */
  readonly hasBegun: (booking: Booking) => boolean;
  /** Whether it begins tomorrow at the latest: at the portal the next day may have begun. Absent: as `hasBegun`. */
  readonly beginsSoon?: (booking: Booking) => boolean;
  readonly windowOf: (booking: Booking) => Span;
}

/** More bookings with one key are hostile, and are not all tried. */
const MOST_TRIED = 5;

/** The booking with which each former one goes on. Each booking continues one at most. */
export function successors<T extends Former>(
  formers: readonly T[],
  read: readonly Booking[],
  facts: IdentityFacts,
): ReadonlyMap<T, Booking> {
  return finished(successorSteps(formers, read, facts));
}

/** Compares by keys, not by pairs. What is believed goes before what was lost, unless the words leave it open. */
export function* successorSteps<T extends Former>(
  formers: readonly T[],
  read: readonly Booking[],
  facts: IdentityFacts,
): Steps<ReadonlyMap<T, Booking>> {
  const found = new Map<T, Booking>();
  const search: Search<T> = { found, free: new Set(read), facts };
  const byUid = new Map(read.map((booking) => [booking.uid, booking]));
  yield undefined;
  const open = formers.filter(({ isOpen }) => isOpen);
  const believed = open.filter(({ isLost }) => isLost !== true);
  yield* byUidSteps(believed, byUid, search);
  yield* byWaysSteps(believed, SURE_WAYS, search);
  yield* byUidSteps(open, byUid, search);
  yield* byUidSteps(formers, byUid, search);
  // The nights that are left of a stay may be those of a booking that was lost: the guest who is there goes on.
  yield* byWaysSteps(believed, [SAME_NIGHTS, underWay('beginsSoon')], search);
  yield* byWaysSteps(open, WAYS, search);
  return found;
}

interface Search<T extends Former> {
  readonly found: Map<T, Booking>;
  /** Bookings that continue none yet. */
  readonly free: Set<Booking>;
  readonly facts: IdentityFacts;
}

function take<T extends Former>({ found, free }: Search<T>, former: T, booking: Booking | undefined): void {
  if (booking !== undefined) {
    found.set(former, booking);
    free.delete(booking);
  }
}

function* byUidSteps<T extends Former>(
  formers: readonly T[],
  byUid: ReadonlyMap<string, Booking>,
  search: Search<T>,
): Steps<void> {
  yield* each(formers, (former) => {
    const same = search.found.has(former) ? undefined : byUid.get(former.booking.uid);
    if (
      same !== undefined &&
      search.free.has(same) &&
      guestVerdict(former.booking, same, true) !== 'differs'
    ) {
      take(search, former, same);
    }
  });
}

function* byWaysSteps<T extends Former>(
  formers: readonly T[],
  ways: readonly Way[],
  search: Search<T>,
): Steps<void> {
  const { found, free, facts } = search;
  for (const { keysOf, fits } of ways) {
    const left = free.size === 0 ? [] : formers.filter((former) => !found.has(former));
    const places = new Map<string, Set<Booking>>();
    yield* each(left.length === 0 ? [] : free, (booking) => {
      for (const key of keysOf(booking, facts)) {
        places.set(key, (places.get(key) ?? new Set()).add(booking));
      }
    });
    yield* each(left, (former) => {
      const near = keysOf(former.booking, facts).flatMap((key) => firstOf(places.get(key), free));
      take(
        search,
        former,
        near.find((next) => fits(former.booking, next, facts)),
      );
    });
  }
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
  readonly keysOf: (booking: Booking, facts: IdentityFacts) => readonly string[];
  readonly fits: (former: Booking, next: Booking, facts: IdentityFacts) => boolean;
}

const isSure = (former: Booking, next: Booking): boolean => guestVerdict(former, next, false) === 'same';

/** Nothing that is known differs, and where nothing is known at all, the words are the same. */
const isLikely = (former: Booking, next: Booking): boolean => {
  const verdict = guestVerdict(former, next, false);
  return verdict === 'same' || (verdict === 'unknown' && folded(former.summary) === folded(next.summary));
};

const SAME_NIGHTS: Way = {
  keysOf: ({ start, end }) => [JSON.stringify([nightOf(start), nightOf(end)])],
  fits: isLikely,
};

/** The guest is there, and the portal says that they came later: since then at the latest. */
const underWay = (since: 'hasBegun' | 'beginsSoon'): Way => ({
  keysOf: ({ end }) => [JSON.stringify(nightOf(end))],
  fits: (former, next, facts) =>
    facts.hasBegun(former) &&
    (facts[since] ?? facts.hasBegun)(next) &&
    !sameTime(former.start, next.start) &&
    isLikely(former, next),
});

/** From the surest to the least sure. */
const WAYS: readonly Way[] = [
  { keysOf: ({ references }) => (references ?? []).map(bareReference), fits: isSure },
  SAME_NIGHTS,
  // The portal has begun to write hours, or has ceased to.
  {
    keysOf: (booking, { windowOf }) => halfDaysOf(windowOf(booking).opensAt),
    fits: (former, next, { windowOf }) =>
      former.start.kind !== next.start.kind &&
      isNear(windowOf(former), windowOf(next)) &&
      isLikely(former, next),
  },
  // One that was lost is not there: a booking from tomorrow on is another one.
  underWay('hasBegun'),
  { keysOf: ({ phone4 }) => (phone4 === null ? [] : [phone4]), fits: isSure },
  {
    keysOf: ({ guest }) => (isFull(guest) ? [guest ?? ''] : []),
    fits: (former, next, { hasBegun, windowOf }) =>
      (hasBegun(former) || overlap(windowOf(former), windowOf(next))) && isSure(former, next),
  },
];

/** Without the words that leave it open. */
const SURE_WAYS: readonly Way[] = WAYS.map(({ keysOf, fits }) => ({
  keysOf,
  fits: (former, next, facts) => isSure(former, next) && fits(former, next, facts),
}));

/** A portal that writes its nights as midnights from one day to the next means the same nights. */
function nightOf(time: CalendarTime): CalendarTime {
  const isMidnight = time.kind === 'local' && time.local.endsWith('T00:00');
  return isMidnight ? { kind: 'day', day: time.local.slice(0, 10) } : time;
}

const overlap = (a: Span, b: Span): boolean => a.opensAt < b.closesAt && b.opensAt < a.closesAt;

/** Hours of a portal differ from those of its calendar by less than this. */
const HALF_DAY_MS = 12 * 3_600_000;

const isNear = (a: Span, b: Span): boolean =>
  Math.abs(a.opensAt - b.opensAt) < HALF_DAY_MS && Math.abs(a.closesAt - b.closesAt) < HALF_DAY_MS;

/** Two instants that are less than half a day apart have at least one in common. */
function halfDaysOf(at: Instant): readonly string[] {
  const half = Math.floor(at / HALF_DAY_MS);
  return [String(half), String(half + 1)];
}
