// Sets up the real programs of a home, once for each list of packages: they are large and need the registries.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOME_ASSISTANT, MATTER_SERVER, PROGRAMS_FOLDER, type Programs, pythonOf } from './programs.ts';
import { findPython, PIP_INSTALL, type Python, run } from './python.ts';

/** "Try again later" of sysexits.h: whoever runs this decides whether to go on without. */
const NOT_RUN = 75;

/** The Matter SDK keeps its counters there, whatever its server is told, and ends where it is missing. */
const MATTER_DATA = '/data';

/** Written when pip is done, so that half an environment is none. */
function installedIn({ folder }: Programs): string {
  return join(folder, '.installed.json');
}

function isInstalled(programs: Programs): boolean {
  const file = installedIn(programs);
  return existsSync(file) && readFileSync(file, 'utf8') === JSON.stringify(programs.packages);
}

function install(programs: Programs, { program, pip }: Python): boolean {
  const python = pythonOf(programs);
  rmSync(programs.folder, { recursive: true, force: true });
  console.log(`Installing ${programs.packages.join(', ')} into ${programs.folder} ...`);
  return (
    run(program, ['-m', 'venv', ...(pip === null ? [] : ['--without-pip']), programs.folder]) &&
    run(python, [...(pip === null ? ['-m', 'pip'] : [pip]), ...PIP_INSTALL, ...programs.packages])
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(join(folder, '.'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why nothing can be tried; null when everything is there. */
function obstacle(): string | null {
  if (!isWritable(MATTER_DATA)) {
    return `the Matter SDK writes to ${MATTER_DATA}, which is no folder that this user may write`;
  }
  const missing = [HOME_ASSISTANT, MATTER_SERVER].filter((programs) => !isInstalled(programs));
  if (missing.length === 0) {
    return null;
  }
  mkdirSync(PROGRAMS_FOLDER, { recursive: true });
  const python = findPython(PROGRAMS_FOLDER);
  if (python === null) {
    return 'there is no Python 3.14, and debootstrap (Debian, as root) could not bring one';
  }
  for (const programs of missing) {
    if (!install(programs, python)) {
      return `pip could not install ${programs.packages.join(', ')}`;
    }
    writeFileSync(installedIn(programs), JSON.stringify(programs.packages));
  }
  return null;
}

const why = obstacle();
if (why !== null) {
  console.error(`NOT RUN: ${why}, so nothing was tried with the real programs of homes.`);
  process.exitCode = NOT_RUN;
}
