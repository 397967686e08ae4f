// The entries that are read from each form of calendar, and those that are left out.
import { describe, expect, it } from 'vitest';
import { parseCalendar } from '../../../../../src/features/stays/calendar/parse-calendar.ts';
import type { CalendarEntry } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import { calendar, event, SPAN_2026, zoneRules } from '../../../../support/calendar-text.ts';

function entriesOf(...parts: readonly string[]): readonly CalendarEntry[] {
  const parsed = parseCalendar(calendar(...parts), SPAN_2026);
  if (parsed.kind === 'failed') {
    throw new Error(parsed.problem);
  }
  return parsed.entries;
}

function leftOutOf(...parts: readonly string[]): number {
  const parsed = parseCalendar(calendar(event('UID:whole'), ...parts), SPAN_2026);
  return parsed.kind === 'failed' ? Number.NaN : parsed.leftOut;
}

const problemOf = (text: string): string => {
  const parsed = parseCalendar(text, SPAN_2026);
  return parsed.kind === 'failed' ? parsed.problem : `${String(parsed.entries.length)} entries`;
};

/** `start to end` of each entry, instants as text. */
const timesOf = (entries: readonly CalendarEntry[]): readonly string[] =>
  entries.map(({ start, end }) =>
    [start, end]
      .map((time) =>
        time.kind === 'day'
          ? time.day
          : time.kind === 'local'
            ? time.local
            : new Date(time.at).toISOString().slice(0, 16) + 'Z',
      )
      .join(' to '),
  );
const uidsOf = (entries: readonly CalendarEntry[]): readonly string[] => entries.map(({ uid }) => uid);

