// Parses both formats of a credential file, table and JSON lines, into records of texts by column.
import { message } from '../../../domain/language/message.ts';
import { oneLine } from '../../../support/log.ts';
import { plainCell, readCsv } from '../../../support/text/csv.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import { ATTRIBUTE_PREFIX, COLUMNS, columnOf, type Fields, type LineRemark } from './credential-columns.ts';

const FILE = message('the file');
const LINE = message('the line');

/** The records of a table with a heading, or the fault that makes it unreadable. */
export function readTable(text: string): readonly Fields[] | { readonly fault: LineRemark } {
  const table = readCsv(text);
  if (!table.ok) {
    return { fault: { line: table.line, field: FILE, problem: message('has a quote that is never closed') } };
  }
  const [head, ...records] = table.records;
  if (head === undefined) {
    return [];
  }
  const columns = head.cells.map((cell) => columnOf(plainCell(cell.trim())));
  const unknown = columns.findIndex((column) => column === null);
  if (unknown !== -1) {
    const name = oneLine(head.cells[unknown] ?? '');
    const known = [...COLUMNS, `${ATTRIBUTE_PREFIX}NAME`];
    const problem = message('is not a column; there are {columns}', { columns: known });
    return {
      fault: { line: head.line, field: name === '' ? message('an empty heading') : `"${name}"`, problem },
    };
  }
  return records.map(({ line, cells }) => ({
    line,
    values: new Map(
      columns.flatMap((column, index) => {
        const cell = plainCell(cells[index]?.trim() ?? '');
        return column === null || cell === '' ? [] : [[column, cell] as const];
      }),
    ),
    fault:
      cells.length > columns.length
        ? { line, field: message('the row'), problem: message('has more cells than the table has columns') }
        : null,
  }));
}

export function readJsonLines(text: string): readonly Fields[] {
  return text.split(/\r\n|\r|\n/).flatMap((content, index) => {
    const line = index + 1;
    return content.trim() === '' ? [] : [{ line, ...jsonFields(content, line) }];
  });
}

function jsonFields(content: string, line: number): Omit<Fields, 'line'> {
  const none = new Map<string, string>();
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { values: none, fault: { line, field: LINE, problem: message('is not JSON') } };
  }
  if (!isObject(value)) {
    return { values: none, fault: { line, field: LINE, problem: message('is not a JSON object') } };
  }
  const { attributes: given, ...members } = value;
  const attributes = given ?? {};
  const entries = [
    ...Object.entries(members),
    ...(isObject(attributes)
      ? Object.entries(attributes).map(([name, text]) => [`${ATTRIBUTE_PREFIX}${name}`, text] as const)
      : [['attributes', null] as const]),
  ];
  const strange = entries.find(([name, text]) => columnOf(name) === null || !isPlain(text));
  return strange === undefined
    ? {
        values: new Map(
          entries.flatMap(([name, text]) => (text === null ? [] : [[columnOf(name) ?? name, textOf(text)]])),
        ),
        fault: null,
      }
    : {
        values: none,
        fault: {
          line,
          field: oneLine(strange[0]),
          problem: message('is not a member that is known, or is neither text nor number'),
        },
      };
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function textOf(value: unknown): string {
  return isPlain(value) && value !== null ? String(value) : '';
}
