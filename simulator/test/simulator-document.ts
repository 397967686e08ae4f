// Reads simulator/README.md as data: its tables by their heading, its cells, and the calls that stand in them.
import { projectText } from '../../test/support/document-block.ts';

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

/** Every table of the document; of two under one heading, both. Rows for each line of the next table are written out. */
export function documentTables(): readonly DocumentTable[] {
  const tables = tablesAsWritten();
  return tables.map((table, index) => {
    const { title, head } = table;
    return { title, head, rows: writtenOut(table, tables[index + 1]) };
  });
}

/** A row that names columns of the table below, such as `{number}`, once for each line there. */
function writtenOut({ title, rows }: DocumentTable, next: DocumentTable | undefined): DocumentTable['rows'] {
  if (next?.title !== title) {
    return rows;
  }
  const filled = (cell: string, values: readonly string[]): string =>
    next.head.reduce((text, name, at) => text.replaceAll(`{${name}}`, values[at] ?? ''), cell);
  const isTemplate = (row: readonly string[]): boolean => filled(row.join('|'), []) !== row.join('|');
  return rows.flatMap((row) =>
    isTemplate(row) ? next.rows.map((values) => row.map((cell) => filled(cell, values))) : [row],
  );
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
