// The lines that the timeline shows: new ones come in above, and lines that a reader loaded further down stay.
import type { HistoryLineView, HistoryPageView } from '../../../src/panel/views/history.ts';
import { dayThere } from './times.ts';

/** A key that distinguishes one line from every other. */
export function keyOf(line: HistoryLineView): string {
  return `${line.lock} ${String(placeOf(line))} ${line.what === 'gap' ? 'gap' : line.id}`;
}

/** A gap stands where it ends. */
export function placeOf(line: HistoryLineView): number {
  return line.what === 'gap' ? line.to : line.at;
}

/** Whether lines may be missing between the newest page and those that are shown. */
export function isApart(shown: HistoryPageView, newest: HistoryPageView): boolean {
  const [first, last] = [shown.lines[0], newest.lines.at(-1)];
  return newest.next !== null && first !== undefined && last !== undefined && placeOf(first) < placeOf(last);
}

/**
 * As far down as the newest page reaches, it alone holds: a listed entry takes the place of a reported one. Below it, what was
 * shown stays, unless lines may be missing between them.
 */
export function withNewest(shown: HistoryPageView, newest: HistoryPageView): HistoryPageView {
  const last = newest.lines.at(-1);
  if (newest.next === null || last === undefined || isApart(shown, newest)) {
    return newest;
  }
  const fresh = new Set(newest.lines.map(keyOf));
  const below = shown.lines.filter(
    (line) => placeOf(line) < placeOf(last) || (placeOf(line) === placeOf(last) && !fresh.has(keyOf(line))),
  );
  return below.length === 0 ? newest : { lines: [...newest.lines, ...below], next: shown.next };
}

/** The list with the page below its end. */
export function withOlder(shown: HistoryPageView, older: HistoryPageView): HistoryPageView {
  const known = new Set(shown.lines.map(keyOf));
  return {
    lines: [...shown.lines, ...older.lines.filter((line) => !known.has(keyOf(line)))],
    next: older.next,
  };
}

/** The lines by day on the clocks of the lock, under the present headings of the days. */
export function byDay(
  lines: readonly HistoryLineView[],
  now: number,
): readonly (readonly [string, readonly HistoryLineView[]])[] {
  // The newest line of a lock has its present clocks: those of an older line may have been changed since.
  const offsets = new Map(lines.toReversed().map(({ lock, offsetMinutes }) => [lock, offsetMinutes]));
  const dayOf = (line: HistoryLineView): string => {
    const { lock, offsetMinutes } = line;
    return dayThere(placeOf(line), offsetMinutes, now, offsets.get(lock) ?? offsetMinutes);
  };
  return [...Map.groupBy(lines, dayOf)];
}
