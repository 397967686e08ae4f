// Reads simulator/README.md as data: its tables by their heading, its cells, and the calls that stand in them; beside it the rows of the specification.
import { projectText } from '../../test/support/document-block.ts';
import { SPECIFICATION_ANSWERS } from './specification-answers.ts';
import { SPECIFICATION_ROWS } from './specification-rows.ts';
import { SPECIFICATION_VALUES } from './specification-values.ts';

export const DOCUMENT = 'simulator/README.md';

/** The heading under which a table stands, and its rows as cells; head and rule left out. */
export interface DocumentTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * The rows of the specification by their heading. A row has five cells: its name, what to push on the page, the control calls, what to
 * ask as a partner, and what is seen.
 */
export function specificationTables(): readonly Omit<DocumentTable, 'head'>[] {
  return Object.entries(SPECIFICATION_ROWS).map(([title, named]) => {
    const rows = Object.entries(named).map(([name, cells]) => withAnswer(title, [name, ...cells]));
    return { title, rows: writtenOut(rows, SPECIFICATION_VALUES[title] ?? []) };
  });
}

/** The lines of the block of code under a heading. */
export function linesUnder(title: string): readonly string[] {
  const [, part = ''] = projectText(DOCUMENT).split(`# ${title}\n`);
  return /^\n```\n(.*?)\n```\n/s.exec(part)?.[1]?.split('\n') ?? [];
}

/** Joins a row with its answer; calls of a partner begin with a word in capitals, and then are what is asked. */
function withAnswer(title: string, [name = '', page = '', calls = '']: readonly string[]): readonly string[] {
  const answer = SPECIFICATION_ANSWERS[title]?.[name];
  if (answer === undefined) {
    throw new Error(`${title}, ${name}: nothing says what is seen`);
  }
  const asks = answer.slice(0, -1).map((ask) => `\`${ask}\``);
  const isAsked = /^`[A-Z]/.test(calls);
  const seen = `\`${answer.at(-1) ?? ''}\``;
  return [name, page, isAsked ? '' : calls, isAsked ? calls : asks.join(', then '), seen];
}

/** A row that names values, such as `{number}`, once for each of them. */
function writtenOut(
  rows: DocumentTable['rows'],
  values: readonly Readonly<Record<string, string>>[],
): DocumentTable['rows'] {
  const filled = (cell: string, of: Readonly<Record<string, string>>): string =>
    Object.entries(of).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), cell);
  return rows.flatMap((row) => {
    const isTemplate = Object.keys(values[0] ?? {}).some((name) => row.join('|').includes(`{${name}}`));
    return isTemplate ? values.map((of) => row.map((cell) => filled(cell, of))) : [row];
  });
}

/** Every table of the document; of two under one heading, both. */
export function documentTables(): readonly DocumentTable[] {
  const tables: { title: string; head: readonly string[]; rows: (readonly string[])[] }[] = [];
  let title = '';
  let isInside = false;
  for (const line of projectText(DOCUMENT).split('\n')) {
    title = /^#+ (.*)$/.exec(line)?.[1] ?? title;
    if (!line.startsWith('|')) {
      isInside = false;
    } else if (!isInside) {
      isInside = true;
      tables.push({ title, head: cellsOf(line), rows: [] });
    } else if (!line.startsWith('|---')) {
      tables.at(-1)?.rows.push(cellsOf(line));
    }
  }
  return tables;
}

/** The pieces of a cell that are set as code. */
export function codeOf(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The names of controls of the page in a cell. */
export function namesOf(cell = ''): readonly string[] {
  return [...cell.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
}

/** The word and the JSON of a piece such as `house/revoke {"userId":"resident"}`. */
export function readCall(code: string): { readonly what: string; readonly details: unknown } {
  const [, what = '', json] = /^(.*?)(?: ([{[].*[}\]]))?$/s.exec(code) ?? [];
  return { what, details: json === undefined ? undefined : JSON.parse(json) };
}
