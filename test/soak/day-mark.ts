// The figures at the end of a day: the process, the database, and the lines of the log.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { accountPlace } from '../../src/installation/place.ts';
import type { HomeReport } from './home-report.ts';
import type { SoakHouse } from './soak-house.ts';

export interface DayMark extends HomeReport {
  readonly day: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly databaseBytes: number;
  /** SQLite's log beside it, which keeps the size that it once had. */
  readonly walBytes: number;
  /** Everything that Homebridge keeps on the disk, the database included. */
  readonly storeBytes: number;
  readonly logLines: number;
  readonly complaints: number;
  readonly counts: Readonly<Record<string, number>>;
}

export async function markDay(
  house: SoakHouse,
  day: number,
  counts: DayMark['counts'],
  linesBefore: number,
): Promise<DayMark> {
  const { storeFolder } = house.stage.installation;
  const database = accountPlace(storeFolder, { name: 'Latchkey', storagePath: null }).databaseFile;
  const lines = house.stage.lines.slice(linesBefore);
  return {
    ...(await house.report()),
    day,
    rows: rowsOf(database),
    databaseBytes: statSync(database).size,
    walBytes: statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    storeBytes: bytesIn(storeFolder),
    logLines: lines.length,
    complaints: lines.filter(({ isComplaint }) => isComplaint).length,
    counts,
  };
}

function rowsOf(path: string): Record<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const counted = database.prepare(`SELECT count(*) AS rows FROM "${String(name)}"`).get();
        return [String(name), Number(counted?.['rows'])];
      }),
    );
  } finally {
    database.close();
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
