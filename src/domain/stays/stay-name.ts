// Names of stays on locks and in the history, such as "Stay 12-15 Dec".
import { speakableName } from '../locks/access.ts';
import type { Booking, StayWindow } from './stay.ts';
import type { StayNames } from './stay-calendar.ts';
import { there } from './stay-hours.ts';

/** Characters of a code's name (specification, Other limits). */
const LONGEST_NAME = 24;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The name that a stay should have, if no other stay has it. */
export function wantedName(
  { summary }: Pick<Booking, 'summary'>,
  window: StayWindow,
  { names, zone }: { readonly names: StayNames; readonly zone: string },
): string {
  const said = names === 'booking' ? plainWords(summary) : '';
  return speakableName(said) ?? datedName(window, zone);
}

function datedName({ arrivalAt, departureAt }: StayWindow, zone: string): string {
  const from = there(zone, arrivalAt);
  const until = there(zone, departureAt);
  const monthOf = (month: number): string => MONTHS[month - 1] ?? '';
  const isOneMonth = from.month === until.month && from.year === until.year;
  const first = isOneMonth ? String(from.day) : `${String(from.day)} ${monthOf(from.month)}`;
  return `Stay ${first}-${String(until.day)} ${monthOf(until.month)}`;
}

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

/** A day of a name, without its year. */
export interface NamedDay {
  readonly month: number;
  readonly day: number;
}

export interface NamedDates {
  readonly from: NamedDay;
  readonly until: NamedDay;
  /** The letter behind a name that several stays have; empty: none. */
  readonly letter: string;
}

const DATED = /^Stay (\d{1,2})(?: ([A-Z][a-z]{2}))?-(\d{1,2}) ([A-Z][a-z]{2})(?: ([A-Z]{1,2}))?$/u;

/** The dates of a name that was made of them; null: it was made of words. */
export function namedDates(name: string): NamedDates | null {
  const [whole, from, fromMonth, until = '', untilMonth = '', letter = ''] = DATED.exec(name) ?? [];
  const months = [fromMonth ?? untilMonth, untilMonth].map((month) => MONTHS.indexOf(month) + 1);
  const [first = 0, last = 0] = months;
  return whole === undefined || first === 0 || last === 0
    ? null
    : {
        from: { month: first, day: Number(from) },
        until: { month: last, day: Number(until) },
        letter,
      };
}

/** The characters of these words that a lock can store. */
function plainWords(words: string): string {
  return words
    .replaceAll(WRITTEN_OTHERWISE, (letter) => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\u0020-\u007e]+/gu, ' ')
    .replaceAll(/ +/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim();
}

/** The first of name, name B, name C and so on that is not taken. `taken`: in small letters. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 0; ; number += 1) {
    const ending = number === 0 ? '' : ` ${letters(number)}`;
    const name = wanted.slice(0, LONGEST_NAME - ending.length).trimEnd() + ending;
    if (!taken.has(name.toLowerCase())) {
      return name;
    }
  }
}

/** Whether a name is the wanted one, or the wanted one with a letter behind it. */
export function isVariantOf(name: string, wanted: string): boolean {
  const [ending = ''] = / [A-Z]{1,2}$/.exec(name) ?? [];
  return name === wanted || name === wanted.slice(0, LONGEST_NAME - ending.length).trimEnd() + ending;
}

/** 1 is B: the name without a letter is the first. */
function letters(number: number): string {
  const letter = (index: number): string => String.fromCharCode(65 + (index % 26));
  return number < 26 ? letter(number) : letter(Math.floor(number / 26) - 1) + letter(number);
}
