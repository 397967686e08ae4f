// The file of stays for others: no digits of a booking, and a form that every reader of calendars takes.
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { feedText } from '../../../../../src/features/stays/policy/stay-feed.ts';

const ARRIVAL = Date.UTC(2026, 11, 12, 14);
const inFullWidth = (code: number): string =>
  String(code).replaceAll(/\d/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const inArabic = (code: number): string =>
  String(code).replaceAll(/\d/gu, (digit) => String.fromCodePoint(0x660 + Number(digit)));
/** How a booking's text may hold a code or a phone. */
const HABITS: readonly ((name: string, code: number) => string)[] = [
  (name, code) => `${name} +44 7700 ${code} ${code + 7}`,
  (name, code) => `${name} (phone ${code}-${code + 3})`,
  (name, code) => `${name}${code}; code:${code},ok`,
  (name, code) => `${code} ${name} HM${code}XQ`,
  (name, code) => `${name} ${inFullWidth(code)}`,
  (name, code) => `${inArabic(code)} ${name}`,
  (name, code) => `${name}\u200B${String(code).split('').join('\u200B')}`,
  (name, code) => `${name} ${String(code).split('').join('.')} ①②③④ ½`,
  (name, code) => `${name}\r\nDESCRIPTION:${code}\nX-CODE:${code}`,
  (name, code) => `${name} tel:+49${code}00 <mailto:g${code}@portal.example>`,
];
const TEXTS = Array.from(
  { length: 200 },
  (_, index) => HABITS[index % 10]?.('Zoë', 1_234 + 41 * index) ?? '',
);

function feedWith(guests: readonly (string | null)[], flat = 'Flat, above; the bakery'): string {
  const entries = guests.map((guest, index) => ({
    uid: `${'abc'.repeat(25)}${String.fromCodePoint(97 + (index % 26))}`,
    guest,
    arrivalAt: ARRIVAL,
    departureAt: ARRIVAL + 86_400_000,
  }));
  return feedText({ flat, entries, now: ARRIVAL });
}

function eventsOf(text: string): readonly ICAL.Component[] {
  return ICAL.Component.fromString(text).getAllSubcomponents('vevent');
}

const titlesOf = (text: string): readonly string[] =>
  eventsOf(text).map((event) => String(event.getFirstPropertyValue('summary')));

describe('the feed of stays', () => {
  it('holds no digit of 200 booking texts, and no line of theirs', () => {
    const text = feedWith(TEXTS);
    const titles = titlesOf(text);
    expect(titles).toHaveLength(200);
    expect(titles.filter((words) => /\p{N}/u.test(words))).toEqual([]);
    expect(titles[0]).toBe('Zoë, Flat, above; the bakery');
    const known =
      /^(?:(?:BEGIN|END):V(?:CALENDAR|EVENT)|VERSION:2\.0|(?:DTSTAMP|DTSTART|DTEND):202612\d\dT140000Z|[A-Z-]+(?:;VALUE=DURATION)?:PT1H|\P{N}*)$/u;
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines.filter((line) => !known.test(line))).toEqual([]);
    expect(new Set(lines.map((line) => line.split(/[:;]/u, 1)[0]))).toEqual(
      new Set(
        'BEGIN VERSION PRODID CALSCALE X-WR-CALNAME REFRESH-INTERVAL X-PUBLISHED-TTL UID DTSTAMP DTSTART DTEND SUMMARY END'
          .split(' ')
          .concat(''),
      ),
    );
  });

  it.each([
    ['Flat 101', 'Flat 101'],
    ['Flat 1.07, house 12', 'Flat 1.07, house 12'],
    ['№ 7', 'No 7'],
    ['Flat 4711', 'Flat'],
    ['Flat 47 11', 'Flat'],
    ['Flat 4-7-1-1 code', 'Flat code'],
    ['Flat 2 (030 123 456)', 'Flat'],
    ['Flat ４７１１', 'Flat'],
  ])('calls the flat "%s" as its host did, unless the digits could be a code or a phone', (flat, shown) => {
    expect(titlesOf(feedWith(['Anna', null], flat))).toEqual([`Anna, ${shown}`, `Stay, ${shown}`]);
  });

  it('folds at 75 octets and within no character, ends lines as the form says, and dates every entry', () => {
    const names = ['Ö'.repeat(120), '京'.repeat(90), '👩'.repeat(60)];
    const text = feedWith(names);
    const lines = text.split('\r\n');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n\uFFFD]/u.test(line))).toEqual([]);
    expect(text).toContain('\r\nDTSTAMP:20261212T140000Z\r\n');
    expect(text).toContain('\r\nDTEND:20261213T140000Z\r\n');
    expect(text.replaceAll('\r\n ', '')).toContain('Ö'.repeat(120));
    expect(titlesOf(text).map((title) => title.split(',', 1)[0])).toEqual(names);
  });
});
