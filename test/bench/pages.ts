// The figures of the pages, measured in a process of its own: it alone knows what a browser's pages are.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Figure } from './figures.ts';

export interface PageRounds {
  /** Losses of each kind. */
  readonly losses: number;
  /** For how long pages are left alone. */
  readonly idleMs: number;
  /** How often the page is opened. */
  readonly paints: number;
  /** Whether many locks and many events are measured. */
  readonly crowds: boolean;
}

/** What is 0 is left out. */
const NOTHING: PageRounds = { losses: 0, idleMs: 0, paints: 0, crowds: false };

const summary = z.object({ p50: z.number(), p99: z.number(), n: z.number() });
const figures = z.array(
  z.object({
    name: z.string(),
    unit: z.string(),
    ours: summary,
    limit: summary.nullable(),
    ratio: z.object({ p50: z.number(), p99: z.number() }).nullable(),
    goal: z.string(),
    met: z.boolean(),
  }),
);

export async function measurePages(rounds: Partial<PageRounds>): Promise<readonly Figure[]> {
  const program = join(import.meta.dirname, '..', 'browser', 'page-figures.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    JSON.stringify({ ...NOTHING, ...rounds }),
  ]);
  return figures.parse(JSON.parse(stdout));
}
