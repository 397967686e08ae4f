// Builds the plugin and its pages once for tests that open them, unless they are newer than all that they are made of.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Two projects of one run ask for it, each with a copy of this module. */
const DONE = 'LATCHKEY_TEST_BUILT';

export default function setup(): void {
  if (process.env[DONE] !== 'yes') {
    const build = join(import.meta.dirname, '..', '..', 'scripts', 'build.ts');
    execFileSync(process.execPath, [build, '--if-needed'], { stdio: 'inherit' });
    process.env[DONE] = 'yes';
  }
}
