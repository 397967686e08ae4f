// A month as weeks of half days: a stay begins in the afternoon of a day, and ends in the morning of another.

const DAY_MS = 86_400_000;
const HALVES = 14;

export interface BookedDays {
  readonly arrivalDay: string;
  readonly departureDay: string;
}

/** A stretch of a line of a week; `stay` is null where no guest stays. `halves`: its length in half days. */
export interface MonthPiece<Stay> {
  readonly stay: Stay | null;
  readonly halves: number;
  /** The stretch goes on from the week before, or into the next one. */
  readonly goesOn: { readonly before: boolean; readonly after: boolean };
}

export interface MonthWeek<Stay> {
  readonly days: readonly { readonly day: string; readonly isOfMonth: boolean }[];
  /** Stays that overlap stand in different lines. */
  readonly lines: readonly (readonly MonthPiece<Stay>[])[];
}

/** The weeks that hold a day of the month, such as "2026-12". `firstWeekday`: from Monday, 0, on. */
export function monthWeeks<Stay extends BookedDays>(
  month: string,
  stays: readonly Stay[],
  firstWeekday = 0,
): readonly MonthWeek<Stay>[] {
  const first = dayNumber(`${month}-01`);
  const last = dayNumber(`${monthAfter(month, 1)}-01`) - 1;
  const start = first - ((weekdayOf(first) - firstWeekday + 7) % 7);
  const placed = inLines(stays);
  return Array.from({ length: Math.floor((last - start) / 7) + 1 }, (_, week) => {
    const begin = start + week * 7;
    return {
      days: Array.from({ length: 7 }, (__, index) => {
        const day = dateOf(begin + index);
        return { day, isOfMonth: day.startsWith(month) };
      }),
      lines: placed
        .map((line) => piecesOf(line, begin * 2))
        .filter((line) => line.length > 1 || line[0]?.stay),
    };
  });
}

/** "2027-01" is one month after "2026-12". */
export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

interface Stretch<Stay> {
  readonly stay: Stay;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Each line holds stays that do not overlap. */
function inLines<Stay extends BookedDays>(stays: readonly Stay[]): readonly (readonly Stretch<Stay>[])[] {
  const lines: Stretch<Stay>[][] = [];
  const stretches = stays.map(stretchOf).sort((a, b) => a.from - b.from);
  for (const stretch of stretches) {
    const line = lines.find((one) => (one.at(-1)?.to ?? Number.NEGATIVE_INFINITY) < stretch.from);
    if (line === undefined) {
      lines.push([stretch]);
    } else {
      line.push(stretch);
    }
  }
  return lines;
}

function stretchOf<Stay extends BookedDays>(stay: Stay): Stretch<Stay> {
  const [from, to] = [dayNumber(stay.arrivalDay) * 2, dayNumber(stay.departureDay) * 2];
  // A guest who comes and goes on one day has the whole of that day.
  return from === to ? { stay, from, to: to + 1 } : { stay, from: from + 1, to };
}

function piecesOf<Stay>(line: readonly Stretch<Stay>[], begin: number): readonly MonthPiece<Stay>[] {
  const end = begin + HALVES - 1;
  const pieces: MonthPiece<Stay>[] = [];
  let next = begin;
  const fillTo = (half: number): void => {
    if (half > next) {
      pieces.push({ stay: null, halves: half - next, goesOn: { before: false, after: false } });
    }
  };
  for (const { stay, from, to } of line.filter((one) => one.to >= begin && one.from <= end)) {
    fillTo(from);
    const [first, last] = [Math.max(from, begin), Math.min(to, end)];
    pieces.push({ stay, halves: last - first + 1, goesOn: { before: from < begin, after: to > end } });
    next = last + 1;
  }
  fillTo(end + 1);
  return pieces;
}

function dayNumber(day: string): number {
  return Math.round(Date.parse(day) / DAY_MS);
}

function dateOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** The weekday, from Monday, 0, on. */
function weekdayOf(number: number): number {
  return (number + 3) % 7;
}
