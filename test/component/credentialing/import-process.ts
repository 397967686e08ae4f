// A process that imports credentials until it is done or killed; it says a line for each row that has its result.
import { writeSync } from 'node:fs';
import { z } from 'zod';
import { openProcess } from '../../support/credentialing-process.ts';
import { rowsOf } from '../../support/import-figures.ts';
import { scaledClock } from '../../support/scaled-clock.ts';

const argumentsSchema = z.object({
  options: z.record(z.string(), z.unknown()),
  path: z.string(),
  scale: z.number(),
  startsAt: z.number(),
  rows: z.number(),
});

const { options, path, scale, startsAt, rows } = argumentsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const { credentialing, close } = openProcess(options, path, scaledClock(scale, startsAt));
// Timers of a clock keep no process alive.
const alive = setInterval(() => {}, 60_000);
const planned = await credentialing.importer.plan(
  rowsOf(rows),
  { replace: false, removeMissing: false, site: null },
  {},
);
writeSync(1, 'planned\n');
await planned.run({
  onResult: ({ line, result }) => {
    if (result !== 'unchanged') {
      writeSync(1, `${line ?? 0} ${result}\n`);
    }
  },
  onProgress: () => {},
});
writeSync(1, 'done\n');
await close();
clearInterval(alive);
