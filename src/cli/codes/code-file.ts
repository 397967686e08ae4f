// Reads a file of access codes: CSV with a heading, or a JSON or YAML list of objects with the same members.
import { readCsv } from '../../support/text/csv.ts';
import { isObject, jsonIn } from '../../support/text/foreign-json.ts';
import { t } from '../../words/translate.ts';

/** One wanted code, as written. A PIN of the form `$NAME` stands in the environment. */
export interface CodeRow {
  /** Where in the file, for sentences: `Line 3`, or `Item 2` of a JSON list. */
  readonly place: string;
  readonly lock: string;
  readonly name: string;
  readonly pin: string;
  readonly schedule: string;
}

/** `faults`: sentences that name the place and the column, never a PIN. With one, no row counts. */
export interface CodeFileReading {
  readonly rows: readonly CodeRow[];
  readonly faults: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `file`: its name, whose ending marks YAML. */
export async function readCodeFile(
  file: string,
  text: string,
  environment: Environment,
): Promise<CodeFileReading> {
  if (/\.ya?ml$/iu.test(file)) {
    // Loaded on demand, because few have such a file.
    const { readYaml } = await import('../../support/text/yaml.ts');
    const reading = readYaml(text, 'text');
    const lineOf = (item: object): string => lineWords(reading.ok ? reading.lineOf(item) : 1);
    return rowsOf(
      reading.ok ? readList(reading.value, lineOf, 'YAML') : fault(...reading.faults),
      environment,
    );
  }
  const isJson = text.trimStart().startsWith('[');
  const itemWords = (_: object, index: number): string => t('Item {number}', { number: index + 1 });
  return rowsOf(isJson ? readList(jsonIn(text), itemWords, 'JSON') : readTable(text), environment);
}

function lineWords(number: number): string {
  return t('Line {number}', { number });
}

const COLUMNS = ['lock', 'name', 'code', 'schedule'] as const;
type Column = (typeof COLUMNS)[number];

function rowsOf(table: Table, environment: Environment): CodeFileReading {
  const faults = [...table.faults];
  const rows = table.rows.map(({ place, cells }): CodeRow => {
    const cell = (column: Column): string => (cells.get(column) ?? '').trim();
    const variable = /^\$([A-Za-z_]\w*)$/.exec(cell('code'))?.[1];
    if (variable !== undefined && (environment[variable] ?? '') === '') {
      faults.push(t('{place}: the environment has no {variable}.', { place, variable }));
    }
    for (const column of COLUMNS) {
      if (cell(column) === '') {
        faults.push(t('{place}: the column "{column}" is empty.', { place, column }));
      }
    }
    const pin = variable === undefined ? cell('code') : (environment[variable] ?? '').trim();
    return { place, lock: cell('lock'), name: cell('name'), pin, schedule: cell('schedule') };
  });
  return { rows, faults };
}

interface Cells {
  readonly place: string;
  readonly cells: ReadonlyMap<string, string>;
}

interface Table {
  readonly rows: readonly Cells[];
  readonly faults: readonly string[];
}

function fault(...faults: readonly string[]): Table {
  return { rows: [], faults };
}

function readTable(text: string): Table {
  const reading = readCsv(text);
  if (!reading.ok) {
    const place = lineWords(reading.line);
    return fault(t('{place}: a quote is opened and never closed.', { place }));
  }
  const [head, ...records] = reading.records;
  const columns = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  // A heading must be known and stand once: of two cells under one heading, the right one is not known.
  if (columns.toSorted().join() !== COLUMNS.toSorted().join()) {
    return fault(
      t('The first line must name the columns {columns}, each once.', { columns: COLUMNS.join(', ') }),
    );
  }
  const faults = records
    .filter(({ cells }) => cells.length > columns.length)
    .map(({ line }) => t('{place}: there are more cells than columns.', { place: lineWords(line) }));
  const rows = records.map(({ line, cells }) => ({
    place: lineWords(line),
    cells: new Map(columns.map((column, index) => [column, cells[index] ?? ''])),
  }));
  return faults.length > 0 ? fault(...faults) : { rows, faults };
}

function readList(
  list: unknown,
  placeOf: (item: object, index: number) => string,
  language: 'JSON' | 'YAML',
): Table {
  if (!Array.isArray(list) || !list.every(isObject)) {
    return fault(t('The file is no {language} list of objects.', { language }));
  }
  const faults: string[] = [];
  const rows = list.map((item, index): Cells => {
    const place = placeOf(item, index);
    for (const [member, value] of Object.entries(item)) {
      // A number has lost its leading zeros.
      if (!isColumn(member) || typeof value !== 'string') {
        // An unknown member may be a value at the wrong place.
        const columns = COLUMNS.join(', ');
        faults.push(
          isColumn(member)
            ? t('{place}: "{member}" must be one of {columns}, as text.', { place, member, columns })
            : t('{place}: each member must be one of {columns}, as text.', { place, columns }),
        );
      }
    }
    return { place, cells: new Map(Object.entries(item).map(([member, value]) => [member, String(value)])) };
  });
  return faults.length > 0 ? fault(...faults) : { rows, faults };
}

function isColumn(member: string): boolean {
  return COLUMNS.some((column) => column === member);
}
