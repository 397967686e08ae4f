// Names of stays on locks and in the history, such as "Stay 12-15 Dec".
import { plainWords } from '../codes/plain-name.ts';
import { speakableName } from '../locks/access.ts';
import type { Booking, StayWindow } from './stay.ts';
import type { StayNames } from './stay-calendar.ts';
import { there } from './stay-hours.ts';

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
