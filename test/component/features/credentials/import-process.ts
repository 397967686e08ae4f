// A process that imports credentials until it is done or killed; it prints a line for each finished row.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { z } from 'zod';
import { RetryError } from '../../../../src/support/errors.ts';
import { t } from '../../../../src/words/translate.ts';
import { openProcess } from '../../../support/credentialing-process.ts';
import { rowsOf } from '../../../support/import-figures.ts';
import { scaledClock } from '../../../support/scaled-clock.ts';

// It ends by being killed, and would leave the next one nothing of what it has compiled.
flushCompileCache();
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
/** Attempts of an import: at this speed a busy machine misses the deadline of a call now and then. */
const MAX_ATTEMPTS = 20;

async function importAll(): Promise<void> {
  const choices = { replace: false, removeMissing: false, site: null };
  const planned = await credentialing.importer.plan(rowsOf(rows), choices, {});
  writeSync(1, 'planned\n');
  await planned.run({
    onResult: ({ line, result, reason }) => {
      if (result !== 'unchanged') {
        writeSync(1, `${line ?? 0} ${result}${reason === null ? '' : ` ${t(reason)}`}\n`);
      }
    },
    onProgress: () => {},
  });
}

async function importAgainWhileLate(attemptsLeft: number): Promise<void> {
  try {
    await importAll();
  } catch (error) {
    if (!(error instanceof RetryError) || attemptsLeft === 0) {
      throw error;
    }
    await importAgainWhileLate(attemptsLeft - 1);
  }
}

await importAgainWhileLate(MAX_ATTEMPTS);
writeSync(1, 'done\n');
await close();
clearInterval(alive);
