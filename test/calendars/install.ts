// Sets up the other readers of calendars, once for each list of packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER, NODE_PACKAGE, PYTHON, PYTHON_PACKAGES } from './programs.ts';

const INSTALLED = join(FOLDER, '.installed.json');
const WANTED = JSON.stringify([...PYTHON_PACKAGES, NODE_PACKAGE]);

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

function install(): boolean {
  mkdirSync(FOLDER, { recursive: true });
  console.log(`Installing the readers of calendars into ${FOLDER} ...`);
  return (
    (existsSync(PYTHON) || run('python3', ['-m', 'venv', FOLDER])) &&
    run(PYTHON, ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES]) &&
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', FOLDER, NODE_PACKAGE])
  );
}

if (!existsSync(INSTALLED) || readFileSync(INSTALLED, 'utf8') !== WANTED) {
  if (install()) {
    writeFileSync(INSTALLED, WANTED);
  } else {
    console.error('NOT RUN: the other readers of calendars could not be installed.');
    process.exitCode = 75;
  }
}
