// One property of an entry: its value and parameters, as the parser gives them.
import ICAL from 'ical.js';
import { isObject } from '../support/text/foreign-json.ts';

export interface Property {
  readonly name: string;
  readonly parameter: (name: string) => string | null;
  readonly type: string;
  /** Times as `2026-12-12` or `2026-12-12T15:00:00Z`, texts without their escapes, rules as objects. */
  readonly values: readonly unknown[];
}

// Some portals leave out `VALUE=DATE`, or write a time in its place.
ICAL.design.strict = false;

/** Throws when the line is no property of a calendar. */
export function readProperty(line: string): Property {
  const read: unknown = ICAL.parse.property(line);
  const parts: readonly unknown[] = Array.isArray(read) ? read : [];
  const [name, parameters, type, ...values] = parts;
  if (!isObject(parameters)) {
    throw new TypeError('Not a property');
  }
  return {
    name: String(name),
    parameter: (wanted) => firstText(parameters[wanted]),
    type: String(type),
    values,
  };
}

function firstText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : null;
}
