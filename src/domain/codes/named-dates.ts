// The dates in the name of a stay, such as "Stay 12-15 Dec", read back for a reader of any language.

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

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
