// Malicious calendars, drawn at random: mutations of real ones, and forms made to hurt.
import fc from 'fast-check';
import { calendar, event, zoneRules } from './calendar-text.ts';

const REAL: readonly string[] = [
  calendar(
    event(
      'SUMMARY:Reserved',
      'DESCRIPTION:Reservation URL: https://portal.example/1\\nPhone Number (Last 4 Digits): 0042',
    ),
  ),
  calendar(
    'METHOD:PUBLISH\r\n',
    zoneRules('Europe/Berlin'),
    event(
      'DTSTART;TZID=Europe/Berlin:20260501T150000',
      'DTEND;TZID=Europe/Berlin:20260504T110000',
      'SEQUENCE:2',
      'STATUS:CONFIRMED',
    ),
    event('UID:b-2', 'RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=5', 'EXDATE;VALUE=DATE:20260515'),
    event('UID:b-2', 'RECURRENCE-ID;VALUE=DATE:20260508', 'DTSTART;VALUE=DATE:20260509'),
  ),
];

/** Lines that are put into a calendar, again and again. */
const SCRAPS: readonly string[] = [
  'BEGIN:VEVENT\r\n',
  'END:VEVENT\r\n',
  'BEGIN:VCALENDAR\r\n',
  'END:VCALENDAR\r\n',
  'BEGIN:VTIMEZONE\r\n',
  'END:\r\n',
  'BEGIN:\r\n',
  '\r\n ',
  '\r\n\t',
  '\n',
  '\r',
  '\u0000',
  '\uFEFF',
  '"',
  ';',
  ':',
  ',',
  '\\',
  '^',
  '=',
  '%s',
  '\u{1F600}',
  '\uFFFD',
  'DTSTART:',
  'DTSTART;TZID=',
  'DTEND;VALUE=DATE:',
  'DURATION:P',
  'RRULE:FREQ=',
  'RDATE;VALUE=PERIOD:',
  'EXDATE:',
  '19700101',
  '21991231T235959Z',
  '00000000T000000',
  '99999999999999999999',
  '-1',
  'NaN',
  '__proto__',
  'constructor',
];

const RULE_PARTS: readonly string[] = [
  ...['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'daily', ''].map(
    (word) => `FREQ=${word}`,
  ),
  ...['0', '-1', '1', '366', '367', '999999999999', 'x', ''].flatMap((number) => [
    `INTERVAL=${number}`,
    `COUNT=${number}`,
  ]),
  ...['20260601', '99991231T235959Z', '0', 'never'].map((time) => `UNTIL=${time}`),
  'BYDAY=MO',
  'BYDAY=5MO',
  'BYDAY=-5SU,53FR',
  'BYDAY=XX',
  'BYMONTHDAY=31',
  'BYMONTHDAY=-31,0,32',
  'BYMONTH=2',
  'BYMONTH=13',
  'BYYEARDAY=366',
  'BYYEARDAY=-366',
  'BYWEEKNO=53',
  'BYSETPOS=-366,366',
  'BYHOUR=0,1,2,3,4,5,6',
  'BYSECOND=60',
  'WKST=SU',
  'RSCALE=HEBREW',
  `BYSECOND=${Array.from({ length: 60 }, (_, second) => second).join(',')}`,
  `BYMINUTE=${Array.from({ length: 60 }, (_, minute) => minute).join(',')}`,
];