describe('the times of an entry', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['whole days', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260504'], '2026-05-01 to 2026-05-04'],
    [
      'whole days without the word for it',
      ['DTSTART:20260501', 'DTEND:20260504'],
      '2026-05-01 to 2026-05-04',
    ],
    ['one day without an end', ['DTSTART;VALUE=DATE:20260501'], '2026-05-01 to 2026-05-02'],
    [
      'one day that ends on itself',
      ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260501'],
      '2026-05-01 to 2026-05-02',
    ],
    ['days that last', ['DTSTART;VALUE=DATE:20260501', 'DURATION:P1W2D'], '2026-05-01 to 2026-05-10'],
    ['UTC', ['DTSTART:20260501T150000Z', 'DTEND:20260504T110000Z'], '2026-05-01T15:00Z to 2026-05-04T11:00Z'],
    [
      'hours that last',
      ['DTSTART:20260501T150000Z', 'DURATION:PT20H30M'],
      '2026-05-01T15:00Z to 2026-05-02T11:30Z',
    ],
    ['no zone', ['DTSTART:20260501T150000', 'DTEND:20260504T110000'], '2026-05-01T15:00 to 2026-05-04T11:00'],
    [
      'a bare name',
      ['DTSTART;TZID=America/New_York:20260501T150000', 'DTEND;TZID=America/New_York:20260504T110000'],
      '2026-05-01T19:00Z to 2026-05-04T15:00Z',
    ],
    [
      'a quoted name',
      ['DTSTART;TZID="America/New_York":20260501T150000', 'DTEND:20260504T150000Z'],
      '2026-05-01T19:00Z to 2026-05-04T15:00Z',
    ],
    [
      'a name behind a vendor',
      [
        'DTSTART;TZID=/vendor.example/20260101_1/Europe/Berlin:20260501T150000',
        'DTEND;TZID=Europe/Berlin:20260504T110000',
      ],
      '2026-05-01T13:00Z to 2026-05-04T09:00Z',
    ],
    [
      'a name of Windows',
      [
        'DTSTART;TZID=W. Europe Standard Time:20260501T150000',
        'DTEND;TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna":20260504T110000',
      ],
      '2026-05-01T13:00Z to 2026-05-04T09:00Z',
    ],
    [
      'an offset as a name',
      ['DTSTART;TZID=GMT+0200:20260501T150000', 'DTEND;TZID=UTC-05:30:20260504T110000'],
      '2026-05-01T13:00Z to 2026-05-04T16:30Z',
    ],
    [
      'a name that nothing explains, by their days',
      ['DTSTART;TZID=Nowhere:20260501T150000', 'DTEND;TZID=Nowhere:20260504T110000'],
      '2026-05-01 to 2026-05-04',
    ],
    [
      'midnights in a zone',
      ['DTSTART;TZID=Asia/Tokyo:20260501T000000', 'DTEND;TZID=Asia/Tokyo:20260504T000000'],
      '2026-05-01 to 2026-05-04',
    ],
    [
      'midnights without one',
      ['DTSTART:20260501T000000', 'DTEND:20260503T235959'],
      '2026-05-01 to 2026-05-04',
    ],
    ['midnights in UTC', ['DTSTART:20260501T000000Z', 'DTEND:20260503T235900Z'], '2026-05-01 to 2026-05-04'],
    [
      'days with hours behind them',
      ['DTSTART;VALUE=DATE:20260501T150000Z', 'DTEND;VALUE=DATE:20260504T000000'],
      '2026-05-01 to 2026-05-04',
    ],
    [
      'a day and an hour',
      ['DTSTART;VALUE=DATE:20260501', 'DTEND:20260504T110000Z'],
      '2026-05-01 to 2026-05-04T11:00Z',
    ],
    [
      'a day and a midnight',
      ['DTSTART;VALUE=DATE:20260501', 'DTEND:20260504T000000Z'],
      '2026-05-01 to 2026-05-04',
    ],
    [
      'dashes and an offset',
      ['DTSTART:2026-05-01T15:00:00+02:00', 'DTEND:2026-05-04 11:00'],
      '2026-05-01T13:00Z to 2026-05-04T11:00',
    ],
    [
      'no seconds',
      ['DTSTART:20260501T1500Z', 'DTEND:20260504T1100Z'],
      '2026-05-01T15:00Z to 2026-05-04T11:00Z',
    ],
    [
      'a change of the clocks within',
      ['DTSTART;TZID=Europe/Berlin:20261024T150000', 'DTEND;TZID=Europe/Berlin:20261026T110000'],
      '2026-10-24T13:00Z to 2026-10-26T10:00Z',
    ],
    [
      'a duration of days across that change',
      ['DTSTART;TZID=Europe/Berlin:20261024T150000', 'DURATION:P2D'],
      '2026-10-24T13:00Z to 2026-10-26T14:00Z',
    ],
    [
      'an hour that the clocks skip',
      ['DTSTART;TZID=Europe/Berlin:20260329T023000', 'DTEND;TZID=Europe/Berlin:20260330T110000'],
      '2026-03-29T01:00Z to 2026-03-30T09:00Z',
    ],
  ])('are read: %s', (_form, lines, expected) => {
    expect(timesOf(entriesOf(event(...lines)))).toEqual([expected]);
  });

  it.each(['Europe/Berlin', 'W. Europe Standard Time', 'Nowhere'])(
    'follow the rules of the calendar itself for %s, in winter and in summer',
    (name) => {
      const stay = (day: string): string =>
        event(`UID:${day}`, `DTSTART;TZID=${name}:${day}T150000`, `DTEND;TZID=${name}:${day}T180000`);
      expect(timesOf(entriesOf(zoneRules(name), stay('20260110'), stay('20260710')))).toEqual([
        '2026-01-10T14:00Z to 2026-01-10T17:00Z',
        '2026-07-10T13:00Z to 2026-07-10T16:00Z',
      ]);
    },
  );

  it('follow the zone of that name where the rules of the calendar are hostile or incomplete', () => {
    const stay = event(
      'DTSTART;TZID=Europe/Berlin:20260710T150000',
      'DTEND;TZID=Europe/Berlin:20260711T150000',
    );
    const rules = zoneRules('Europe/Berlin');
    for (const broken of [
      rules.replaceAll('FREQ=YEARLY', 'FREQ=SECONDLY'),
      rules.replaceAll(/TZOFFSETTO.*\r\n/g, ''),
      rules.replaceAll('BYDAY=-1SU', 'BYDAY=-1XX'),
    ]) {
      expect(timesOf(entriesOf(broken, stay))).toEqual(['2026-07-10T13:00Z to 2026-07-11T13:00Z']);
    }
  });

  it.each<readonly [string, readonly string[]]>([
    ['hours without an end', ['DTSTART:20260501T150000Z']],
    ['an end before the start', ['DTSTART:20260501T150000Z', 'DTEND:20260501T140000Z']],
    ['no time at all', ['DTSTART:20260501T150000Z', 'DTEND:20260501T150000Z']],
    ['days that end before they begin', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260430']],
    ['a day that is none', ['DTSTART;VALUE=DATE:20260230', 'DTEND;VALUE=DATE:20260304']],
    ['an hour that is none', ['DTSTART:20260501T250000Z', 'DTEND:20260504T110000Z']],
    ['letters', ['DTSTART:tomorrow', 'DTEND:20260504T110000Z']],
    [
      'hours of one day in an unknown zone',
      ['DTSTART;TZID=Nowhere:20260501T150000', 'DTEND;TZID=Nowhere:20260501T180000'],
    ],
    ['a duration that goes back', ['DTSTART:20260501T150000Z', 'DURATION:-PT1H']],
    ['a duration of ages', ['DTSTART:20260501T150000Z', 'DURATION:P99999999W']],
    ['a year of another age', ['DTSTART;VALUE=DATE:99990101', 'DTEND;VALUE=DATE:99990102']],
    ['a rule by the second', ['RRULE:FREQ=SECONDLY']],
    ['a rule by the hour', ['RRULE:FREQ=HOURLY;COUNT=2']],
    ['a rule that never comes true', ['RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31']],
    ['a rule with its exceptions as a rule', ['RRULE:FREQ=DAILY;COUNT=3', 'EXRULE:FREQ=WEEKLY']],
    ['a change from one occurrence on', ['RECURRENCE-ID;RANGE=THISANDFUTURE:20260501']],
    [
      'a line of dates beyond measure',
      ['RRULE:FREQ=DAILY;COUNT=3', `EXDATE:${'20260101,'.repeat(12_000)}20260101`],
    ],
    ['thousands of lines', Array.from({ length: 2_001 }, () => 'EXDATE:20260101')],
  ])('are not read with %s: the entry is left out and counted', (_form, lines) => {
    expect(leftOutOf(event(...lines))).toBe(1);
  });
});

