// Calendars as programs really write them: ids that say nothing, poor zones, other encodings, properties that are broken.
import { describe, expect, it } from 'vitest';
import { parseBody, parseCalendar } from '../../../../../src/features/stays/calendar/parse-calendar.ts';
import { calendar, event, SPAN_2026 } from '../../../../support/calendar-text.ts';
import { zoneText } from '../../../../support/zone-text.ts';

function read(...parts: readonly string[]) {
  const parsed = parseCalendar(calendar(...parts), SPAN_2026);
  if (parsed.kind === 'failed') {
    throw new Error(parsed.problem);
  }
  return parsed;
}

const days = (from: string, until: string): readonly string[] => [
  `DTSTART;VALUE=DATE:202605${from}`,
  `DTEND;VALUE=DATE:202605${until}`,
];

describe('no entry vanishes in silence (faults#155)', () => {
  it.each<readonly [string, readonly string[]]>([
    ['one uid for all entries', ['UID:portal', 'UID:portal', 'UID:portal']],
    ['no uid', ['UID:', 'UID:', 'UID:']],
    [
      'a uid beyond measure',
      [`UID:${'x'.repeat(2_000)}`, `UID:${'x'.repeat(2_001)}`, `UID:${'x'.repeat(2_002)}`],
    ],
    [
      'one uid and a time as SEQUENCE',
      ['UID:p\r\nSEQUENCE:1764200000', 'UID:p\r\nSEQUENCE:1764100000', 'UID:p\r\nSEQUENCE:1764000000'],
    ],
    [
      'one uid and a SEQUENCE that is none',
      ['UID:p\r\nSEQUENCE:first', 'UID:p\r\nSEQUENCE:', 'UID:p\r\nSEQUENCE:-4'],
    ],
  ])('with %s each is a booking, under the same id in each reading', (_, heads) => {
    const parts = heads.map((head, index) =>
      event(
        ...head.split('\r\n'),
        `SUMMARY:Guest ${String(index)}`,
        ...days(`1${String(2 * index)}`, `1${String(2 * index + 2)}`),
      ),
    );
    const { entries, leftOut } = read(...parts);
    expect([new Set(entries.map(({ uid }) => uid)).size, leftOut]).toEqual([3, 0]);
    const again = read(...parts.toReversed()).entries.map(({ uid }) => uid);
    expect(again.toSorted()).toEqual(entries.map(({ uid }) => uid).toSorted());
  });

  it('two versions of one booking are one, the one with the higher SEQUENCE', () => {
    const [old, fresh] = ['1', '2'].map((sequence) =>
      event(`SEQUENCE:${sequence}`, `SUMMARY:v${sequence}`, ...days('10', '13')),
    );
    expect(read(fresh ?? '', old ?? '').entries).toMatchObject([{ uid: 'b-1', summary: 'v2' }]);
  });

  it.each([
    'RRULE:every week',
    'RRULE:',
    'RRULE:COUNT=3',
    'RRULE;X=1:FREQ',
    'RRULE:RSCALE=HEBREW;FREQ=YEARLY',
    'RRULE:FREQ=WEEKLY;UNTLI=20260601',
    'RRULE:FREQ=WEEKLY;UNTIL:20260601',
    'RRULE:FREQ=WEEKLY;UNTIL',
    'RRULE:FREQ=WEEKLY;UNTIL=',
    'RRULE:FREQ=WEEKLY;UNTIL=tomorrow',
    'RRULE:FREQ=WEEKLY;UNTIL=2026-06-01',
    'RRULE:FREQ=WEEKLY;UNTIL=20260631',
    'RRULE:FREQ=WEEKLY;CONT=3',
    'RRULE:FREQ=WEEKLY;COUNT=-3',
    'RRULE:FREQ=WEEKLY;COUNT=x',
  ])('an entry with "%s" is read once, and named', (rule) => {
    const { entries, leftOut, badRules } = read(event('SUMMARY:Anna', rule, ...days('10', '13')));
    expect([entries.length, leftOut, badRules]).toEqual([1, 0, ['Anna, 2026-05-10']]);
  });

  it('a series with an end ends there, whatever its count says', () => {
    const { entries, badRules } = read(
      event('RRULE:FREQ=WEEKLY;UNTIL=20260601;COUNT=-1', ...days('10', '13')),
    );
    expect([entries.length, badRules]).toEqual([4, []]);
  });

  it('series without a uid are as many series', () => {
    const weekly = (day: string): string =>
      event(
        'UID:',
        `SUMMARY:Guest ${day}`,
        ...days(day, String(Number(day) + 1)),
        'RRULE:FREQ=WEEKLY;COUNT=2',
      );
    const { entries, leftOut } = read(weekly('10'), weekly('12'), weekly('14'));
    expect([new Set(entries.map(({ uid }) => uid)).size, leftOut]).toEqual([6, 0]);
  });

  it('a month before the start is not counted among the times of a rule', () => {
    const { entries } = read(
      event(
        'DTSTART:20260916T150000Z',
        'DTEND:20260917T110000Z',
        'RRULE:FREQ=MONTHLY;COUNT=4;BYDAY=3WE;BYMONTH=1,9,10,11,12',
      ),
    );
    expect(entries.map(({ start }) => JSON.stringify(start))).toHaveLength(4);
  });

  it('what is left out is named', () => {
    const { leftOut, leftOutNames } = read(
      event('UID:whole'),
      event('SUMMARY:Anna', 'DTSTART:20260512T150000Z'),
    );
    expect([leftOut, leftOutNames]).toEqual([1, ['Anna, 2026-05-12']]);
  });
});

