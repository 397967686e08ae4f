// Writes the rules of a time zone as calendar programs do, from the changes of its clocks that this system knows.
import { offsetMinutesAt } from '../../src/domain/time/schedule-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `single`: the two changes of one year, without a rule. `interval`: as office programs write it. */
export type ZoneForm = 'rrule' | 'rdate-list' | 'rdate-lines' | 'interval' | 'single';

interface Change {
  /** The wall clock at the change, before it. */
  readonly wallMs: number;
  readonly from: number;
  readonly to: number;
}

function changesOf(zone: string, firstYear: number, lastYear: number): readonly Change[] {
  const changes: Change[] = [];
  let from = offsetMinutesAt(zone, Date.UTC(firstYear, 0, 1));
  for (let day = Date.UTC(firstYear, 0, 1); day < Date.UTC(lastYear + 1, 0, 1); day += DAY_MS) {
    // No zone changes its clocks twice a day.
    if (offsetMinutesAt(zone, day + DAY_MS) !== from) {
      let at = day;
      while (offsetMinutesAt(zone, at) === from) {
        at += HOUR_MS / 2;
      }
      const to = offsetMinutesAt(zone, at);
      changes.push({ wallMs: at + from * 60_000, from, to });
      from = to;
    }
  }
  return changes;
}

const stamp = (wallMs: number): string => new Date(wallMs).toISOString().replaceAll(/[-:]|\.\d{3}Z$/gu, '');

function offset(minutes: number): string {
  const away = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}${two(away % 60)}`;
}

/** The rule of a change on the first, second or last Sunday of a month. */
function ruleOf({ wallMs }: Change): string {
  const day = new Date(wallMs);
  const isLast = new Date(wallMs + 7 * 24 * HOUR_MS).getUTCMonth() !== day.getUTCMonth();
  const week = isLast ? '-1' : String(Math.ceil(day.getUTCDate() / 7));
  return `FREQ=YEARLY;BYMONTH=${String(day.getUTCMonth() + 1)};BYDAY=${week}SU`;
}

function datesOf(dates: readonly string[], form: ZoneForm): readonly string[] {
  return form === 'rdate-list' ? [`RDATE:${dates.join(',')}`] : dates.map((date) => `RDATE:${date}`);
}

export function zoneText(name: string, zone: string, form: ZoneForm, year = 2020): string {
  const changes = changesOf(zone, year, form === 'single' ? year : 2030);
  const partOf = (direction: number): readonly string[] => {
    const own = changes.filter(({ from, to }) => Math.sign(to - from) === direction);
    const [first] = own;
    if (first === undefined) {
      return [];
    }
    const kind = direction === 1 ? 'DAYLIGHT' : 'STANDARD';
    const isRule = form === 'rrule' || form === 'interval';
    return [
      `BEGIN:${kind}`,
      `DTSTART:${form === 'interval' ? '16010101T020000' : stamp(first.wallMs)}`,
      `TZOFFSETFROM:${offset(first.from)}`,
      `TZOFFSETTO:${offset(first.to)}`,
      ...(isRule ? [`RRULE:${ruleOf(first)}${form === 'interval' ? ';INTERVAL=1' : ''}`] : []),
      ...(form === 'rdate-list' || form === 'rdate-lines'
        ? datesOf(
            own.map(({ wallMs }) => stamp(wallMs)),
            form,
          )
        : []),
      `END:${kind}`,
    ];
  };
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...partOf(-1), ...partOf(1), 'END:VTIMEZONE', ''].join('\r\n');
}