/** Real calendars with pieces cut out, doubled, swapped and put in. */
const mutated = fc
  .tuple(
    fc.constantFrom(...REAL),
    fc.array(
      fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.constantFrom(...SCRAPS), fc.integer({ min: 1, max: 30 })),
      { minLength: 1, maxLength: 12 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((edited, [at, length, scrap, times]) => {
      const from = at % (edited.length + 1);
      return edited.slice(0, from) + scrap.repeat(times) + edited.slice(from + length);
    }, text),
  );

const ruled = fc
  .array(
    fc.tuple(
      fc.constantFrom('RRULE', 'RRULE', 'EXRULE'),
      fc.uniqueArray(fc.constantFrom(...RULE_PARTS), { minLength: 1, maxLength: 5 }),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .chain((rules) =>
    fc
      .constantFrom(
        'DTSTART;VALUE=DATE:20260501',
        'DTSTART;VALUE=DATE:19700101',
        'DTSTART;TZID=Europe/Berlin:20240229T150000',
        'DTSTART:20260501T150000Z',
      )
      .map((start) =>
        calendar(
          event(
            start,
            ...(start.includes('DATE:') ? [] : ['DURATION:PT1H']),
            ...rules.map(([name, parts]) => `${name}:${parts.join(';')}`),
          ),
          zoneRules('Europe/Berlin').replaceAll('FREQ=YEARLY;BYMONTH=3', rules[0]?.[1].join(';') ?? ''),
        ),
      ),
  );

const scrapped = fc
  .array(fc.tuple(fc.constantFrom(...SCRAPS), fc.integer({ min: 1, max: 200 })), { maxLength: 60 })
  .map(
    (scraps) =>
      `BEGIN:VCALENDAR\r\n${scraps.map(([scrap, times]) => scrap.repeat(times)).join('')}END:VCALENDAR\r\n`,
  );

const bytes = fc.uint8Array({ maxLength: 3_000 }).map((drawn) => new TextDecoder('latin1').decode(drawn));

export const hostileCalendars: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: mutated, weight: 5 },
  { arbitrary: ruled, weight: 2 },
  { arbitrary: scrapped, weight: 2 },
  { arbitrary: bytes, weight: 1 },
  { arbitrary: bytes.map((noise) => calendar(event(`SUMMARY:${noise}`))), weight: 1 },
);

/** Of the size that is allowed at most, each made to hurt in one way. */
export function largeHostileCalendars(): readonly (readonly [string, string])[] {
  const never = 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31';
  const numbered = (count: number, ...lines: readonly string[]): string =>
    calendar(...Array.from({ length: count }, (_, n) => event(`UID:${String(n)}`, ...lines)));
  return [
    ['a line of ten million letters', calendar(event(`DESCRIPTION:${'x'.repeat(10_000_000)}`))],
    ['two million folds', calendar(event(`SUMMARY:${'\r\n x'.repeat(2_000_000)}`))],
    ['a million blank lines', calendar(event('\n'.repeat(9_000_000)))],
    ['three million tiny lines', calendar('A:\n'.repeat(3_000_000))],
    ['a million components', `BEGIN:VCALENDAR\r\n${'BEGIN:X\r\n'.repeat(1_000_000)}`],
    ['a million ends', calendar('END:X\r\n'.repeat(1_000_000))],
    ['zeros', '\u0000'.repeat(9_000_000)],
    ['ten thousand entries of a thousand letters', numbered(10_000, `DESCRIPTION:${'y'.repeat(900)}`)],
    ['one entry too many', numbered(10_001)],
    ['a thousand rules that never come true', numbered(1_000, never)],
    ['ten thousand rules without an end', numbered(10_000, 'RRULE:FREQ=DAILY')],
    ['rules by the second', numbered(10_000, 'RRULE:FREQ=SECONDLY')],
    [
      'half a million excepted days',
      calendar(
        event(
          'RRULE:FREQ=DAILY',
          ...Array.from({ length: 100 }, () => `EXDATE:${'20260101T000000,'.repeat(6_000)}20260101`),
        ),
      ),
    ],
    [
      'half a million additional days',
      calendar(
        event(
          ...Array.from(
            { length: 100 },
            (_, n) => `RDATE:${Array.from({ length: 6_000 }, (_day, m) => stamp(n * 6_000 + m)).join(',')}`,
          ),
        ),
      ),
    ],
    ['two million parameters', numbered(90, `SUMMARY${';A=b'.repeat(24_000)}:x`)],
    [
      'ten thousand times one uid',
      calendar(
        ...Array.from({ length: 10_000 }, (_, n) =>
          event('RECURRENCE-ID:20260501T000000Z', `SEQUENCE:${String(n)}`),
        ),
      ),
    ],
    [
      'a hundred zones with rules that never come true',
      calendar(
        ...Array.from({ length: 100 }, (_, n) =>
          zoneOf(`Z${String(n)}`, 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31'),
        ),
      ),
    ],
    ['quotes without an end', numbered(1_000, `SUMMARY;X="${'a'.repeat(8_000)}`)],
    ['escapes alone', calendar(event(`DESCRIPTION:${'\\n'.repeat(4_000_000)}`))],
  ];
}

const stamp = (n: number): string => new Date(n * 60_000).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

function zoneOf(name: string, rule: string): string {
  const zone = zoneRules(name).replaceAll(/FREQ=YEARLY;BYMONTH=3[^\r]*/g, rule);
  return zone + event(`UID:${name}`, `DTSTART;TZID=${name}:20260710T150000`, 'DURATION:PT1H');
}
