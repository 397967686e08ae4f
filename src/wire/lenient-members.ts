// Members of a delivery, read one by one as lenient-schema.ts reads them. Anybody may send thousands in a second, and a schema
// would make a handful of objects for each member, which V8 keeps for long once it has met others of their kind that stayed.
import { z } from 'zod';
import type { Instant } from '../domain/bolt.ts';
import { isOpaque } from './lenient-schema.ts';

const INSTANT = z.regexes.datetime({ offset: true });

/** A member of an object; undefined where it is missing, or where there is no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A text, or a number in its place; empty when neither came. */
export function lenientTextOf(value: unknown): string {
  return textOrNullOf(Number.isFinite(value) ? String(value) : value) ?? '';
}

/** A text; null for anything else. */
export function textOrNullOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** An opaque id that can stand in a path, or null. */
export function opaqueIdOf(value: unknown): string | null {
  const id = textOrNullOf(Number.isSafeInteger(value) ? String(value) : value);
  return id !== null && isOpaque(id) ? id : null;
}

/** An ISO 8601 instant with its offset; null for anything else: without an offset it is a guess. */
export function lenientInstantOf(value: unknown): Instant | null {
  return typeof value === 'string' && INSTANT.test(value) ? new Date(value).getTime() : null;
}
