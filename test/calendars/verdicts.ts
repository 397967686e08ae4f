// Why the plugin reads a calendar in another way than other programs do.

export interface Difference {
  readonly name: string;
  readonly text: string;
  /** What the plugin reads, in one line. */
  readonly own: string;
  /** What others read, by their names; `meant`: what a generated calendar means. */
  readonly others: Readonly<Record<string, string>>;
}

const OF_FILES: Readonly<Record<string, string>> = {
  'icalendar/issue_165_missing_event.ics': 'blanks in a list of days hide no stay',
  'icalendar/rfc_7529.ics': 'rules of other calendars than the Gregorian are named; the first time counts',
  'recurring-ical-events/Germany_Holidays.ics': 'a day that ends on itself is that day',
  'recurring-ical-events/end_before_start_event.ics':
    'a stay that ends before it begins is left out and counted',
  'recurring-ical-events/issue_117_until_before_dtstart.ics':
    'the first time of a series always counts (RFC 5545, 3.8.5.3)',
  'recurring-ical-events/issue_75_range_parameter.ics':
    'changes from one occurrence on are left out and counted',
  'recurring-ical-events/issue_86_x_wr_timezone_without_time_zone_in_dt.ics':
    'hours without a zone are on the clocks of the lock',
};

/** Null where nothing explains the difference. */
export function verdictOn({ name, text, own, others }: Difference): string | null {
  const { meant } = others;
  if (meant !== undefined) {
    if (meant === own) {
      return 'ours is what the calendar means';
    }
    // Morocco has another time from September 2026 on.
    return /TZID=Africa\/Casablanca/.test(text) && (process.versions['tz'] ?? '') < '2026d'
      ? 'a limit: the time zones of Node are older than those of the writer'
      : null;
  }
  const agreeing = Object.keys(others).filter((reader) => others[reader] === own);
  if (agreeing.length > 0) {
    return `as ${agreeing.join(' and ')} reads it`;
  }
  const bare = Object.keys(others).filter((reader) => staysIn(others[reader] ?? '') === staysIn(own));
  if (bare.length > 0) {
    return staysIn(own) === ''
      ? `no stay can be read from it, as ${bare.join(' and ')} says`
      : `as ${bare.join(' and ')} reads it, without entries that last no time`;
  }
  if (/RDATE[^\n]*VALUE=PERIOD/.test(text)) {
    return 'a limit: additional times last as long as the first, also where they are periods';
  }
  return OF_FILES[name] ?? null;
}

/** Without words of errors, and without entries that end when they begin: nobody stays there. */
function staysIn(read: string): string {
  return read
    .split(' ')
    .filter((one) => {
      const [, start, end] = /^((?:local:)?[\dT:-]+?)-((?:local:)?[\d][\dT:-]*)$/.exec(one) ?? [];
      return start !== undefined && start !== end;
    })
    .join(' ');
}
