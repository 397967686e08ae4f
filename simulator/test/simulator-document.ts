// Reads simulator/README.md as data: its tables by their heading, its cells, and the calls that stand in them.
import { projectText } from '../../test/support/document-block.ts';
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

/** Every table of the document; of two under one heading, both. Rows with values of the specification are written out. */
export function documentTables(): readonly DocumentTable[] {
  return tablesAsWritten().map(({ title, head, rows }) => ({
    title,
    head,
    rows: writtenOut(rows, SPECIFICATION_VALUES[title] ?? []),
  }));
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

function tablesAsWritten(): readonly DocumentTable[] {
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
