// What a guest is called, in any script, and names that a lock can store: of words in any script, and different from those that are taken.

import { folded } from '../language/folded-text.ts';
import { type Message, message } from '../language/message.ts';
import { isPlain, LONGEST_CODE_NAME, SHORTER_CODE_NAME } from './access-code.ts';
import type { CodeFault } from './access-code-policy.ts';

/** Letters that no accent is taken from, as they are written where there is no such key. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
};
const WRITTEN_OTHERWISE = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** The characters of these words that a lock can store, at most so many. */
export function plainWords(words: string, most = LONGEST_CODE_NAME): string {
  return words
    .replaceAll(WRITTEN_OTHERWISE, (letter) => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\u0020-\u007e]+/gu, ' ')
    .replaceAll(/ +/gu, ' ')
    .trim()
    .slice(0, most)
    .trim();
}

/** The first of name, name B, name C and so on that is not taken. `taken`: in small letters. `most`: characters. */
export function freeName(wanted: string, taken: ReadonlySet<string>, most = LONGEST_CODE_NAME): string {
  for (let number = 0; ; number += 1) {
    const ending = number === 0 ? '' : ` ${letters(number)}`;
    const name = wanted.slice(0, most - ending.length).trimEnd() + ending;
    if (!taken.has(name.toLowerCase())) {
      return name;
    }
  }
}

/** Whether a name is the wanted one, or the wanted one with a letter behind it. */
export function isVariantOf(name: string, wanted: string, most = LONGEST_CODE_NAME): boolean {
  const [ending = ''] = / [A-Z]{1,2}$/.exec(name) ?? [];
  return name === wanted || name === wanted.slice(0, most - ending.length).trimEnd() + ending;
}

/** 1 is B: the name without a letter is the first. */
function letters(number: number): string {
  const letter = (index: number): string => String.fromCharCode(65 + (index % 26));
  return number < 26 ? letter(number) : letter(Math.floor(number / 26) - 1) + letter(number);
}

/** Whether a service may list a name so: in other capitals or spaces, or cut to the former limit. */
export function isSpellingOf(listed: string, name: string): boolean {
  const plain = (one: string): string => one.trim().replaceAll(/ +/gu, ' ').toLowerCase();
  const seen = plain(listed);
  return seen === plain(name) || (seen.length === SHORTER_CODE_NAME && plain(name).startsWith(seen));
}

/** Characters (our choice): a page and a log can still show it. */
const LONGEST_CALLED = 60;

/** Control characters, and those that turn the direction of the text behind the name. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A letter, digit or sign that can be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name on locks where no letter of a guest's own can be stored. */
const NAMELESS = 'Guest';

/** The same name in one spelling. */
export function asCalled(name: string): string {
  return name.normalize('NFC').trim();
}

/** Whether two people cannot be told apart by their names. */
function isSameCall(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

/** The rule that a name breaks; null: none. `others`: what other guests of the same locks are called. */
export function faultOfCall(called: string, others: readonly string[]): CodeFault | null {
  if (!VISIBLE.test(called)) {
    return fault('code-name-missing', message('Enter a name.'));
  }
  if (UNPRINTABLE.test(called)) {
    return fault('values-invalid', message('The name has characters that cannot be shown.'));
  }
  if (Array.from(called).length > LONGEST_CALLED) {
    return fault('code-name-too-long', message('Use at most {most} characters.', { most: LONGEST_CALLED }));
  }
  return others.some((other) => isSameCall(other, called))
    ? fault('code-name-exists', message('Another guest has this name.'))
    : null;
}

function fault(reason: CodeFault['reason'], words: Message): CodeFault {
  return { field: 'name', reason, words };
}

/** Names of codes that mean other guests, in small letters. A guest of the same name is refused by name, so theirs is not among them. */
export function namesTaken(
  called: string,
  others: readonly { readonly name: string; readonly nameOnLock: string }[],
): ReadonlySet<string> {
  const different = others.filter(({ name }) => !isSameCall(name, called));
  return new Set(different.map(({ nameOnLock }) => nameOnLock.toLowerCase()));
}

/** Whether a lock that takes so many characters can store the name as it is. */
export function isStorable(called: string, most = LONGEST_CODE_NAME): boolean {
  return isPlain(called) && called.length <= most;
}

/**
 * The name on the locks. `before`: the present one. It stays while it fits, so that no command is sent for it. `taken`: the names of
 * other guests' codes, in small letters. `most`: characters that all of the locks take.
 */
export function nameOnLocks(
  called: string,
  before: string | null,
  taken: ReadonlySet<string>,
  most = LONGEST_CODE_NAME,
): string {
  const isFree = (name: string): boolean => !taken.has(name.toLowerCase());
  if (isStorable(called, most) && isFree(called)) {
    return called;
  }
  const written = isStorable(called, most) ? called : plainWords(called, most);
  const wanted = /[A-Za-z]/.test(written) ? written : NAMELESS;
  return before !== null && before.length <= most && isVariantOf(before, wanted, most) && isFree(before)
    ? before
    : freeName(wanted, taken, most);
}
