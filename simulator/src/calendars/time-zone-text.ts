// Writes a VTIMEZONE (RFC 5545, 3.6.5): every change of a zone's offset in a span of years, one by one.
import { formatOffset, instantOfWall, offsetMinutesAt } from '../time/zone.ts';
import { DAY_MS } from './calendar-day.ts';
import { contentLine, localValue } from './ical-text.ts';

const MINUTE_MS = 60_000;
/** No zone changes its offset twice within this time. */
const STEP_MS = 7 * DAY_MS;

interface Change {
  /** The wall clock just before a change, as if it were UTC, in which its onset is written. */
  readonly wallMs: number;
  readonly from: number;
  readonly to: number;
}

/** The changes from the beginning of one year to that of another. */
export function timeZoneText(
  timeZone: string,
  firstYear: number,
  untilYear: number,
  name = timeZone,
): string {
  const beginning = Date.UTC(firstYear, 0, 1);
  const fromAt = instantOfWall(timeZone, beginning);
  const first = offsetMinutesAt(timeZone, fromAt);
  const changes: readonly Change[] = [
    { wallMs: beginning, from: first, to: first },
    ...changesOf(timeZone, fromAt, Date.UTC(untilYear, 0, 1)),
  ];
  const standard = Math.min(...changes.map(({ to }) => to));
  return [
    contentLine('BEGIN', 'VTIMEZONE'),
    contentLine('TZID', name),
    ...changes.map((change) => observance(change, change.to > standard ? 'DAYLIGHT' : 'STANDARD')),
    contentLine('END', 'VTIMEZONE'),
  ].join('');
}

function observance({ wallMs, from, to }: Change, kind: 'DAYLIGHT' | 'STANDARD'): string {
  return [
    contentLine('BEGIN', kind),
    contentLine('DTSTART', localValue(wallMs)),
    contentLine('TZOFFSETFROM', offsetValue(from)),
    contentLine('TZOFFSETTO', offsetValue(to)),
    contentLine('END', kind),
  ].join('');
}

const offsetValue = (minutes: number): string => formatOffset(minutes).replace(':', '');

function changesOf(timeZone: string, fromAt: number, toAt: number): Change[] {
  const changes: Change[] = [];
  for (let at = fromAt; at < toAt; at += STEP_MS) {
    const from = offsetMinutesAt(timeZone, at);
    const to = offsetMinutesAt(timeZone, at + STEP_MS);
    if (from !== to) {
      changes.push({ wallMs: changeWithin(timeZone, at, at + STEP_MS) + from * MINUTE_MS, from, to });
    }
  }
  return changes;
}

/** The minute at which the offset changes between two instants. */
function changeWithin(timeZone: string, fromAt: number, toAt: number): number {
  const before = offsetMinutesAt(timeZone, fromAt);
  let [early, late] = [fromAt, toAt];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    [early, late] = offsetMinutesAt(timeZone, middle) === before ? [middle, late] : [early, middle];
  }
  return late;
}
