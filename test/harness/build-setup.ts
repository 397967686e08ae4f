// Builds the plugin and its pages once for tests that open them.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export default function setup(): void {
  const build = join(import.meta.dirname, '..', '..', 'scripts', 'build.ts');
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
}
