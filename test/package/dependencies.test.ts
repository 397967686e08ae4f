// The packages of an installation: few, small, and without anything that runs or compiles when they are installed.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { missingOptionals, readLock } from '../../scripts/lock-file.ts';

const root = join(import.meta.dirname, '..', '..');

/** Ceilings that the package promises its users. */
const MOST_PACKAGES = 80;
const MOST_MEGABYTES = 40;

const { packages } = z
  .object({
    packages: z.record(
      z.string(),
      z.object({ dev: z.boolean().default(false), hasInstallScript: z.boolean().default(false) }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

const atRunTime = Object.entries(packages).filter(
  ([path, { dev }]) => path.startsWith('node_modules/') && !dev,
);
const filesOf = (path: string): string[] =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((file) => join(root, path, file));

describe('the lock file', () => {
  it('names the builds for every platform, or `npm ci` refuses it (`npm run complete-lock` mends it)', () => {
    expect(missingOptionals(readLock(readFileSync(join(root, 'package-lock.json'), 'utf8')))).toEqual([]);
  });
});

describe('the run-time dependencies', () => {
  it(`are at most ${MOST_PACKAGES} packages and ${MOST_MEGABYTES} MB`, () => {
    expect(atRunTime.length).toBeGreaterThan(0);
    expect(atRunTime.length).toBeLessThanOrEqual(MOST_PACKAGES);
    const bytes = atRunTime
      .flatMap(([path]) => filesOf(path))
      .map((file) => statSync(file))
      .filter((stats) => stats.isFile())
      .reduce((sum, { size }) => sum + size, 0);
    expect(bytes / 1e6).toBeLessThanOrEqual(MOST_MEGABYTES);
  });

  it('run no script when they are installed, and hold no native code (faults#76)', () => {
    expect(atRunTime.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual(
      [],
    );
    const native = atRunTime
      .flatMap(([path]) => filesOf(path))
      .filter((file) => /\.node$|\/binding\.gyp$/.test(file));
    expect(native).toEqual([]);
  });
});
