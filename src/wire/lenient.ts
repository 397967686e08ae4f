// Reads foreign JSON leniently: a member that is missing or of another type reads as unknown and fails nothing else.
// Plain functions, not schemas: locks and events are read by them, hundreds in a second and before Home's first read.

/** A list is no object. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any member may be there, and of any type
  return isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A text of whole characters: half of one, which JSON may hold, makes other programs refuse all that is beside it. Null for anything else. */
export function wholeTextOf(value: unknown): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

/** A text, or a number in its place; empty when neither came. */
export function textOf(value: unknown): string {
  return Number.isFinite(value) ? String(value) : (wholeTextOf(value) ?? '');
}

/** A whole number, or its digits as text (specification, Command: one published example); null when neither came. */
export function integerOf(value: unknown): number | null {
  const isDigits = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value);
  const number = isDigits ? Number(value) : value;
  return isSafeInteger(number) ? number : null;
}

/** A charge in percent: a whole number as above, or a fraction, which is rounded; null when neither came. */
export function percentOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : integerOf(value);
}

/** An opaque id that can stand in a path: bounded, well-formed, and none of the two names that a URL would resolve away. */
export function idOf(value: unknown): string | null {
  const id = isSafeInteger(value) ? String(value) : value;
  return typeof id === 'string' && isOpaque(id) ? id : null;
}

/** Every form in which ISO 8601 and RFC 3339 write an instant with its offset. */
const INSTANT_FORM =
  /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)$/i;

/** An instant with its offset, in one form, such as `2026-04-14T08:15:30.250-04:00`. Null without an offset: it is a guess. */
export function instantTextOf(value: unknown): string | null {
  const match = typeof value === 'string' ? INSTANT_FORM.exec(value) : null;
  const [, date = '', clock = '', seconds = '00', fraction = '0', hours, minutes = '00'] = match ?? [];
  if (match === null || !isDate(date)) {
    return null;
  }
  return `${date}T${clock}:${seconds}.${fraction}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
}

/** The same as epoch milliseconds; null for anything else. */
export function instantOf(value: unknown): number | null {
  const text = instantTextOf(value);
  return text === null ? null : Date.parse(text);
}

/** The items that `decode` understands; null when it understands none of a list that has some, because an empty one means "none". */
export function understoodOf<T>(
  list: readonly unknown[],
  decode: (item: unknown) => T | null,
): readonly T[] | null {
  const understood = list.flatMap((item) => decode(item) ?? []);
  return understood.length === 0 && list.length > 0 ? null : understood;
}

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isOpaque(id: string): boolean {
  // Nearly all ids are ASCII, and tables of Unicode take a millisecond to load.
  const isPrintable = /^[\x20-\x7e]{1,256}$/.test(id) || /^[^\p{C}]{1,256}$/u.test(id);
  return isPrintable && id !== '.' && id !== '..';
}

/** Whether the calendar has that day: the language itself takes 30 February for 2 March. */
function isDate(date: string): boolean {
  return new Date(date).getUTCDate() === Number(date.slice('2026-04-'.length));
}
