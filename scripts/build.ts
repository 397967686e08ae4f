// Builds the package into dist/: the compiled sources, the files beside them that are not code, and the pages.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(
      `The build stopped: \`${command} ${args.join(' ')}\` failed${error ? ` (${error.message})` : ''}.`,
    );
    process.exit(1);
  }
}

rmSync(dist, { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.build.json');

// What stands beside the code and is read at run time: scenarios, pages, styles.
cpSync(join(root, 'src'), dist, {
  recursive: true,
  filter: (path) => !['.ts', '.tsx', '.md'].includes(extname(path)),
});

run('vite', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn');

chmodSync(join(dist, 'cli', 'main.js'), 0o755);
