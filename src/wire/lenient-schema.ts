// The lenient readings as parts of a schema, for answers that are read by one.
import { z } from 'zod';
import { idOf, integerOf, textOf } from './lenient.ts';

/** A text, or a number in its place; empty when neither came. */
export const lenientText = z.unknown().optional().transform(textOf);

/** A whole number, or its digits as text; null when neither came. */
export const lenientInteger = z.unknown().optional().transform(integerOf);

/** An opaque id that can stand in a path; anything else fails the whole object. */
export const opaqueId = z.unknown().transform(idOf).pipe(z.string());
