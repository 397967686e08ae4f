// Writes the stays of one calendar as an iCalendar file for others (RFC 5545): names and hours, and nothing else.
import { SHORTEST_PIN } from '../../../domain/codes/access-code-policy.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { localDay, localHour } from '../../../domain/time/local-hours.ts';
import { NO_OFFSET } from './stay-hours.ts';

export interface FeedEntry {
  /** The same for the same stay in every reading. It tells nothing of the booking. */
  readonly uid: string;
  /** The guest as named on the lock; null: the name is made of dates. */
  readonly guest: string | null;
  readonly arrivalAt: Instant;
  readonly departureAt: Instant;
}

export interface Feed {
  /** The name of the calendar, which the host chose. */
  readonly flat: string;
  readonly entries: readonly FeedEntry[];
  readonly now: Instant;
}

const LONGEST_LINE_BYTES = 75;

/** How often a reader should come back. */
const READ_EVERY = 'PT1H';

export function feedText({ flat, entries, now }: Feed): string {
  const place = flatName(flat);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//homebridge-latchkey//stays//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(place)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${READ_EVERY}`,
    `X-PUBLISHED-TTL:${READ_EVERY}`,
    ...entries.flatMap(({ uid, guest, arrivalAt, departureAt }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${utc(now)}`,
      `DTSTART:${utc(arrivalAt)}`,
      `DTEND:${utc(departureAt)}`,
      `SUMMARY:${escaped(titleOf(guest, place))}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function titleOf(guest: string | null, place: string): string {
  const name = guest === null ? '' : guestName(guest);
  return [name === '' ? 'Stay' : name, place].filter((part) => part !== '').join(', ');
}

/** Foreign text: whole words that hold a digit of any script are left out, because a part of a code is still a part of it. */
function guestName(text: string): string {
  const words = wordsOf(text).filter((word) => !hasDigits(word));
  // What led to the digits is left behind: "Anna - 4711".
  return words.join(' ').replaceAll(/^[-–—:;,/+#\s]+|[-–—:;,/+#(\s]+$/gu, '');
}

/** "Flat 101" stays. Words with digits beside each other that could together be a code or a phone are left out. */
function flatName(text: string): string {
  const words = wordsOf(text);
  return words.filter((word, at) => !hasDigits(word) || digitsAround(words, at) < SHORTEST_PIN).join(' ');
}

function digitsAround(words: readonly string[], at: number): number {
  const from = words.findLastIndex((word, index) => index < at && /\p{L}/u.test(word) && !hasDigits(word));
  const next = words.findIndex((word, index) => index > at && /\p{L}/u.test(word) && !hasDigits(word));
  const beside = words.slice(from + 1, next === -1 ? undefined : next).join('');
  return beside.match(/\p{N}/gu)?.length ?? 0;
}

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .split(/[\s\p{Cc}\p{Cf}]+/u)
    .filter((word) => word !== '');
}

function hasDigits(word: string): boolean {
  return /\p{N}/u.test(word);
}

/** RFC 5545, section 3.3.11. */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/gu, String.raw`\$&`);
}

/** To the minute (RFC 5545, section 3.3.5). */
function utc(at: Instant): string {
  const [day, hour] = [localDay(at, NO_OFFSET), localHour(at, NO_OFFSET)];
  return `${day.replaceAll('-', '')}T${hour.replace(':', '')}00Z`;
}

/** Folds at 75 octets and never within a character (RFC 5545, section 3.1). */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (bytes + size > LONGEST_LINE_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}

/** In UTF-8 (RFC 3629, section 3). */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
}
