// Installs the packages of a test folder beside it, once for each lock file: they are large and need the registry.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** "Try again later" of sysexits.h: whoever runs this decides whether to go on without. */
const NOT_RUN = 75;
const TRIES = 2;
/** A slow registry took a minute (our measurement: 20 s). */
const INSTALLED_WITHIN_MS = 240_000;

export interface Beside {
  readonly folder: string;
  /** The installed program, by its name for people. */
  readonly what: string;
  /** Lets npm run the scripts that `allowScripts` of the folder's package.json names. */
  readonly withScripts?: boolean;
}

/**
 * When nothing can be installed, that is said in one loud line and with a status of its own, and reads as neither success
 * nor failure.
 */
export function installBeside({ folder, what, withScripts = false }: Beside): void {
  const lockFile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const modules = join(folder, 'node_modules');
  // What was installed last: written when npm is done, so that half an installation is none.
  const installed = join(modules, '.installed-lock.json');
  let done = existsSync(installed) && readFileSync(installed, 'utf8') === lockFile;
  for (let round = 1; round <= TRIES && !done; round += 1) {
    console.log(`Installing ${what} into ${modules} (try ${round} of ${TRIES}) ...`);
    rmSync(modules, { recursive: true, force: true });
    // Not `npm ci`, which refuses a lock file without an optional package that the registry in use does not carry.
    const flags = ['--no-save', '--loglevel=error', ...(withScripts ? [] : ['--ignore-scripts'])];
    const { status } = spawnSync('npm', ['install', ...flags], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALLED_WITHIN_MS,
    });
    done = status === 0;
    if (done) {
      writeFileSync(installed, lockFile);
    }
  }
  if (!done) {
    console.error(`NOT RUN: ${what} could not be installed, so nothing was tried.`);
    process.exitCode = NOT_RUN;
  }
}