describe('nights of a series', () => {
  const daysOf = (...lines: readonly string[]): readonly string[] =>
    read(...lines)
      .entries.map(({ start }) => (start.kind === 'day' ? start.day.slice(5) : start.kind))
      .toSorted((a, b) => a.localeCompare(b));

  it('that are written as midnights are left out by midnights, and moved by them', () => {
    const at = (name: string, day: string): string => `${name};TZID=Europe/Berlin:202605${day}T000000`;
    expect(
      daysOf(
        event(at('DTSTART', '01'), at('DTEND', '03'), 'RRULE:FREQ=WEEKLY;COUNT=4', at('EXDATE', '08')),
        event(at('RECURRENCE-ID', '15'), at('DTSTART', '16'), at('DTEND', '18')),
      ),
    ).toEqual(['05-01', '05-16', '05-22']);
  });

  it('are moved by a midnight where the series is one of days', () => {
    expect(
      daysOf(
        event(...days('01', '03'), 'RRULE:FREQ=WEEKLY;COUNT=2'),
        event('RECURRENCE-ID:20260508T000000Z', ...days('09', '11')),
      ),
    ).toEqual(['05-01', '05-09']);
  });
});

describe('one bad property never costs an entry (faults#165)', () => {
  it.each([
    'DTSTAMP:now',
    'DTSTAMP:00000000T000000Z',
    'LAST-MODIFIED:-1',
    'LAST-MODIFIED;VALUE=DATE:never',
    'SUMMARY',
    'SEQUENCE:x',
    'EXDATE:soon',
    'RDATE:later',
    'DURATION:forever',
    'RRULE:FREQ=SOMETIMES',
    'STATUS',
    'DESCRIPTION;ALTREP="http:',
  ])('%s', (line) => {
    expect(read(event(line, ...days('10', '13')))).toMatchObject({
      leftOut: 0,
      entries: [{ start: { day: '2026-05-10' }, end: { day: '2026-05-13' } }],
    });
  });
});

describe('the text of a calendar (faults#165)', () => {
  const text = calendar(event('SUMMARY:Jörg Müller', ...days('10', '13')));
  const bodyOf = (bytes: Uint8Array, contentType = 'text/calendar') => {
    const own = new Uint8Array(new ArrayBuffer(bytes.length));
    own.set(bytes);
    return parseBody({ body: { bytes: own, contentEncoding: undefined, contentType }, span: SPAN_2026 });
  };
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

  it.each<readonly [form: string, bytes: Uint8Array, type: string | undefined]>([
    ['UTF-8', Buffer.from(text), undefined],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`), undefined],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le'), undefined],
    ['UTF-16, the other way round', swapped(Buffer.from(`\uFEFF${text}`, 'utf16le')), undefined],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), undefined],
    ['Latin-1', Buffer.from(text, 'latin1'), undefined],
    ['Latin-1 that is called UTF-8', Buffer.from(text, 'latin1'), 'text/calendar; charset=utf-8'],
    ['UTF-8 that is called Latin-2 of no such name', Buffer.from(text), 'text/calendar; charset=x-unknown'],
    ['lines that end with CR alone', Buffer.from(text.replaceAll('\r\n', '\r')), undefined],
  ])('is read in %s', (_, bytes, type) => {
    expect(bodyOf(bytes, type)).toMatchObject({ entries: [{ summary: 'Jörg Müller' }] });
  });
});

describe('a zone (faults#165)', () => {
  const stay = (zone: string, day: string): string =>
    event(`UID:${zone}${day}`, `DTSTART;TZID=${zone}:${day}T150000`, `DTEND;TZID=${zone}:${day}T180000`);
  const startsIn = (zone: string, rules: string): readonly string[] =>
    read(rules, stay(zone, '20260110'), stay(zone, '20260710')).entries.map(({ start }) =>
      start.kind === 'instant' ? new Date(start.at).toISOString().slice(11, 16) : start.kind,
    );

  it.each(['rrule', 'rdate-list', 'rdate-lines', 'interval'] as const)(
    'of its own rules is read with %s',
    (form) => {
      expect(startsIn('Home', zoneText('Home', 'Europe/Berlin', form))).toEqual(['14:00', '13:00']);
      expect(startsIn('Away', zoneText('Away', 'America/New_York', form))).toEqual(['20:00', '19:00']);
    },
  );

  it('that the system knows is that one, whatever the rules say', () => {
    const poor = zoneText('Europe/Berlin', 'America/New_York', 'rrule');
    expect(startsIn('Europe/Berlin', poor)).toEqual(['14:00', '13:00']);
    const outdated = zoneText('America/New_York', 'America/New_York', 'single', 1998);
    expect(startsIn('America/New_York', outdated)).toEqual(['20:00', '19:00']);
    expect(startsIn('Romance Standard Time', poor)).toEqual(['14:00', '13:00']);
    expect(
      startsIn(
        'Flat',
        zoneText('Flat', 'America/New_York', 'single', 1998).replace(
          'TZID:Flat',
          'TZID:Flat\r\nX-LIC-LOCATION:Europe/Berlin',
        ),
      ),
    ).toEqual(['14:00', '13:00']);
  });

  it('whose rules have ended is said, and read on no other clock', () => {
    const zone = zoneText('Home', 'Europe/Berlin', 'single', 2019);
    const nights = event('DTSTART;TZID=Home:20260510T150000', 'DTEND;TZID=Home:20260513T110000');
    expect(read(zone, nights)).toMatchObject({
      entries: [{ start: { day: '2026-05-10' }, end: { day: '2026-05-13' } }],
    });
    expect(read(nights.replaceAll('Home', 'Nowhere')).unknownZones).toEqual(['Nowhere']);
  });
});
