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

/** The characters of these words that a lock can store. */
function plainWords(words: string): string {
  return words
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