describe('an entry', () => {
  it('has a sequence number, a state and texts without their escapes', () => {
    const [entry] = entriesOf(
      event(
        'SEQUENCE:7',
        'STATUS:CANCELLED',
        'SUMMARY:Guest\\, of May',
        'DESCRIPTION:Phone:\\n+44 7700 900042',
      ),
    );
    expect(entry).toEqual({
      uid: 'b-1',
      sequence: 7,
      isCancelled: true,
      start: { kind: 'day', day: '2026-05-01' },
      end: { kind: 'day', day: '2026-05-04' },
      summary: 'Guest, of May',
      description: 'Phone:\n+44 7700 900042',
    });
  });

  it('needs no optional member', () => {
    expect(entriesOf(event())).toMatchObject([
      { sequence: 0, isCancelled: false, summary: '', description: '' },
    ]);
    expect(entriesOf(event('SEQUENCE:none', 'STATUS:CONFIRMED'))).toMatchObject([
      { sequence: 0, isCancelled: false },
    ]);
  });

  it('has one line of 200 characters, a text of 2,000, and no control characters in either (faults#65)', () => {
    const nasty = `a\\n\u0000b\u0007\u202Ec\td\u2028e ${'𝒢'.repeat(2_000)}`;
    const [entry] = entriesOf(event(`SUMMARY:${nasty}`, `DESCRIPTION:${nasty}`));
    expect(entry?.summary).toMatch(/^a bc d e 𝒢+$/u);
    expect(entry?.description).toMatch(/^a\nbc d\ne 𝒢+$/u);
    expect([entry?.summary.length, entry?.description.length]).toEqual([199, 1_999]);
    expect(`${entry?.summary ?? ''}${entry?.description ?? ''}`.isWellFormed()).toBe(true);
  });

  it('is read with folded lines, inside a letter too, and with bare line feeds', () => {
    const text = calendar(event('SUMMARY:A name that is', '  longer', 'DESCR', ' IPTION:x', '\ty'));
    for (const written of [text, text.replaceAll('\r\n', '\n'), `\uFEFF${text}`.slice(1)]) {
      expect(parseCalendar(written, SPAN_2026)).toMatchObject({
        entries: [{ summary: 'A name that is longer', description: 'xy' }],
      });
    }
  });

  it('may have alarms and other components inside, even broken ones', () => {
    const odd = [
      'BEGIN:VALARM',
      'DESCRIPTION:Not this one',
      'END:VALARM',
      'X-ODD',
      'GEO;:;',
      'ATTENDEE;CN="a:b',
    ];
    expect(entriesOf(event('DESCRIPTION:This one', ...odd))).toMatchObject([{ description: 'This one' }]);
  });

  it('is cancelled with all others by the method of its calendar', () => {
    expect(entriesOf('METHOD:CANCEL\r\n', event()).map(({ isCancelled }) => isCancelled)).toEqual([true]);
    expect(entriesOf('METHOD:PUBLISH\r\n', event()).map(({ isCancelled }) => isCancelled)).toEqual([false]);
  });

  it('has the content of the highest sequence number of its uid, in any order', () => {
    const [old, fresh] = [event('SEQUENCE:1', 'SUMMARY:old'), event('SEQUENCE:2', 'SUMMARY:new')];
    for (const parts of [
      [old, fresh],
      [fresh, old],
    ]) {
      expect(entriesOf(...parts)).toMatchObject([{ summary: 'new' }]);
    }
    const [early, late] = ['20260101T000000Z', '20260102T000000Z'].map((at) =>
      event(`SUMMARY:${at}`, `DTSTAMP:${at}`),
    );
    expect(entriesOf(late ?? '', early ?? '')).toMatchObject([{ summary: '20260102T000000Z' }]);
    expect(entriesOf(event('SUMMARY:above'), event('SUMMARY:below'))).toMatchObject([{ summary: 'below' }]);
  });

  it('is left out when it lies outside of the span, and is not counted; an entry that touches the span stays', () => {
    const on = (day: string): string => event(`UID:${day}`, `DTSTART;VALUE=DATE:${day}`);
    const parsed = parseCalendar(
      calendar(...['20251229', '20251231', '20270101', '20270103'].map(on)),
      SPAN_2026,
    );
    expect(parsed).toMatchObject({ leftOut: 0, entries: [{ uid: '20251231' }, { uid: '20270101' }] });
    const at = (time: string): string => event(`UID:${time}`, `DTSTART:${time}`, 'DURATION:PT1H');
    expect(
      uidsOf(
        entriesOf(
          ...['20251231T220000Z', '20251231T233000Z', '20261231T233000Z', '20270101T000001Z'].map(at),
        ),
      ),
    ).toEqual(['20251231T233000Z', '20261231T233000Z']);
  });
});

