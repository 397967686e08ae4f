// Turns listed entries into the result: the newer of two with one uid, and the occurrences of a series within a span of time.

import type { Instant } from '../../../domain/time/instant.ts';
import type { CalendarEntry } from '../policy/calendar-ports.ts';
import { calendarTimeOf, DAY_MS, type EntryTime, movedTo, orderOf, stampOf } from './entry-time.ts';
import type { RawEntry } from './raw-entry.ts';
import { alike, StepBudget, startKey, startsOf } from './recurrence.ts';

/** Entries that end before, or begin after, are left out. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

export interface SeriesEntries {
  readonly entries: readonly CalendarEntry[];
  /** Series whose rules could not be followed. */
  readonly leftOut: readonly RawEntry[];
}

/** The entries, or why there are none: more than `most`, or rules that take too long. */
export function entriesOf(
  listed: readonly RawEntry[],
  span: Span,
  most: number,
): SeriesEntries | 'too-many-entries' | 'too-slow' {
  const budget = new StepBudget();
  const found = new Map<string, CalendarEntry>();
  const leftOut: RawEntry[] = [];
  for (const series of seriesIn(listed)) {
    const entries = occurrencesOf(series, span, budget);
    if (budget.isSpent) {
      return 'too-slow';
    }
    leftOut.push(...(entries === null ? series.slice(0, 1) : []));
    for (const entry of entries ?? []) {
      found.set(entry.uid, entry);
      if (found.size > most) {
        return 'too-many-entries';
      }
    }
  }
  return { entries: [...found.values()], leftOut };
}

/** Entries with one uid, each time those that are versions or occurrences of one booking. */
function seriesIn(listed: readonly RawEntry[]): readonly (readonly RawEntry[])[] {
  return [...Map.groupBy(listed, ({ uid }) => uid)].flatMap(([uid, entries]) => {
    const isSeries = ({ rules, additions, replaces }: RawEntry): boolean =>
      rules.length > 0 || additions.length > 0 || replaces !== null;
    const single = entries.filter((entry) => !isSeries(entry));
    const series = entries.filter(isSeries);
    // A time of its own may stand beside the times of a series that replace others.
    const main =
      uid !== '' && series.every(({ replaces }) => replaces !== null) ? single.splice(0, single.length) : [];
    if (uid !== '' && single.length + Math.sign(series.length) < 2 && main.length < 2) {
      return [[...main, ...series, ...single]];
    }
    const bookings = bookingsIn([...single, ...(series.length === 0 ? main : [])]);
    const rest: (readonly RawEntry[])[] =
      uid === ''
        ? series.map((one) => [withOwnUid(uid, one)])
        : series.length === 0
          ? []
          : [main.concat(series)];
    const isAlone = uid !== '' && bookings.length + rest.length === 1;
    return rest.concat(bookings.map((one) => [isAlone ? one : withOwnUid(uid, one)]));
  });
}

/** Some portals give one uid to all entries: only those of the same nights are versions of one booking. */
function bookingsIn(entries: readonly RawEntry[]): readonly RawEntry[] {
  const kept: RawEntry[] = [];
  for (const entry of entries.toSorted((a, b) => orderOf(a.start) - orderOf(b.start))) {
    const last = kept.at(-1);
    const overlaps = last !== undefined && orderOf(entry.start) < orderOf(last.end);
    if (last === undefined || !overlaps || areTwo(last, entry)) {
      kept.push(entry);
    } else {
      kept[kept.length - 1] = newer(last, entry);
    }
  }
  return kept;
}

/** Without any sign of an order, two entries with other words are two bookings. */
function areTwo(a: RawEntry, b: RawEntry): boolean {
  const isOrdered = a.sequence !== b.sequence || a.stampedAt !== b.stampedAt;
  const isOff = a.isCancelled || b.isCancelled;
  return (
    !isOrdered &&
    !isOff &&
    (a.uid === '' || orderOf(a.start) !== orderOf(b.start)) &&
    a.summary + a.description !== b.summary + b.description
  );
}

function withOwnUid(uid: string, entry: RawEntry): RawEntry {
  const start = stampOf(entry.start);
  return {
    ...entry,
    uid: uid === '' ? `${start}-${stampOf(entry.end)}-${entry.summary}` : `${uid}/${start}`,
  };
}

/** Occurrences of all entries with one uid; null when a rule cannot be expanded. */
function occurrencesOf(
  series: readonly RawEntry[],
  span: Span,
  budget: StepBudget,
): readonly CalendarEntry[] | null {
  const main = series.filter(({ replaces }) => replaces === null).reduce(newer, null);
  const replacements = new Map<string, RawEntry>();
  for (const entry of series) {
    if (entry.replaces !== null) {
      const key = startKey(main === null ? entry.replaces : alike(entry.replaces, main));
      replacements.set(key, newer(replacements.get(key) ?? null, entry));
    }
  }
  const replacing = [...replacements.values()].flatMap((entry) => within(entry, entry.replaces, span));
  if (main === null) {
    return replacing;
  }
  if (main.rules.length === 0 && main.additions.length === 0) {
    return replacements.has(startKey(main.start)) ? replacing : [...within(main, null, span), ...replacing];
  }
  try {
    const rest = startsOf(main, span.until, budget).filter((start) => !replacements.has(startKey(start)));
    return [...rest.flatMap((start) => within(occurrence(main, start), start, span)), ...replacing];
  } catch {
    return null;
  }
}

/** The newer of two entries with the same uid (RFC 5545, 3.8.7.4); the later one in the text when neither is newer. */
function newer(one: RawEntry | null, other: RawEntry): RawEntry {
  if (one === null) {
    return other;
  }
  const difference = other.sequence - one.sequence || other.stampedAt - one.stampedAt;
  return difference >= 0 ? other : one;
}

/** An occurrence lasts as long as the first, by the clock: a guest who leaves at eleven does so every time. */
function occurrence(entry: RawEntry, start: EntryTime): RawEntry {
  const shiftMs = start.wallMs - entry.start.wallMs;
  const isSameClock = entry.end.zone === entry.start.zone && start.zone === entry.start.zone;
  const end = isSameClock
    ? movedTo(entry.end, entry.end.wallMs + shiftMs)
    : { ...start, wallMs: start.wallMs + orderOf(entry.end) - orderOf(entry.start) };
  return { ...entry, start, end };
}

/** `original`: the start by the rule, where the entry is one of a series. */
function within(
  entry: RawEntry,
  original: EntryTime | null,
  { from, until }: Span,
): readonly CalendarEntry[] {
  // The zone of the lock is not known here: days and local times may be that much earlier or later.
  const slackMs = entry.start.kind === 'instant' ? 0 : DAY_MS;
  if (orderOf(entry.start) - slackMs > until || orderOf(entry.end) + slackMs < from) {
    return [];
  }
  const { sequence, isCancelled, isTentative, summary, description } = entry;
  return [
    {
      uid: original === null ? entry.uid : `${entry.uid}/${stampOf(original)}`,
      sequence,
      isCancelled,
      ...(isTentative ? { isTentative } : {}),
      start: calendarTimeOf(entry.start),
      end: calendarTimeOf(entry.end),
      summary,
      description,
    },
  ];
}
