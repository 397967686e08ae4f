// Builds the package into dist/: the plugin and its programs, joined into few files, and the pages. With --if-needed only
// where something that it is made of is newer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeForms } from './form-languages.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Every build is what is published: a test runner sets `test` here, of which Vite makes pages with debugging in them. */
const env = { ...process.env, NODE_ENV: 'production' };

/** One `vite build`; ends the process where that fails. */
async function build(config: string, mode: string): Promise<void> {
  const args = ['build', '--config', config, '--mode', mode, '--logLevel', 'warn'];
  const vite = spawn('vite', args, { cwd: root, env, stdio: 'inherit' });
  // Rejects where the program cannot be started.
  const failure = await once(vite, 'exit').then(
    ([status]: unknown[]) => status,
    (error: Error) => error.message,
  );
  if (failure !== 0) {
    console.error(`The build stopped: \`vite ${args.join(' ')}\` failed (${String(failure)}).`);
    process.exit(1);
  }
}

/** No build reads what another one writes. */
async function buildAll(): Promise<void> {
  const parts = ['plugin', 'tools', 'index', 'mqtt', 'nats', 'undici', 'calendar'].map((part) => [
    'scripts/package.vite.config.ts',
    part,
  ]);
  const pages = ['panel', 'doors'].map((page) => ['web/vite.config.ts', page]);
  const waiting = [...pages, ...parts];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [config = '', mode = ''] = next;
      await build(config, mode);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/** Puts a compressed copy beside each file of the dashboard, which its server hands out as it is. */
function compress(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => !file.endsWith('.LICENSE'))) {
    const path = join(folder, name);
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

/** What dist/ is made of. A file that was removed makes its folder newer. */
const SOURCES = [
  'src',
  'web',
  'simulator',
  'relay',
  'scripts',
  'languages',
  'package.json',
  'package-lock.json',
  'config.schema.json',
];
/** The last file that a build writes. */
const LAST = join(dist, 'homebridge-ui', 'server.js');

function newestIn(path: string): number {
  const stats = statSync(path);
  return stats.isDirectory()
    ? Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
    : stats.mtimeMs;
}

function isBuilt(): boolean {
  const builtAt = statSync(LAST, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((name) => newestIn(join(root, name)) < builtAt);
}

if (process.argv.includes('--if-needed') && isBuilt()) {
  process.exit(0);
}
rmSync(dist, { recursive: true, force: true });
await buildAll();
// Homebridge needs one function; nothing else of the package is for other code.
writeFileSync(
  join(dist, 'index.d.ts'),
  "import type { API } from 'homebridge';\nexport default function register(api: API): Promise<void>;\n",
);

// The Homebridge UI looks for a server of this name beside the folder of the page, which is a fragment of its own.
const homebridgeUi = join(dist, 'homebridge-ui');
const fragment = join(homebridgeUi, 'public');
renameSync(join(fragment, 'index.html'), join(fragment, 'dashboard.html'));
compress(fragment);
const page = readFileSync(join(fragment, 'dashboard.html'), 'utf8');
const parts = page.match(/<link rel="stylesheet"[^>]*>|<script[^>]*><\/script>/g) ?? [];
writeFileSync(join(fragment, 'index.html'), `${parts.join('\n').replaceAll(' crossorigin', '')}\n`);
// Here the UI finds them by `directories.schemas` of package.json, and our page beside itself.
writeForms(root, fragment);
// Last, so that an interrupted build does not pass for a whole one.
writeFileSync(LAST, "import '../ui-server/main.js';\n");

chmodSync(join(dist, 'cli', 'main.js'), 0o755);
