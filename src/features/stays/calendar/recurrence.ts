// The starts of an entry that recurs, within a span of time and a number of steps.
import ICAL from 'ical.js';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { Property } from './calendar-property.ts';
import { UTC } from './calendar-zones.ts';
import { asDay, DAY_MS, type EntryTime, movedTo, orderOf, untilOf } from './entry-time.ts';
import type { RawEntry } from './raw-entry.ts';

/** The frequencies that are followed: no guest books by the hour, and a rule by the second would never end. */
const FREQUENCIES: ReadonlySet<unknown> = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
/** With a longer interval, some rules look for a day that never comes. */
const LONGEST_INTERVAL = 366;
/** The days for which a rule is followed, skipped ones included: fifty years. */
const MOST_STEPS = 20_000;
/** The steps of all rules of a calendar: about a second, and many times the steps of a portal's calendar (our choice). */
const MOST_STEPS_TOGETHER = 400_000;

/** Counts the steps of all rules of one calendar: many rules that never come true would take minutes. */
export class StepBudget {
  #left = MOST_STEPS_TOGETHER;

  get isSpent(): boolean {
    return this.#left < 0;
  }

  spend(): void {
    this.#left -= 1;
  }
}

export function startKey(start: EntryTime): string {
  return `${start.kind} ${String(orderOf(start))}`;
}

/** A time of a series as its starts are: midnights are days in a series of days. */
export function alike(time: EntryTime, { start }: RawEntry): EntryTime {
  return start.kind === 'day' && time.wallMs % DAY_MS === 0 ? asDay(time) : time;
}

/** Each start once, at least those up to `until`. Throws when a rule cannot be followed. */
export function startsOf(entry: RawEntry, untilMs: number, budget: StepBudget): readonly EntryTime[] {
  const starts = new Map<string, EntryTime>();
  const add = (start: EntryTime): void => {
    starts.set(startKey(start), start);
  };
  add(entry.start);
  for (const rule of entry.rules) {
    for (const wallMs of wallsOf(rule, entry.start, untilMs, budget)) {
      add(movedTo(entry.start, wallMs));
    }
  }
  for (const addition of entry.additions.map((time) => alike(time, entry))) {
    if (addition.kind !== entry.start.kind) {
      throw new RangeError('A series of days and hours');
    }
    add(addition);
  }
  const excepted = new Set(entry.exceptions.map((time) => startKey(alike(time, entry))));
  return [...starts.values()].filter(
    (start) => !excepted.has(startKey(start)) && !excepted.has(dayKey(start)),
  );
}

/** A day as an exception of a timed series stands for the whole day: some programs write it so. */
function dayKey({ wallMs }: EntryTime): string {
  return startKey({ kind: 'day', wallMs: Math.floor(wallMs / DAY_MS) * DAY_MS, zone: UTC });
}

function* wallsOf(rule: Property, start: EntryTime, untilMs: number, budget: StepBudget): Generator<number> {
  const [parts] = rule.values;
  const { until, count, ...data } = isObject(parts) ? parts : {};
  if (!FREQUENCIES.has(data['freq']) || Number(data['interval'] ?? 1) > LONGEST_INTERVAL) {
    throw new RangeError('Not a rule of bookings');
  }
  // Counted here: the parser counts one time too many where the first month of a list lies before the start.
  let left = typeof count === 'number' && count > 0 ? count : Infinity;
  const last = until === undefined ? null : untilOf(until);
  // The rule's end is an instant, but the rule's clock has no zone: the end is compared here.
  const recurrence = new ICAL.Recur({ ...data, until: clockAt(untilMs + 2 * DAY_MS, start) });
  const iterator = recurrence.iterator(clockAt(start.wallMs, start));
  boundSteps(iterator, budget);
  for (
    let next = iterator.next() as ICAL.Time | null;
    next !== null;
    next = iterator.next() as ICAL.Time | null
  ) {
    const wallMs = Date.UTC(next.year, next.month - 1, next.day, next.hour, next.minute, next.second);
    if (left === 0 || (last !== null && isPast(movedTo(start, wallMs), last))) {
      return;
    }
    left -= 1;
    yield wallMs;
  }
}

/** The iterator calls this for each candidate, also for those that it skips. */
function boundSteps(iterator: ICAL.RecurIterator, budget: StepBudget): void {
  const isCandidate = iterator.check_contracting_rules.bind(iterator);
  let steps = 0;
  iterator.check_contracting_rules = () => {
    steps += 1;
    budget.spend();
    if (steps > MOST_STEPS || budget.isSpent) {
      throw new RangeError('A rule without an end');
    }
    return isCandidate();
  };
}

function isPast(time: EntryTime, last: EntryTime): boolean {
  if (last.kind === 'day') {
    return time.wallMs >= last.wallMs + DAY_MS;
  }
  return last.kind === 'instant' && time.kind === 'instant'
    ? orderOf(time) > orderOf(last)
    : time.wallMs > last.wallMs;
}

function clockAt(wallMs: number, { kind }: EntryTime): ICAL.Time {
  const date = new Date(wallMs);
  return ICAL.Time.fromData({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    isDate: kind === 'day',
  });
}
