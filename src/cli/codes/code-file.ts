// Reads a file of access codes: CSV with a heading, or a JSON or YAML list of objects with the same members.
import { FinalError } from '../../support/errors.ts';
import { readCsv } from '../../support/text/csv.ts';
import { isObject, jsonIn } from '../../support/text/foreign-json.ts';
import { t } from '../../words/translate.ts';

const COLUMNS = ['lock', 'name', 'code', 'schedule'] as const;
type Column = (typeof COLUMNS)[number];

/** One wanted code, as written. A PIN of the form `$NAME` stands in the environment. */
export interface CodeRow {
  /** Where in the file, for sentences: `Line 3`, or `Item 2` of a JSON list. */
  readonly place: string;
  readonly lock: string;
  readonly name: string;
  readonly pin: string;
  readonly schedule: string;
}

interface Cells {
  readonly place: string;
  readonly cells: Readonly<Record<string, unknown>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `file`: its name, whose ending marks YAML. Throws `badFile`: with one bad row, no other counts. */
export async function readCodeFile(
  file: string,
  text: string,
  environment: Environment,
): Promise<readonly CodeRow[]> {
  const faults: string[] = [];
  const rows = (await cellsIn(file, text)).map(({ place, cells }): CodeRow => {
    const cell = (column: Column): string => {
      const value = cells[column];
      return typeof value === 'string' ? value.trim() : '';
    };
    const variable = /^\$([A-Za-z_]\w*)$/.exec(cell('code'))?.[1];
    const pin = variable === undefined ? cell('code') : (environment[variable] ?? '').trim();
    if (variable !== undefined && pin === '') {
      faults.push(t('{place}: the environment has no {variable}.', { place, variable }));
    }
    const empty = COLUMNS.filter((column) => cell(column) === '');
    faults.push(...empty.map((column) => t('{place}: the column "{column}" is empty.', { place, column })));
    return { place, lock: cell('lock'), name: cell('name'), pin, schedule: cell('schedule') };
  });
  return faults.length > 0 ? badFile(faults) : rows;
}

/** Throws sentences that name the place and the column, never a PIN. */
export function badFile(faults: readonly string[]): never {
  throw new FinalError('bad-request', `${t('Nothing was sent.')} ${faults.join(' ')}`);
}

async function cellsIn(file: string, text: string): Promise<readonly Cells[]> {
  if (/\.ya?ml$/iu.test(file)) {
    // Loaded on demand, because few have such a file.
    const { readYaml } = await import('../../support/text/yaml.ts');
    const reading = readYaml(text, 'text');
    return reading.ok
      ? ofList(reading.value, 'YAML', (item) => lineWords(reading.lineOf(item)))
      : badFile(reading.faults);
  }
  return text.trimStart().startsWith('[')
    ? ofList(jsonIn(text), 'JSON', (_, index) => t('Item {number}', { number: index + 1 }))
    : ofTable(text);
}

function lineWords(number: number): string {
  return t('Line {number}', { number });
}

function ofTable(text: string): readonly Cells[] {
  const reading = readCsv(text);
  if (!reading.ok) {
    const place = lineWords(reading.line);
    return badFile([t('{place}: a quote is opened and never closed.', { place })]);
  }
  const [head, ...records] = reading.records;
  const columns = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  // A heading must be known and stand once: of two cells under one heading, the right one is not known.
  if (columns.toSorted().join() !== COLUMNS.toSorted().join()) {
    const known = COLUMNS.join(', ');
    return badFile([t('The first line must name the columns {columns}, each once.', { columns: known })]);
  }
  const faults = records
    .filter(({ cells }) => cells.length > columns.length)
    .map(({ line }) => t('{place}: there are more cells than columns.', { place: lineWords(line) }));
  const rows = records.map(({ line, cells }) => ({
    place: lineWords(line),
    cells: Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
  }));
  return faults.length > 0 ? badFile(faults) : rows;
}

function ofList(
  list: unknown,
  language: 'JSON' | 'YAML',
  placeOf: (item: object, index: number) => string,
): readonly Cells[] {
  if (!Array.isArray(list) || !list.every(isObject)) {
    return badFile([t('The file is no {language} list of objects.', { language })]);
  }
  const columns = COLUMNS.join(', ');
  const rows = list.map((cells, index) => ({ place: placeOf(cells, index), cells }));
  const faults = rows.flatMap(({ place, cells }) =>
    Object.entries(cells).flatMap(([member, value]) => {
      if (!COLUMNS.some((column) => column === member)) {
        // An unknown member may be a value at the wrong place.
        return t('{place}: each member must be one of {columns}, as text.', { place, columns });
      }
      // A number has lost its leading zeros.
      return typeof value === 'string'
        ? []
        : t('{place}: "{member}" must be one of {columns}, as text.', { place, member, columns });
    }),
  );
  return faults.length > 0 ? badFile(faults) : rows;
}
