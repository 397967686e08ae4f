// The days of the week, in the order and the words of the reader.
import { WEEKDAYS, type Weekday } from '../../../src/domain/codes/access-code.ts';
import { locale } from '../../../src/words/translate.ts';

const DAY_MS = 86_400_000;

/** Any Monday names them all. */
const A_MONDAY = Date.UTC(2024, 0, 1);

/** `day`: as rules and schedules have it. */
export function readersWeek(): readonly {
  readonly day: Weekday;
  readonly short: string;
  readonly long: string;
}[] {
  const language = locale() ?? 'en';
  const [short, long] = (['short', 'long'] as const).map(
    (weekday) => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }),
  );
  const days = WEEKDAYS.map((day, index) => {
    const at = A_MONDAY + index * DAY_MS;
    return { day, short: short?.format(at) ?? day, long: long?.format(at) ?? day };
  });
  const first = firstWeekday();
  return [...days.slice(first), ...days.slice(0, first)];
}

/** The day on which the reader's week begins, from Monday, 0, on. Not every browser knows it. */
export function firstWeekday(): number {
  const there: Intl.Locale & { readonly getWeekInfo?: () => { readonly firstDay: number } } = new Intl.Locale(
    locale() ?? new Intl.DateTimeFormat().resolvedOptions().locale,
  );
  return (there.getWeekInfo?.().firstDay ?? 1) - 1;
}
