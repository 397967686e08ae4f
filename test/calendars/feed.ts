// The feed of stays for others, read by two other programs: each must find every stay with its hours and its title.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { feedText } from '../../src/features/stays/policy/stay-feed.ts';
import { PYTHON } from './programs.ts';

const FIRST = Date.UTC(2026, 0, 1, 14);
const DAY_MS = 86_400_000;
const NAMES = [
  null,
  'Anna Berger',
  'Zoë, Åse; and “Bjørn”',
  String.raw`Back\slash\n and C:\Users`,
  '京都 太郎 '.repeat(12),
  'ב״ה משפחת כהן',
  '👩‍👩‍👧 Family of three '.repeat(5),
  'BEGIN:VALARM',
  '+44 7700 900202',
  'Line\r\nSUMMARY:other',
];

/** Prints the count of stays that both found; false: one of them read something else. */
export function isFeedRead(): boolean {
  const entries = Array.from({ length: 200 }, (_, index) => ({
    uid: `${'x'.repeat(60)}${String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26))}@homebridge-latchkey`,
    guest: NAMES[index % NAMES.length] ?? null,
    arrivalAt: FIRST + index * DAY_MS,
    departureAt: FIRST + (index + 1) * DAY_MS - 4 * 3_600_000,
  }));
  const flat = 'Flat 101, above; the bakery';
  const answer = spawnSync(PYTHON, [join(import.meta.dirname, 'feed_reader.py')], {
    encoding: 'utf8',
    input: feedText({ flat, entries, now: FIRST }),
  });
  if (answer.status !== 0) {
    console.log(`The feed of stays could not be read: ${answer.stderr}`);
    return false;
  }
  const meant = entries.map(({ uid, guest, arrivalAt, departureAt }) => [
    uid,
    arrivalAt / 1_000,
    departureAt / 1_000,
    `${guest === null || guest.startsWith('+') ? 'Stay' : titleOf(guest)}, ${flat}`,
  ]);
  const read = JSON.parse(answer.stdout) as Readonly<Record<string, typeof meant>>;
  const differing = Object.entries(read).filter(([, rows]) => !isSame(rows, meant));
  for (const [reader, rows] of differing) {
    const at = meant.findIndex((row, index) => !isSame(row, rows[index]));
    console.log(
      `The feed of stays: ${reader} read ${JSON.stringify(rows[at])}, not ${JSON.stringify(meant[at])}`,
    );
  }
  console.log(
    `The feed of stays: ${String(entries.length)} stays, read by ${Object.keys(read).join(' and ')}.`,
  );
  return differing.length === 0;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** White space and characters that are not seen are one space. */
function titleOf(guest: string): string {
  return guest
    .split(/[\s\p{Cc}\p{Cf}]+/u)
    .join(' ')
    .trim();
}
