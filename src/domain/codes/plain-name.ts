// Names that a lock can store: of words in any script, and different from those that are taken.

/** Characters (specification, Other limits). */
export const LONGEST_CODE_NAME = 24;

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

/** Whether a lock can store these characters (specification, Access code). */
export function isPlain(name: string): boolean {
  return /^[\u0020-\u007e]*$/.test(name);
}

/** The characters of these words that a lock can store. */
export function plainWords(words: string): string {
  return words
    .replaceAll(WRITTEN_OTHERWISE, (letter) => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\u0020-\u007e]+/gu, ' ')
    .replaceAll(/ +/gu, ' ')
    .trim()
    .slice(0, LONGEST_CODE_NAME)
    .trim();
}

/** The first of name, name B, name C and so on that is not taken. `taken`: in small letters. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 0; ; number += 1) {
    const ending = number === 0 ? '' : ` ${letters(number)}`;
    const name = wanted.slice(0, LONGEST_CODE_NAME - ending.length).trimEnd() + ending;
    if (!taken.has(name.toLowerCase())) {
      return name;
    }
  }
}

/** Whether a name is the wanted one, or the wanted one with a letter behind it. */
export function isVariantOf(name: string, wanted: string): boolean {
  const [ending = ''] = / [A-Z]{1,2}$/.exec(name) ?? [];
  return name === wanted || name === wanted.slice(0, LONGEST_CODE_NAME - ending.length).trimEnd() + ending;
}

/** 1 is B: the name without a letter is the first. */
function letters(number: number): string {
  const letter = (index: number): string => String.fromCharCode(65 + (index % 26));
  return number < 26 ? letter(number) : letter(Math.floor(number / 26) - 1) + letter(number);
}
