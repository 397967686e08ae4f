// Builds the package into dist/: the compiled sources, the files beside them that are not code, and the pages.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Whoever builds gets what is published: a test runner says `test` here, of which Vite makes pages with debugging in them. */
const env = { ...process.env, NODE_ENV: 'production' };

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) {
    console.error(
      `The build stopped: \`${command} ${args.join(' ')}\` failed${error ? ` (${error.message})` : ''}.`,
    );
    process.exit(1);
  }
}

rmSync(dist, { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.build.json');

// The plugin has a joined copy of its rooms; the command line and the Homebridge UI, other processes, load the rooms.
run('vite', 'build', '--config', 'scripts/plugin.vite.config.ts', '--logLevel', 'warn');
writeFileSync(join(dist, 'index.js'), "export { default } from './joined/index.js';\n");
// The joined copy holds parts of these packages, whose licenses ask for their text to come along.
for (const name of ['undici', 'zod']) {
  cpSync(join(root, 'node_modules', name, 'LICENSE'), join(dist, 'joined', `${name}.LICENSE`));
}

// What stands beside the code and is read at run time: scenarios, pages, styles.
cpSync(join(root, 'src'), dist, {
  recursive: true,
  filter: (path) => !['.ts', '.tsx', '.md'].includes(extname(path)),
});

for (const page of ['doors', 'panel']) {
  run('vite', 'build', '--config', 'web/vite.config.ts', '--mode', page, '--logLevel', 'warn');
}

// The Homebridge UI looks for a server of this name beside the folder of the page, which is a fragment of its own.
const homebridgeUi = join(dist, 'homebridge-ui');
const fragment = join(homebridgeUi, 'public');
cpSync(join(dist, 'web', 'panel'), fragment, { recursive: true });
cpSync(join(root, 'web', 'panel', 'homebridge-ui.html'), join(fragment, 'index.html'));
writeFileSync(join(homebridgeUi, 'server.js'), "import '../ui-server/main.js';\n");

chmodSync(join(dist, 'cli', 'main.js'), 0o755);
