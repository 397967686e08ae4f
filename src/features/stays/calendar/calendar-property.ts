// One property of an entry: its value and parameters. Times are split here, texts and rules by the parser.
import ICAL from 'ical.js';
import { isObject } from '../../../support/text/foreign-json.ts';

export interface Property {
  readonly name: string;
  readonly parameter: (name: string) => string | null;
  /** Times as they are written, texts without their escapes, rules as objects. */
  readonly values: readonly unknown[];
}

// Some portals leave out `VALUE=DATE`, or write a time in its place.
ICAL.design.strict = false;

/** Many programs write times in ways of their own: a parser of the standard would refuse them. */
const TIMES: ReadonlySet<string> = new Set(
  'dtstart dtend rdate exdate recurrence-id dtstamp last-modified'.split(' '),
);
const NAME = /^[A-Za-z0-9-]+/;
const PARAMETER = /;([A-Za-z0-9-]+)=(?:"([^"]*)"|([^;"]*))/g;

/** Null when the line is no property of a calendar: one bad property never costs an entry. */
export function readProperty(line: string): Property | null {
  try {
    const name = NAME.exec(line)?.[0].toLowerCase() ?? '';
    return TIMES.has(name) ? timeProperty(name, line) : parsedProperty(line);
  } catch {
    return null;
  }
}

/** Where the value begins: names of zones may hold colons, too. */
const VALUE = /:(?=\s*\d{4}-?\d\d-?\d\d)/;

function timeProperty(name: string, line: string): Property | null {
  const colon = line.search(VALUE);
  if (colon === -1) {
    return null;
  }
  const parameters = new Map(
    [...line.slice(name.length, colon).matchAll(PARAMETER)].map(
      ([, key = '', quoted, plain = '']): [string, string] => [key.toLowerCase(), (quoted ?? plain).trim()],
    ),
  );
  return {
    name,
    parameter: (wanted) => parameters.get(wanted) ?? null,
    values: line.slice(colon + 1).split(','),
  };
}

/** The parts of a rule (RFC 5545, 3.3.10, and RFC 7529): an unknown one may be a misspelled end, without which the rule has none. */
const RULE =
  /^RRULE[^:]*:(?:(?:(?:FREQ|UNTIL|COUNT|INTERVAL|BY[A-Z]+|WKST|RSCALE|SKIP|X-[A-Z0-9-]+)=[^;]*)?(?:;|$))+$/iu;

function parsedProperty(line: string): Property | null {
  if (/^RRULE[:;]/iu.test(line) && !RULE.test(line)) {
    return null;
  }
  const read: unknown = ICAL.parse.property(line);
  const parts: readonly unknown[] = Array.isArray(read) ? read : [];
  const [name, parameters, , ...values] = parts;
  return isObject(parameters)
    ? { name: String(name), parameter: (wanted) => firstText(parameters[wanted]), values }
    : null;
}

function firstText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : null;
}
