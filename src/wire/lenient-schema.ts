// Lenient schemas: a member that is missing or of another type reads as unknown and does not fail the whole answer.
import { z } from 'zod';

/** A list is no object. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object; anything else reads as an empty one. Each member's schema defines the meaning of a missing member. */
export function lenientObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => (isObject(value) ? value : {}), z.object(shape));
}

/** A text of whole characters: half of one, which JSON may hold, makes other programs refuse all that is beside it. */
export const wholeText = z.string().transform((text) => text.toWellFormed());

/** A text, or a number in its place; empty when neither came. */
export const lenientText = z.union([wholeText, z.number().transform(String)]).catch('');

/** A whole number, or its digits as text (specification, Command: one published example); null when neither came. */
export const lenientInteger = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^[+-]?\d{1,15}$/)
      .transform(Number),
  ])
  .nullable()
  .catch(null);

/** A charge in percent: a whole number as above, or a fraction, which is rounded; null when neither came. */
export const lenientPercent = z.union([z.number().transform(Math.round), lenientInteger]).catch(null);

/** An opaque id that can stand in a path: bounded, well-formed, and none of the two names that a URL would resolve away. */
export const opaqueId = z.union([z.string(), z.int().transform(String)]).refine(isOpaque);

/** Every form in which ISO 8601 and RFC 3339 write an instant with its offset. */
const INSTANT_FORM =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/i;

/** An instant with its offset, in one form, such as `2026-04-14T08:15:30.250-04:00`. Without an offset it is a guess. */
export const instantText = z
  .string()
  .transform(inOneForm)
  .pipe(z.iso.datetime({ offset: true }));

/** The same as epoch milliseconds; null for anything else. */
export const lenientInstant = instantText
  .transform((text) => new Date(text).getTime())
  .nullable()
  .catch(null);

/** The same, null for anything else. */
export const lenientId = opaqueId.nullable().catch(null);

/** The items that `decode` understands; null when it understands none of a list that has some, because an empty one means "none". */
export function understoodOf<T>(
  list: readonly unknown[],
  decode: (item: unknown) => T | null,
): readonly T[] | null {
  const understood = list.flatMap((item) => decode(item) ?? []);
  return understood.length === 0 && list.length > 0 ? null : understood;
}

function inOneForm(text: string): string {
  const match = INSTANT_FORM.exec(text);
  const [, date = '', clock = '', seconds = '00', fraction = '0', hours, minutes = '00'] = match ?? [];
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return match === null ? text : `${date}T${clock}:${seconds}.${fraction}${offset}`;
}

function isOpaque(id: string): boolean {
  return /^[^\p{C}]{1,256}$/u.test(id) && id !== '.' && id !== '..';
}
