// All that leaves an account, for tests that look for secrets in it: answers, errors, and files.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import type { SimulatedHome } from '../../homes/simulated-home.ts';

/** An answer may wait for its turn among the listings, for a token, or for a login. */
const ANSWERED_WITHIN_MS = 120_000;

/** All that an operation gave, whether it answered or threw; errors with their stacks and causes. */
export async function outputOf(home: SimulatedHome, asked: Promise<unknown>): Promise<string> {
  const outputs: string[] = [];
  const noted = asked.then(
    (answer) => outputs.push(inspect(answer, { depth: 20 })),
    (error: unknown) => outputs.push(inspect(error, { depth: 20, showHidden: true })),
  );
  for (let waitedMs = 0; outputs.length === 0 && waitedMs < ANSWERED_WITHIN_MS; waitedMs += 1_000) {
    await home.clock.advance(waitedMs === 0 ? 0 : 1_000);
  }
  await noted;
  return outputs.join('');
}

/** Every file of the account but its database, as text after its path. */
export function filesBesideDatabase({ folder }: SimulatedHome): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !basename(entry.name).startsWith('latchkey.db'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`);
}
