// A language for tests: every sentence marked, accented and longer, so that what stays English or does not fit is seen.
import { IntlMessageFormat } from 'intl-messageformat';
import { NAMES } from './message-faults.ts';

type Part = ReturnType<IntlMessageFormat['getAst']>[number];
type Choice = Extract<Part, { readonly options: unknown }>;

/** Code, addresses and names. */
const KEPT = new RegExp(`(\`[^\`]*\`|https?://[^\\s)\`]+|${NAMES.source})`);

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

/** As long as a long German word: what fills a sentence has to break into lines as words do. */
const LONGEST_WORD = 12;

/** "Add a lock" becomes "⟦Ådd á löçk ~~~~⟧"; in a choice of a plural or of a value, each is as much longer. */
export function pseudo(english: string): string {
  const parts = partsOf(english);
  return `⟦${parts === null ? accented(english) + filling(english.length) : lengthened(parts)}⟧`;
}

/** Null for what is no ICU message, such as a sentence of the form with code in it. */
function partsOf(english: string): readonly Part[] | null {
  for (const ignoreTag of [false, true]) {
    try {
      return new IntlMessageFormat(english, 'en', undefined, { ignoreTag }).getAst();
    } catch {
      // As text, then.
    }
  }
  return null;
}

function lengthened(parts: readonly Part[]): string {
  return parts.map(printed).join('') + filling(parts.reduce((sum, part) => sum + lengthOf(part), 0));
}

/** Of its text outside of choices, and of a value about as much as its name. */
function lengthOf(part: Part): number {
  if ('children' in part) {
    return part.children.reduce((sum, child) => sum + lengthOf(child), 0);
  }
  return 'options' in part || !('value' in part) ? 0 : part.value.length;
}

function filling(length: number): string {
  const left = Math.ceil(length * LONGER_BY);
  const words = Array.from({ length: Math.ceil(left / LONGEST_WORD) }, (_, index) =>
    '~'.repeat(Math.min(LONGEST_WORD, left - index * LONGEST_WORD)),
  );
  return words.map((word) => ` ${word}`).join('');
}

function printed(part: Part): string {
  if ('options' in part) {
    return `{${part.value}, ${'pluralType' in part ? 'plural' : 'select'},${choices(part)}}`;
  }
  if ('children' in part) {
    return `<${part.value}>${part.children.map(printed).join('')}</${part.value}>`;
  }
  if (!('value' in part)) {
    return '#';
  }
  const type: number = part.type;
  return type === LITERAL ? accented(part.value) : `{${part.value}}`;
}

/** What the parser calls text. */
const LITERAL = 0;

function choices({ options }: Choice): string {
  return Object.entries(options)
    .map(([name, { value }]) => ` ${name} {${lengthened(value)}}`)
    .join('');
}

function accented(text: string): string {
  return text
    .split(KEPT)
    .map((part, place) =>
      place % 2 === 1 ? part : part.replace(/[a-z']/gi, (letter) => ACCENTED[letter] ?? letter),
    )
    .join('');
}
