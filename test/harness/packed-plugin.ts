// Packs the built plugin and lays the tarball's content out as a Homebridge plugin folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const PLUGIN_NAME = 'homebridge-latchkey';
const DEPENDENCY = 'node_modules/';

const packReport = z.array(
  z.object({ filename: z.string(), files: z.array(z.object({ path: z.string(), mode: z.number() })) }),
);
const lockFile = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

export interface PackedPlugin {
  readonly tarball: string;
  /** The files of the tarball, sorted, relative to its root. */
  readonly files: readonly string[];
  /** For Homebridge's `--plugin-path`. */
  readonly pluginsFolder: string;
}

/**
 * Packs what `npm run build` left in dist/ into `folder` and unpacks it there. Beside the plugin lie links to its run-time
 * dependencies as the lock file names them, and to nothing else: an import of a development dependency fails as it
 * would for a user.
 */
export function packPlugin(folder: string): PackedPlugin {
  if (!existsSync(join(root, 'dist'))) {
    throw new Error('There is nothing to pack: run `npm run build` first');
  }
  const report = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = packReport.parse(JSON.parse(report));
  if (!packed) {
    throw new Error('npm packed nothing');
  }
  const tarball = join(folder, packed.filename);
  const pluginsFolder = join(folder, 'plugins');
  const pluginFolder = join(pluginsFolder, PLUGIN_NAME);
  mkdirSync(pluginFolder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', pluginFolder, '--strip-components=1']);
  linkDependencies(pluginFolder);
  return { tarball, files: packed.files.map(({ path }) => path).sort(), pluginsFolder };
}

function linkDependencies(pluginFolder: string): void {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  for (const [path, { dev = false }] of Object.entries(packages)) {
    const isTopLevel = path.startsWith(DEPENDENCY) && !path.includes(`/${DEPENDENCY}`);
    if (isTopLevel && !dev) {
      mkdirSync(join(pluginFolder, dirname(path)), { recursive: true });
      symlinkSync(join(root, path), join(pluginFolder, path), 'dir');
    }
  }
}
