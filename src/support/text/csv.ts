// Reads and writes tables (RFC 4180) as spreadsheets do: comma, semicolon or tab, quotes, any line end, a byte order
// mark, and a first line that names the separator.

/** One record with its first line, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export type CsvReading =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  /** A quote opened on this line is never closed. */
  | { readonly ok: false; readonly line: number };

const SEPARATORS = [',', ';', '\t'] as const;

const LINE_END = /\r\n|\r|\n/;

/** The first line by which a spreadsheet is told the separator. */
const NAMED_SEPARATOR = /^"?sep=([,;\t])"?(?:\r\n|\r|\n|$)/i;

/** Empty lines are left out. */
export function readCsv(text: string): CsvReading {
  const body = text.replace(/^\uFEFF/, '');
  const [head = ''] = body.split(LINE_END, 1);
  const named = NAMED_SEPARATOR.exec(body);
  const separator =
    named?.[1] ??
    SEPARATORS.toSorted((one, other) => head.split(other).length - head.split(one).length)[0] ??
    ',';
  const records: CsvRecord[] = [];
  let line = named === null ? 1 : 2;
  let at = named?.[0].length ?? 0;
  while (at < body.length) {
    const record = readRecord(body, at, separator);
    if (record === null) {
      return { ok: false, line };
    }
    if (record.cells.some((cell) => cell.trim() !== '')) {
      records.push({ line, cells: record.cells });
    }
    line += body.slice(at, record.end).split(LINE_END).length - 1;
    at = record.end;
  }
  return { ok: true, records };
}

/** The cells of the record at `start`, and the start of the next; null for an unclosed quote. */
function readRecord(
  text: string,
  start: number,
  separator: string,
): { readonly cells: readonly string[]; readonly end: number } | null {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      const isEscaped = character === '"' && text[at + 1] === '"';
      isQuoted = character !== '"' || isEscaped;
      cell += isQuoted ? character : '';
      at += isEscaped ? 1 : 0;
    } else if (character === '"' && cell === '') {
      isQuoted = true;
    } else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (lineEndAt(text, at) > 0) {
      return { cells: [...cells, cell], end: at + lineEndAt(text, at) };
    } else {
      cell += character;
    }
  }
  return isQuoted ? null : { cells: [...cells, cell], end: text.length };
}

/** How long the line end is that stands there; 0: none does. */
function lineEndAt(text: string, at: number): number {
  const isPair = text.startsWith('\r\n', at);
  return isPair ? 2 : text[at] === '\n' || text[at] === '\r' ? 1 : 0;
}

export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}

/** The beginnings by which spreadsheets recognise a formula, after the apostrophes that mark a text. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** A cell that no spreadsheet runs as a formula: an apostrophe makes it text. */
export function harmlessCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a cell that `harmlessCell` wrote, so that an exported file can be imported again. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
