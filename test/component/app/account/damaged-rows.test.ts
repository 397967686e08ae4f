// A start of the whole account on a file with damaged rows: everything works, and log and doctor name the table.
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { accountPlace } from '../../../../src/installation/place.ts';
import { STEPS } from '../../../../src/storage/database/migrations.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { FINDINGS, latchkey, writeConfig } from '../../cli/terminal.ts';
import { addRow, columnsIn, DAMAGES, isSingle, unchecked } from '../../storage/damage.ts';

const COLUMNS = columnsIn(inMemory());
const TABLES = [...new Set(COLUMNS.map(({ table }) => table))];

/** Their rows are looked at when one cannot be read. */
const LARGE = new Set(['history_entry', 'history_gap', 'history_name', 'received_event']);

function inMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const step of STEPS) {
    database.exec(step);
  }
  return database;
}

/** A damaged value in each column of the table, each in a row of its own; in a table of one row, in its last column. */
function damage(path: string, table: string): void {
  const columns = COLUMNS.filter((column) => column.table === table);
  const textColumn = columns.find(({ type }) => type === 'TEXT')?.name ?? '';
  unchecked(path, (database) => {
    if (isSingle(table)) {
      const column = table === 'link' ? 'received_at' : (columns.at(-1)?.name ?? '');
      if (table !== 'link') {
        addRow(database, columns, '1');
      }
      database.exec(`UPDATE "${table}" SET "${column}" = x'00ff00'`);
      return;
    }
    for (const column of columns) {
      const value = DAMAGES['a blob']?.(column) ?? null;
      if (value !== null && !(column.isKey && column.name === 'id' && column.type === 'INTEGER')) {
        addRow(database, columns, column.name);
        const which = `"${textColumn}" = '${textColumn}-${column.name}'`;
        database.exec(`UPDATE "${table}" SET "${column.name}" = ${value} WHERE ${which}`);
      }
    }
  });
}

it.each(TABLES)(
  'an account starts and works with damaged rows of %s, which log and doctor name (faults#146)',
  async (table) => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    const id = home.idOf('Front door');
    await home.clock.advance(70_000);
    await home.app.dispose();
    damage(accountPlace(home.folder, { name: 'Latchkey', storagePath: null }).databaseFile, table);
    const before = home.lines.length;
    await home.restart();
    await home.clock.advance(5_000);
    expect(home.app.runtime.linkState()).toBe('linked');
    const shown = (): string[] => home.app.runtime.locks().map(boltOf);
    expect(shown()).toEqual(['secured', 'secured', 'secured']);
    const asked = home.app.runtime.request(id, 'unsecured');
    await home.clock.advance(15_000);
    expect([await asked, shown()]).toEqual([{ kind: 'accepted' }, expect.arrayContaining(['unsecured'])]);
    const { operations } = home.app;
    await home.answered(operations['history.page']({ limit: 50 }));
    await home.answered(operations['guests.list']({}));
    await home.answered(operations['codes.list']({ lock: id }));
    await home.answered(operations.diagnostics({}));
    const lines = home.lines.slice(before).filter((line) => line.includes('set aside'));
    const findings = FINDINGS.parse(JSON.parse((await latchkey(home, 'doctor', '--json')).out));
    const named = findings.filter(({ check, what }) => check === 'storage' && what.includes('set aside'));
    if (!LARGE.has(table) || lines.length > 0) {
      expect(lines).toEqual([expect.stringContaining(`: ${table}, `)]);
      expect(named).toEqual([
        expect.objectContaining({ grade: 'warning', what: expect.stringContaining(table) as string }),
      ]);
    }
  },
);
