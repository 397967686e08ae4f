// Writes calendars for tests, as portals do, and with any mistake that a test wants in them.

/** Lines of one entry: a name with an all-day stay from 1 to 4 May 2026, unless the lines say otherwise. */
export function event(...lines: readonly string[]): string {
  const has = (name: string): boolean => lines.some((line) => line.startsWith(name));
  const defaults = [
    ...(has('UID') ? [] : ['UID:b-1']),
    ...(has('DTSTART') ? [] : ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260504']),
  ];
  return ['BEGIN:VEVENT', ...defaults, ...lines, 'END:VEVENT', ''].join('\r\n');
}

export function calendar(...parts: readonly string[]): string {
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tests//EN\r\n${parts.join('')}END:VCALENDAR\r\n`;
}

/** The rules of a zone one hour ahead, two in summer. */
export function zoneRules(name: string): string {
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    'BEGIN:STANDARD',
    'DTSTART:19961027T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:19810329T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    '',
  ].join('\r\n');
}

/** From the beginning of 2026 to that of 2027. */
export const SPAN_2026 = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2027, 0, 1) };
