// Tables: every line end, and cells that a spreadsheet would run, which come back as they were.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, harmlessCell, plainCell, readCsv } from '../../../src/support/text/csv.ts';

describe('a table', () => {
  it.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR alone, as old spreadsheets write (faults#121)', '\r'],
  ])('is read with %s at the end of its lines', (_, end) => {
    expect(readCsv(['a;b', '1;2', '', '"x\ny";4', ''].join(end))).toEqual({
      ok: true,
      records: [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1', '2'] },
        { line: 4, cells: ['x\ny', '4'] },
      ],
    });
  });

  it('names the line of an open quote after lines that end with CR alone', () => {
    expect(readCsv('a,b\r1,2\r"3,4\r')).toEqual({ ok: false, line: 3 });
  });
});

it('a cell that is exported is never a formula, and is read as it was (faults#121)', () => {
  const begin = fc.constantFrom('', "'", "''", '=', '+', '-', '@', '\t', '＝', "'=", "''+");
  fc.assert(
    fc.property(begin, fc.string(), (start, rest) => {
      const text = start + rest;
      const cell = harmlessCell(text);
      expect(cell).not.toMatch(/^[=+\-@\t\r\n＋－＝＠]/u);
      expect(plainCell(cell)).toBe(text);
      expect(readCsv(`cell,x\n${csvLine([cell, 'x'])}\n`)).toEqual({
        ok: true,
        records: [
          { line: 1, cells: ['cell', 'x'] },
          { line: 2, cells: [cell, 'x'] },
        ],
      });
    }),
  );
});
