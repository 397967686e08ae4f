// A language for tests: every sentence marked, accented and longer, so that what stays English or does not fit is seen.
import { NAMES } from './message-faults.ts';

/** Code, addresses, values of ICU messages, and names. */
const KEPT = new RegExp(`(\`[^\`]*\`|https?://[^\\s)\`]+|\\{[^{}]*\\}|${NAMES.source})`);

const ACCENTED: Readonly<Record<string, string>> = {
  "'": '’',
  a: 'á',
  c: 'ç',
  e: 'ë',
  i: 'ï',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ý',
  z: 'ž',
  A: 'Å',
  C: 'Ç',
  E: 'É',
  I: 'Î',
  N: 'Ñ',
  O: 'Ø',
  S: 'Š',
  U: 'Û',
  Y: 'Ý',
  Z: 'Ž',
};

/** German and French need about so much more room than English. */
const LONGER_BY = 0.4;

/** "Add a lock" becomes "⟦Ådd á löçk ~~~~⟧". */
export function pseudo(english: string): string {
  const accented = english
    .split(KEPT)
    .map((part, place) =>
      place % 2 === 1 ? part : part.replace(/[a-z']/gi, (letter) => ACCENTED[letter] ?? letter),
    )
    .join('');
  return `⟦${accented} ${'~'.repeat(Math.ceil(english.length * LONGER_BY))}⟧`;
}
