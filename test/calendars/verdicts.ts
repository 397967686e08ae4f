// Why the plugin reads a calendar in another way than other programs do: classes judged by hand, each by a section of RFC 5545.
import { OF_FILES } from './judged-files.ts';

export interface Difference {
  readonly name: string;
  readonly text: string;
  /** What the plugin reads, in one line. */
  readonly own: string;
  /** What others read, by their names; `meant`: what a generated calendar means. */
  readonly others: Readonly<Record<string, string>>;
}

export interface JudgedFiles {
  readonly section: string;
  readonly why: string;
  /** What the plugin reads: a failure, a count of stays, or "as" a reader that agrees. */
  readonly files: Readonly<Record<string, string>>;
}

interface JudgedReader {
  readonly section: string;
  readonly why: string;
  readonly reader: string;
  /** Text that only calendars of this class have. */
  readonly having: RegExp;
}

/** Of generated calendars that the plugin reads as they are meant. */
const OF_READERS: readonly JudgedReader[] = [
  {
    section: '3.3.5',
    why: 'hours without a zone are on the clocks of the lock, not of the machine',
    reader: 'node-ical',
    having: /^DTSTART:\d{8}T\d{6}\r$/m,
  },
  {
    section: '3.3.5',
    why: 'off the letter, on purpose: midnights to midnights are nights, as portals mean them',
    reader: 'node-ical',
    having: /^DTSTART;TZID=[^:]+:\d{8}T000000\r$/m,
  },
  {
    section: '3.8.5.3',
    why: 'off the letter, on purpose: a series ends at the same hour, also where the clocks are changed in between',
    reader: 'node-ical',
    having: /^DTSTART;TZID=[^:]+:\d{8}T(?!000000)\d{6}\r[^]*^RRULE:/m,
  },
  {
    section: '3.2.19',
    why: "a zone without rules in the file is the system's, also by its Windows name",
    reader: 'ical',
    having: /^DTSTART;TZID=[^:]+ Standard Time:/m,
  },
  {
    section: '3.8.4.4',
    why: 'a changed occurrence replaces its own',
    reader: 'ical',
    having: /^RECURRENCE-ID:\d{8}T\d{6}Z\r$/m,
  },
];

/** Null where no judged class explains the difference. */
export function verdictOn(difference: Difference): string | null {
  return difference.others['meant'] === undefined ? onFile(difference) : onGenerated(difference);
}

function onFile({ name, own, others }: Difference): string | null {
  const judged = OF_FILES.find(({ files }) => files[name] !== undefined);
  const expected = judged?.files[name];
  const reader = /^as (.*)$/.exec(expected ?? '')?.[1];
  const holds = reader === undefined ? expected === shortOf(own) : others[reader] === own;
  return judged !== undefined && holds ? wordsOf(judged) : null;
}

/** A reading without a stay is a failure in one word. */
function shortOf(read: string): string {
  return /^[a-z-]+$/.test(read) ? read : `${String(read.split(' ').filter(Boolean).length)} stays`;
}

function onGenerated({ text, own, others }: Difference): string | null {
  if (others['meant'] !== own) {
    // Morocco has another time from September 2026 on.
    return /TZID=Africa\/Casablanca/.test(text) && (process.versions['tz'] ?? '') < '2026d'
      ? 'a limit: the time zones of Node are older than those of the writer'
      : null;
  }
  const judged = Object.keys(others)
    .filter((reader) => others[reader] !== own)
    .map((differing) => OF_READERS.find(({ reader, having }) => reader === differing && having.test(text)));
  const words = judged.map((one) => (one === undefined ? null : wordsOf(one)));
  return words.includes(null) ? null : [...new Set(words)].join('; ');
}

const wordsOf = ({ section, why }: { readonly section: string; readonly why: string }): string =>
  `${why} (RFC 5545, ${section})`;
