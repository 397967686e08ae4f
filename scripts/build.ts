// Builds the package into dist/: the compiled sources, the files beside them that are not code, and the pages.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

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

/** Puts a compressed copy beside each file of the dashboard, which its server hands out as it is. */
function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

rmSync(dist, { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.build.json');

// The plugin has a joined copy of its rooms; the command line and the Homebridge UI, other processes, load the rooms.
run('vite', 'build', '--config', 'scripts/plugin.vite.config.ts', '--logLevel', 'warn');
writeFileSync(join(dist, 'index.js'), "export { default } from './joined/index.js';\n");
// The joined copy holds parts of zod, whose license asks for its text to come along.
cpSync(join(root, 'node_modules', 'zod', 'LICENSE'), join(dist, 'joined', 'zod.LICENSE'));

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
const page = readFileSync(join(fragment, 'index.html'), 'utf8');
const parts = page.match(/<link rel="stylesheet"[^>]*>|<script[^>]*><\/script>/g) ?? [];
writeFileSync(join(fragment, 'index.html'), `${parts.join('\n').replaceAll(' crossorigin', '')}\n`);
writeFileSync(join(homebridgeUi, 'server.js'), "import '../ui-server/main.js';\n");

compress(join(dist, 'web', 'panel'));

chmodSync(join(dist, 'cli', 'main.js'), 0o755);
