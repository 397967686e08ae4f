// Writes content lines of iCalendar (RFC 5545, 3.1): escaped values, folded at 75 octets, ended by CRLF.

/** The longest line without its break (RFC 5545, 3.1). */
const LONGEST_LINE_OCTETS = 75;

const LINE_BREAK = '\r\n';

/** One content line; `name` holds the parameters too, and `value` is written as it stands. */
export function contentLine(name: string, value: string): string {
  let folded = '';
  let octets = 0;
  // Folded by code points, because half of a character would be malformed.
  for (const character of `${name}:${value}`) {
    const width = Buffer.byteLength(character);
    if (octets + width > LONGEST_LINE_OCTETS) {
      folded += `${LINE_BREAK} `;
      octets = 1;
    }
    folded += character;
    octets += width;
  }
  return `${folded}${LINE_BREAK}`;
}

/** A line whose value is of the type TEXT (RFC 5545, 3.3.11). */
export function textLine(name: string, text: string): string {
  return contentLine(name, text.replace(/[\\;,]/gu, '\\$&').replace(/\r\n|\r|\n/gu, '\\n'));
}

/** `20261212` of `2026-12-12`. */
export const dateValue = (date: string): string => date.replaceAll('-', '');

/** `20261212T150000`: a wall clock given as if it were UTC. */
export const localValue = (wallMs: number): string =>
  new Date(wallMs).toISOString().replace(/[-:]|\.\d{3}Z$/gu, '');

/** `20261212T200000Z`. */
export const utcValue = (at: number): string => `${localValue(at)}Z`;
