// Reads a file of access codes: CSV with a heading, or a JSON or YAML list of objects with the same members.
import { readCsv } from '../../support/text/csv.ts';
import { isObject, jsonIn } from '../../support/text/foreign-json.ts';

/** One wanted code, as written. A PIN of the form `$NAME` stands in the environment. */
export interface CodeRow {
  /** Where in the file, for sentences: `Line 3`, or `Item 2` of a JSON list. */
  readonly place: string;
  readonly lock: string;
  readonly name: string;
  readonly pin: string;
  readonly schedule: string;
}

export type CodeFileReading =
  | { readonly ok: true; readonly rows: readonly CodeRow[] }
  /** Sentences that name the place and the column, never a PIN. */
  | { readonly ok: false; readonly faults: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the file is YAML, by its name. */
function isYaml(file: string): boolean {
  return /\.ya?ml$/iu.test(file);
}

/** `file`: its name, whose ending marks YAML. */
export async function readCodeFile(
  file: string,
  text: string,
  environment: Environment,
): Promise<CodeFileReading> {
  if (isYaml(file)) {
    // Loaded on demand, because few have such a file.
    const { readYaml } = await import('../../support/text/yaml.ts');
    const reading = readYaml(text, 'text');
    return reading.ok
      ? rowsOf(
          readList(reading.value, (item) => `Line ${String(reading.lineOf(item))}`, 'YAML'),
          environment,
        )
      : reading;
  }
  const isJson = text.trimStart().startsWith('[');
  return rowsOf(
    isJson ? readList(jsonIn(text), (_, index) => `Item ${String(index + 1)}`, 'JSON') : readTable(text),
    environment,
  );
}

const COLUMNS = ['lock', 'name', 'code', 'schedule'] as const;
type Column = (typeof COLUMNS)[number];

function rowsOf(table: Table, environment: Environment): CodeFileReading {
  if (!table.ok) {
    return table;
  }
  const faults: string[] = [];
  const rows = table.rows.map(({ place, cells }): CodeRow => {
    const cell = (column: Column): string => (cells.get(column) ?? '').trim();
    const variable = /^\$([A-Za-z_]\w*)$/.exec(cell('code'))?.[1];
    if (variable !== undefined && (environment[variable] ?? '') === '') {
      faults.push(`${place}: the environment has no ${variable}.`);
    }
    for (const column of COLUMNS) {
      if (cell(column) === '') {
        faults.push(`${place}: the column "${column}" is empty.`);
      }
    }
    const pin = variable === undefined ? cell('code') : (environment[variable] ?? '').trim();
    return { place, lock: cell('lock'), name: cell('name'), pin, schedule: cell('schedule') };
  });
  return faults.length === 0 ? { ok: true, rows } : { ok: false, faults };
}

interface Cells {
  readonly place: string;
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
  // A heading must be known and stand once: of two cells under one heading, the right one is not known.
  if (columns.toSorted().join() !== COLUMNS.toSorted().join()) {
    return { ok: false, faults: [`The first line must name the columns ${COLUMNS.join(', ')}, each once.`] };
  }
  const faults = records
    .filter(({ cells }) => cells.length > columns.length)
    .map(({ line }) => `Line ${String(line)}: there are more cells than columns.`);
  if (faults.length > 0) {
    return { ok: false, faults };
  }
  const rows = records.map(({ line, cells }) => ({
    place: `Line ${String(line)}`,
    cells: new Map(columns.map((column, index) => [column, cells[index] ?? ''])),
  }));
  return { ok: true, rows };
}

function readList(
  list: unknown,
  placeOf: (item: object, index: number) => string,
  language: 'JSON' | 'YAML',
): Table {
  if (!Array.isArray(list) || !list.every(isObject)) {
    return { ok: false, faults: [`The file is no ${language} list of objects.`] };
  }
  const faults: string[] = [];
  const rows = list.map((item, index): Cells => {
    const place = placeOf(item, index);
    for (const [member, value] of Object.entries(item)) {
      // A number has lost its leading zeros.
      if (!isColumn(member) || typeof value !== 'string') {
        // An unknown member may be a value at the wrong place.
        const subject = isColumn(member) ? `"${member}"` : 'each member';
        faults.push(`${place}: ${subject} must be one of ${COLUMNS.join(', ')}, as text.`);
      }
    }
    return { place, cells: new Map(Object.entries(item).map(([member, value]) => [member, String(value)])) };
  });
  return faults.length === 0 ? { ok: true, rows } : { ok: false, faults };
}

function isColumn(member: string): boolean {
  return COLUMNS.some((column) => column === member);
}
