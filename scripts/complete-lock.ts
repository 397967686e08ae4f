// Completes package-lock.json after `npm install`: npm leaves out the builds for other platforms that the registry in use
// does not carry, and `npm ci` then refuses the lock file everywhere. Their names say which platforms they are for.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, missingOptionals, readLock } from './lock-file.ts';

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

const path = join(import.meta.dirname, '..', 'package-lock.json');
const lock = readLock(readFileSync(path, 'utf8'));

/** What the name says, such as `@oxlint/binding-linux-x64-musl`. */
function entryFor(name: string, version: string, dev: boolean | undefined): LockedPackage {
  const words = name.split(/[/-]/);
  const only = (known: readonly string[]): string[] =>
    known.filter((word) => words.includes(word)).slice(0, 1);
  const [os, cpu] = [only(SYSTEMS), only(PROCESSORS)];
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {};
  if (os.length === 0 || cpu.length === 0) {
    throw new Error(`${name} does not say for which platform it is: add it by hand`);
  }
  return { version, cpu, ...(dev ? { dev } : {}), ...libc, optional: true, os };
}

const missing = missingOptionals(lock);
for (const { name, version, dev } of missing) {
  lock.packages[`node_modules/${name}`] = entryFor(name, version, dev);
}
const [root, ...others] = Object.entries(lock.packages);
const sorted = others.sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(root ? [root, ...sorted] : sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages for other platforms were added to package-lock.json`);
