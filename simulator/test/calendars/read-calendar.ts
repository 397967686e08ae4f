// Reads calendars in tests, strictly: by the rules of RFC 5545, and without the code that writes them.
import { type Answer, call } from '../server/partner.ts';

export interface Line {
  /** The name with its parameters. */
  readonly name: string;
  readonly value: string;
}

/** A component with its properties in order. */
export interface Component {
  readonly kind: string;
  readonly lines: readonly Line[];
  readonly parts: readonly Component[];
}

export async function read(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return call(url, { headers });
}

/** Unfolds a calendar; throws where a line breaks a rule of RFC 5545, 3.1. */
export function linesOf(text: string): readonly Line[] {
  const physical = text.split('\r\n');
  if (physical.pop() !== '') {
    throw new Error('The last line has no CRLF');
  }
  for (const line of physical) {
    if (/(?!\t)\p{Cc}/u.test(line) || Buffer.byteLength(line) > 75 || line === '') {
      throw new Error(`Not a line of a calendar: ${JSON.stringify(line)}`);
    }
  }
  return text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) => {
      const [, name = '', value = ''] = /^([A-Z-]+(?:;[A-Z-]+=[^;:"]+)*):(.*)$/su.exec(line) ?? [];
      if (name === '') {
        throw new Error(`Not a content line: ${line}`);
      }
      return { name, value };
    });
}

/** A component whose END is still to come. */
interface OpenComponent {
  readonly kind: string;
  readonly lines: Line[];
  readonly parts: Component[];
}

/** The one component of a text with all that is in it. */
export function componentOf(text: string): Component {
  const root: OpenComponent = { kind: '', lines: [], parts: [] };
  const open = [root];
  for (const line of linesOf(text)) {
    takeLine(open, line);
  }
  const [only] = root.parts;
  if (open.length !== 1 || only === undefined || root.parts.length !== 1 || root.lines.length > 0) {
    throw new Error('Not one whole calendar');
  }
  return only;
}

function takeLine(open: OpenComponent[], { name, value }: Line): void {
  const inner = open.at(-1);
  if (name === 'BEGIN') {
    open.push({ kind: value, lines: [], parts: [] });
  } else if (name === 'END') {
    open.pop();
    if (inner?.kind !== value) {
      throw new Error(`END:${value} ends nothing`);
    }
    open.at(-1)?.parts.push(inner);
  } else if (inner === undefined || inner.parts.length > 0) {
    throw new Error(`${name} stands after a component`);
  } else {
    inner.lines.push({ name, value });
  }
}

export function eventsOf(text: string): readonly Component[] {
  return componentOf(text).parts.filter(({ kind }) => kind === 'VEVENT');
}

/** The value of a property, whatever its parameters; undefined when it is missing. Twice is an error. */
export function valueOf(component: Component | undefined, name: string): string | undefined {
  const found = component?.lines.filter((line) => line.name.split(';', 1)[0] === name) ?? [];
  if (found.length > 1) {
    throw new Error(`${name} stands there ${String(found.length)} times`);
  }
  return found[0]?.value;
}

/** The text that was escaped (RFC 5545, 3.3.11). */
export const textOf = (value = ''): string =>
  value.replace(/\\([\\;,nN])/gu, (_whole, letter: string) => (letter.toLowerCase() === 'n' ? '\n' : letter));

/** `20260415 to 20260418` of each event, in order. */
export const spansOf = (text: string): readonly string[] =>
  eventsOf(text).map((event) => `${valueOf(event, 'DTSTART') ?? ''} to ${valueOf(event, 'DTEND') ?? ''}`);