describe('an entry that recurs', () => {
  it('has an entry for each time, with a uid of its own and the hours of the clock', () => {
    const entries = entriesOf(
      event(
        'DTSTART;TZID=Europe/Berlin:20261022T150000',
        'DTEND;TZID=Europe/Berlin:20261023T110000',
        'RRULE:FREQ=DAILY;INTERVAL=3;COUNT=3',
      ),
    );
    expect(timesOf(entries)).toEqual([
      '2026-10-22T13:00Z to 2026-10-23T09:00Z',
      '2026-10-25T14:00Z to 2026-10-26T10:00Z',
      '2026-10-28T14:00Z to 2026-10-29T10:00Z',
    ]);
    expect(uidsOf(entries)).toEqual(['b-1/20261022T130000Z', 'b-1/20261025T140000Z', 'b-1/20261028T140000Z']);
  });

  it('ends with its rule, in each form of the rule', () => {
    const starts = (...lines: readonly string[]): readonly string[] =>
      timesOf(entriesOf(event(...lines))).map((times) => times.slice(8, 10));
    const zoned = ['DTSTART;TZID=America/New_York:20260501T220000', 'DURATION:PT9H'];
    expect(starts('RRULE:FREQ=DAILY;UNTIL=20260503')).toEqual(['01', '02', '03']);
    expect(starts(...zoned, 'RRULE:FREQ=DAILY;UNTIL=20260504T020000Z')).toEqual(['02', '03', '04']);
    expect(starts(...zoned, 'RRULE:FREQ=DAILY;UNTIL=20260504T015959Z')).toEqual(['02', '03']);
    expect(starts('RRULE:FREQ=WEEKLY;BYDAY=FR,SU;COUNT=4')).toEqual(['01', '03', '08', '10']);
    expect(starts('RRULE:FREQ=MONTHLY;BYDAY=1FR;COUNT=2', 'RDATE;VALUE=DATE:20260520')).toEqual([
      '01',
      '05',
      '20',
    ]);
  });

  it('leaves out its exceptions, by time or by day', () => {
    const hours = ['DTSTART:20260501T150000Z', 'DURATION:PT20H', 'RRULE:FREQ=DAILY;COUNT=4'];
    const of = (line: string): readonly string[] =>
      uidsOf(entriesOf(event(...hours, line))).map((uid) => uid.slice(10, 12));
    expect(of('EXDATE:20260502T150000Z,20260504T150000Z')).toEqual(['01', '03']);
    expect(of('EXDATE;TZID=Europe/Berlin:20260502T170000')).toEqual(['01', '03', '04']);
    expect(of('EXDATE;VALUE=DATE:20260503')).toEqual(['01', '02', '04']);
    expect(of('EXDATE:20260502T140000Z')).toEqual(['01', '02', '03', '04']);
  });

  it('may move, rename or cancel a single time, which keeps its uid', () => {
    const series = event('RRULE:FREQ=WEEKLY;COUNT=3', 'SUMMARY:Cleaning');
    const moved = event('RECURRENCE-ID;VALUE=DATE:20260508', 'DTSTART;VALUE=DATE:20260509', 'SUMMARY:Moved');
    const cancelled = event(
      'RECURRENCE-ID;VALUE=DATE:20260515',
      'DTSTART;VALUE=DATE:20260515',
      'STATUS:CANCELLED',
    );
    for (const parts of [
      [series, moved, cancelled],
      [cancelled, moved, series],
    ]) {
      const entries = entriesOf(...parts).toSorted((one, other) => (one.uid < other.uid ? -1 : 1));
      expect(entries.map(({ uid, summary, isCancelled }) => [uid, summary, isCancelled])).toEqual([
        ['b-1/20260501', 'Cleaning', false],
        ['b-1/20260508', 'Moved', false],
        ['b-1/20260515', '', true],
      ]);
      expect(timesOf(entries)[1]).toBe('2026-05-09 to 2026-05-10');
    }
  });

  it('includes a single time whose series is missing', () => {
    expect(uidsOf(entriesOf(event('RECURRENCE-ID:20260501T150000Z')))).toEqual(['b-1/20260501T150000Z']);
  });

  it('is expanded within the span alone, however long its rule goes on', () => {
    const entries = entriesOf(event('DTSTART;VALUE=DATE:20100101', 'RRULE:FREQ=MONTHLY'));
    expect([entries.length, timesOf(entries)[0], timesOf(entries).at(-1)]).toEqual([
      13,
      '2026-01-01 to 2026-01-02',
      '2027-01-01 to 2027-01-02',
    ]);
  });

  it('ends the reading of its calendar when all rules together take 400,000 steps', () => {
    const never = (count: number): string =>
      calendar(
        event('UID:whole'),
        ...Array.from({ length: count }, (_, n) =>
          event(`UID:${String(n)}`, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31'),
        ),
      );
    expect(parseCalendar(never(19), SPAN_2026)).toMatchObject({ kind: 'entries', leftOut: 19 });
    expect(problemOf(never(21))).toBe('too-slow');
  });

  it('makes no more than 10,000 entries', () => {
    const hourly = `RRULE:FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join(',')}`;
    const many = event('DTSTART:20260101T000000Z', 'DURATION:PT1H', hourly);
    expect(problemOf(calendar(many))).toBe('8761 entries');
    expect(problemOf(calendar(many, many.replace('b-1', 'b-2')))).toBe('too-many-entries');
  });
});

describe('a calendar', () => {
  it.each([
    ['nothing', '', 'empty'],
    ['blank lines', '\r\n \r\n\r\n', 'empty'],
    ['a web page', '<!DOCTYPE html>\n<html></html>', 'web-page'],
    ['a web page further below', '\n\n  <html>BEGIN:VCALENDAR</html>', 'web-page'],
    ['a card', 'BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n', 'not-a-calendar'],
    ['JSON', '{"error":"no"}', 'not-a-calendar'],
    ['words before it', `Hello\r\n${calendar(event())}`, 'not-a-calendar'],
    ['no end', calendar(event()).replace('END:VCALENDAR\r\n', ''), 'incomplete'],
    ['a break in an entry', calendar(event(), event('UID:b-2')).slice(0, -40), 'incomplete'],
    ['its beginning alone', 'BEGIN:VCALENDAR', 'incomplete'],
    ['no entries', calendar(), '0 entries'],
    ['other things than entries', calendar('BEGIN:VTODO\r\nUID:x\r\nEND:VTODO\r\n'), '0 entries'],
    [
      'entries that are all broken',
      calendar(event('DTSTART:never'), event('DTSTART:soon')),
      'nothing-understood',
    ],
    [
      '10,000 entries',
      calendar(...Array.from({ length: 10_000 }, (_, n) => event(`UID:${String(n)}`))),
      '10000 entries',
    ],
    [
      'one more',
      calendar(...Array.from({ length: 10_001 }, (_, n) => event(`UID:${String(n)}`))),
      'too-many-entries',
    ],
    ['depths', `BEGIN:VCALENDAR\r\n${'BEGIN:X\r\n'.repeat(100_000)}`, 'not-a-calendar'],
    ['another one after it', calendar(event()) + calendar(event('UID:b-2')), '2 entries'],
    ['words after it', `${calendar(event())}<!-- made by a portal -->`, '1 entries'],
    [
      'small letters',
      calendar(event()).replaceAll(/BEGIN:VCALENDAR|END:VEVENT/g, (word) => word.toLowerCase()),
      '1 entries',
    ],
  ])('is refused with %s', (_form, text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  it.each([
    ['has no end', event('UID:broken').replace('END:VEVENT\r\n', '')],
    ['has no end before the next', event('UID:broken').replace('END:VEVENT\r\n', '') + event('UID:b-2')],
    ['has no start', 'BEGIN:VEVENT\r\nUID:x\r\nEND:VEVENT\r\n'],
  ])('leaves out an entry that %s, counts it and keeps the others', (_form, broken) => {
    expect(leftOutOf(broken)).toBe(1);
  });

  it('ignores an END without its BEGIN, and an alarm without an END', () => {
    expect(leftOutOf('END:VEVENT\r\n', event('BEGIN:VALARM', 'TRIGGER:x'))).toBe(0);
  });

  it('keeps 100 zones, and no zone of thousands of lines', () => {
    const stay = (zone: string): string =>
      event(`UID:${zone}`, `DTSTART;TZID=${zone}:20260710T150000`, 'DURATION:PT1H');
    const zones = Array.from({ length: 101 }, (_, n) => zoneRules(`Zone-${String(n)}`));
    expect(
      timesOf(entriesOf(...zones, stay('Zone-99'), stay('Zone-100'))).map((times) => times.slice(0, 17)),
    ).toEqual(['2026-07-10T13:00Z']);
    const long = zoneRules('Long').replace('END:VTIMEZONE', 'X-LINE:x\r\n'.repeat(2_000) + 'END:VTIMEZONE');
    expect(leftOutOf(long, stay('Long'))).toBe(1);
  });
});
