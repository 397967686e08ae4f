// Installs the real Homebridge UI beside its tests, once for each lock file. It is 300 MB and needs the registry, so when it
// cannot be installed that is said in one loud line and with a status of its own, and reads as neither success nor failure.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** "Try again later" of sysexits.h: whoever runs this decides whether to go on without. */
const NOT_RUN = 75;
const TRIES = 2;
/** A slow registry took a minute (our measurement: 20 s). */
const INSTALLED_WITHIN_MS = 240_000;

const lockFile = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
const modules = join(import.meta.dirname, 'node_modules');
/** What was installed last: written when npm is done, so that half an installation is none. */
const installed = join(modules, '.installed-lock.json');

function isInstalled(): boolean {
  return existsSync(installed) && readFileSync(installed, 'utf8') === lockFile;
}

function install(): boolean {
  rmSync(modules, { recursive: true, force: true });
  // Not `npm ci`, which refuses a lock file without an optional package that the registry in use does not carry.
  const { status } = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--loglevel=error'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALLED_WITHIN_MS,
  });
  if (status === 0) {
    writeFileSync(installed, lockFile);
  }
  return status === 0;
}

let done = isInstalled();
for (let round = 1; round <= TRIES && !done; round += 1) {
  console.log(`Installing the Homebridge UI into test/ui/node_modules (try ${round} of ${TRIES}) ...`);
  done = install();
}
if (!done) {
  console.error('NOT RUN: the Homebridge UI could not be installed, so nothing was tried in it.');
  process.exitCode = NOT_RUN;
}
