// Reads a file of access codes: CSV with a heading, or a JSON list of objects with the same members.
import { readCsv } from '../support/csv.ts';
import { isObject } from '../support/foreign-json.ts';

/** One wanted code, as written. A PIN of the form `$NAME` stands in the environment. */
export interface CodeRow {
  /** Of the file, counted from 1; of a JSON list, the number of the item. */
  readonly line: number;
  readonly lock: string;
  readonly name: string;
  readonly pin: string;
  readonly schedule: string;
}

export type CodeFileReading =
  | { readonly ok: true; readonly rows: readonly CodeRow[] }
  /** Sentences that name the line and the column, never a PIN. */
  | { readonly ok: false; readonly faults: readonly string[] };

const COLUMNS = ['lock', 'name', 'code', 'schedule'] as const;
type Column = (typeof COLUMNS)[number];

export function readCodeFile(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): CodeFileReading {
  const table = text.trimStart().startsWith('[') ? readJsonList(text) : readTable(text);
  if (!table.ok) {
    return table;
  }
  const faults: string[] = [];
  const rows = table.rows.map(({ line, cells }): CodeRow => {
    const cell = (column: Column): string => (cells.get(column) ?? '').trim();
    const variable = /^\$([A-Za-z_]\w*)$/.exec(cell('code'))?.[1];
    if (variable !== undefined && (environment[variable] ?? '') === '') {
      faults.push(`Line ${String(line)}: the environment has no ${variable}.`);
    }
    for (const column of ['lock', 'name', 'code'] as const) {
      if (cell(column) === '') {
        faults.push(`Line ${String(line)}: the column "${column}" is empty.`);
      }
    }
    const pin = variable === undefined ? cell('code') : (environment[variable] ?? '').trim();
    const schedule = cell('schedule') === '' ? 'always' : cell('schedule');
    return { line, lock: cell('lock'), name: cell('name'), pin, schedule };
  });
  return faults.length === 0 ? { ok: true, rows } : { ok: false, faults };
}

interface Cells {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

type Table = { readonly ok: true; readonly rows: readonly Cells[] } | Extract<CodeFileReading, { ok: false }>;

function readTable(text: string): Table {
  const reading = readCsv(text);
  if (!reading.ok) {
    return { ok: false, faults: [`Line ${String(reading.line)}: a quote is opened and never closed.`] };
  }
  const [head, ...records] = reading.records;
  const columns = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const unknown = columns.filter((column) => !COLUMNS.some((known) => known === column));
  if (unknown.length > 0 || !['lock', 'name', 'code'].every((column) => columns.includes(column))) {
    return { ok: false, faults: [`The first line must name the columns ${COLUMNS.join(', ')}.`] };
  }
  const rows = records.map(({ line, cells }) => ({
    line,
    cells: new Map(columns.map((column, index) => [column, cells[index] ?? ''])),
  }));
  return { ok: true, rows };
}

function readJsonList(text: string): Table {
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every(isObject)) {
    return { ok: false, faults: ['The file is no JSON list of objects.'] };
  }
  const faults: string[] = [];
  const rows = list.map((item, index): Cells => {
    const line = index + 1;
    for (const [member, value] of Object.entries(item)) {
      // A number has lost its leading zeros.
      if (!COLUMNS.some((column) => column === member) || typeof value !== 'string') {
        faults.push(`Item ${String(line)}: "${member}" must be one of ${COLUMNS.join(', ')}, as text.`);
      }
    }
    return { line, cells: new Map(Object.entries(item).map(([member, value]) => [member, String(value)])) };
  });
  return faults.length === 0 ? { ok: true, rows } : { ok: false, faults };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
