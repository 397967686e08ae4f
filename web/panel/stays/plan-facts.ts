// The plan of flats by days: a row for each flat, a bar for each stay, and what today brings.
import type { CalendarView, StayView } from '../../../src/features/stays/panel/views.ts';

const DAY_MS = 86_400_000;

export interface Today {
  readonly arriving: readonly StayView[];
  readonly leaving: readonly StayView[];
  /** Those of which a guest may stand before a closed door, or whose code may open for longer than it should. */
  readonly needing: readonly StayView[];
}

const OVER: ReadonlySet<string> = new Set(['gone', 'skipped']);

/** `today`: the day at the locks, such as "2026-12-12". */
export function todayOf(stays: readonly StayView[], today: string): Today {
  const open = stays.filter(({ isCancelled, isSkipped }) => !isCancelled && !isSkipped);
  const soon = dayAfter(today, 1);
  return {
    arriving: open.filter(({ arrivalDay, phase }) => arrivalDay === today && phase !== 'gone'),
    leaving: open.filter(({ departureDay }) => departureDay === today),
    needing: stays.filter(
      ({ phase, obstacles, alarms, arrivalDay }) =>
        !OVER.has(phase) && (alarms.length > 0 || (obstacles.length > 0 && arrivalDay <= soon)),
    ),
  };
}

export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

export interface PlanBar {
  readonly stay: StayView;
  /** In half days from the begin of the plan: an arrival is in the afternoon, a departure in the morning. */
  readonly from: number;
  readonly halves: number;
}

/** A part of a line: a stay, or the time between two, which is cut where today begins. */
export interface PlanCell {
  readonly stay: StayView | null;
  readonly from: number;
  readonly halves: number;
}

export interface PlanRow {
  readonly id: string;
  readonly name: string;
  readonly bars: readonly PlanBar[];
}

/** The lines of a flat from its first to its last cell: one, and a further one for stays that overlap. `today`: its first half day. */
export function planLines(
  bars: readonly PlanBar[],
  halves: number,
  today: number,
): readonly (readonly PlanCell[])[] {
  const lines: PlanBar[][] = [[]];
  for (const bar of bars.toSorted((one, other) => one.from - other.from)) {
    const free = lines.find((line) => endOf(line.at(-1)) <= bar.from);
    if (free === undefined) {
      lines.push([bar]);
    } else {
      free.push(bar);
    }
  }
  return lines.map((line) =>
    line
      .flatMap((bar, index) => gap(endOf(line[index - 1]), bar.from, today).concat(bar))
      .concat(gap(endOf(line.at(-1)), halves, today)),
  );
}

function endOf(bar: PlanBar | undefined): number {
  return bar === undefined ? 0 : bar.from + bar.halves;
}

function gap(from: number, until: number, today: number): PlanCell[] {
  const cuts = [from, ...(from < today && today < until ? [today] : []), until];
  return cuts
    .slice(1)
    .map((end, index) => ({ stay: null, from: cuts[index] ?? 0, halves: end - (cuts[index] ?? 0) }))
    .filter((cell) => cell.halves > 0);
}

/** `first`: the day with which the plan begins. Flats without a stay have an empty row. */
export function planRows(
  calendars: readonly Pick<CalendarView, 'id' | 'name'>[],
  stays: readonly StayView[],
  first: string,
  days: number,
): readonly PlanRow[] {
  const begin = Date.parse(first) / DAY_MS;
  const shown = stays.filter(({ isCancelled, phase }) => !isCancelled || phase !== 'gone');
  return calendars.map(({ id, name }) => ({
    id,
    name,
    bars: shown
      .filter(({ calendarId }) => calendarId === id)
      .map((stay) => barOf(stay, begin, days * 2))
      .filter((bar) => bar !== null),
  }));
}

function barOf(stay: StayView, begin: number, halves: number): PlanBar | null {
  const [arrival, departure] = [stay.arrivalDay, stay.departureDay].map(
    (day) => Date.parse(day) / DAY_MS - begin,
  );
  if (arrival === undefined || departure === undefined) {
    return null;
  }
  const isOneDay = arrival === departure;
  const from = Math.max(0, arrival * 2 + (isOneDay ? 0 : 1));
  const until = Math.min(halves, departure * 2 + (isOneDay ? 2 : 1));
  return until > from ? { stay, from, halves: until - from } : null;
}
