// Which tests of a mutation run are needed: for each file of tests and each test that notices a change, how many it alone notices.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';

/** What is read of the report of Stryker. Of a change that ends in a timeout, no test is named. */
const REPORT = z.object({
  files: z.record(
    z.string(),
    z.object({ mutants: z.array(z.object({ killedBy: z.array(z.string()).default([]) })) }),
  ),
  testFiles: z.record(
    z.string(),
    z.object({ tests: z.array(z.object({ id: z.string(), name: z.string() })) }),
  ),
});

/** The report was made without an end at the first test that notices a change. */
export function tableOfKillers(path: string): string {
  const { files, testFiles } = REPORT.parse(JSON.parse(readFileSync(path, 'utf8')));
  const killers = Object.values(files).flatMap(({ mutants }) => mutants.map(({ killedBy }) => killedBy));
  const lines = ['    alone   noticed  test'];
  for (const [file, { tests }] of Object.entries(testFiles)) {
    const ids = tests.map(({ id }) => id);
    lines.push(...lineOf(killers, relative('.', file), ids));
    lines.push(...tests.flatMap(({ id, name }) => lineOf(killers, `  ${name}`, [id])));
  }
  return lines.join('\n');
}

/** None for tests of other modules. */
function lineOf(killers: readonly (readonly string[])[], name: string, ids: readonly string[]): string[] {
  const noticed = killers.filter((by) => by.some((id) => ids.includes(id)));
  const alone = noticed.filter((by) => by.every((id) => ids.includes(id)));
  const counts = [alone, noticed].map(({ length }) => String(length).padStart(9));
  return noticed.length === 0 ? [] : [`${counts.join(' ')}  ${name}`];
}
