// Opening the file: private, or not at all.
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/storage/database/open-database.ts';
import {
  checkPrivateFile,
  ensurePrivateFile,
  ensurePrivateFolder,
} from '../../../src/storage/database/private-files.ts';
import { LatchkeyError } from '../../../src/support/errors.ts';
import { type Log, silentLog } from '../../../src/support/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const hasModes = process.geteuid !== undefined;

/** Where a database could be: neither the file nor its folder is there yet. */
function place(): string {
  return join(temporaryFolder(), 'latchkey', 'house.db');
}

/** The same, in a private folder that is there. */
function placeInFolder(): string {
  const path = place();
  mkdirSync(dirname(path), { mode: 0o700 });
  return path;
}

/** Opens it, writes something so that all files are there, and tells what was warned of. */
function open(path: string): readonly string[] {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (line) => warnings.push(line) };
  const database = openDatabase(path, log);
  onTestFinished(() => {
    database.close();
  });
  database.quick.script("INSERT OR REPLACE INTO setting VALUES ('key', '1')");
  return warnings;
}

function refusalOf(work: () => unknown): LatchkeyError {
  try {
    work();
  } catch (error) {
    if (error instanceof LatchkeyError) {
      return error;
    }
    throw error;
  }
  throw new Error('It was not refused');
}

function modes(path: string): Record<string, string> {
  const mode = (of: string): string => (lstatSync(of).mode & 0o777).toString(8);
  const folder = dirname(path);
  const found: Record<string, string> = { folder: mode(folder) };
  for (const name of readdirSync(folder)) {
    found[name] = mode(join(folder, name));
  }
  return found;
}

const PRIVATE = { folder: '700', 'house.db': '600', 'house.db-wal': '600', 'house.db-shm': '600' };

describe.runIf(hasModes)('the files of the storage', () => {
  it.each([0o000, 0o022, 0o077])(
    'the files of a database are for their owner alone, under the umask %o (faults#21)',
    (umask) => {
      const before = process.umask(umask);
      onTestFinished(() => {
        process.umask(before);
      });
      const path = place();

      expect(open(path)).toEqual([]);
      expect(modes(path)).toEqual(PRIVATE);
    },
  );

  it('the files of a database are made private again when others could read them, with a line for each (faults#21)', () => {
    const path = place();
    open(path);
    for (const name of readdirSync(dirname(path))) {
      chmodSync(join(dirname(path), name), 0o644);
    }
    chmodSync(dirname(path), 0o755);

    const warnings = open(path);
    expect(modes(path)).toEqual(PRIVATE);
    expect(warnings).toHaveLength(4);
    expect(warnings).toContain(`${path} had mode 644; it is 600 now, for its owner alone.`);
  });

  it.each(['house.db', 'house.db-wal', 'house.db-shm'])(
    'the files of a database are refused when %s is a symbolic link, and its target is not touched (faults#21)',
    (name) => {
      const path = placeInFolder();
      const elsewhere = join(dirname(path), '..', 'other-process');
      writeFileSync(elsewhere, 'precious', { mode: 0o644 });
      const link = join(dirname(path), name);
      symlinkSync(elsewhere, link);

      const refusal = refusalOf(() => open(path));
      expect(refusal).toMatchObject({ disposition: 'final', code: 'bad-configuration' });
      expect(refusal.message).toContain(`${link} is a symbolic link; move it away`);
      expect(lstatSync(elsewhere)).toMatchObject({ size: 'precious'.length, mode: 0o100644 });
    },
  );

  it('the files of a database are refused when a link has no target, so that none is made there (faults#21)', () => {
    const path = placeInFolder();
    symlinkSync(join(dirname(path), 'nowhere'), path);

    expect(refusalOf(() => open(path))).toMatchObject({ code: 'bad-configuration' });
    expect(readdirSync(dirname(path))).toEqual(['house.db']);
  });

  it('the files of a database are refused in a folder that is a symbolic link (faults#21)', () => {
    const path = place();
    const real = join(dirname(path), '..', 'real');
    mkdirSync(real);
    symlinkSync(real, dirname(path));

    const refusal = refusalOf(() => open(path));
    expect(refusal).toMatchObject({ code: 'bad-configuration' });
    expect(refusal.message).toContain(`${dirname(path)} is not a real folder`);
    expect(readdirSync(real)).toEqual([]);
  });

  it('the files of a database are refused when they, or the folder, belong to another user (faults#21)', () => {
    const path = place();
    open(path);
    const stranger = (process.geteuid?.() ?? 0) + 1;

    for (const check of [
      () => ensurePrivateFolder(dirname(path), silentLog, stranger),
      () => ensurePrivateFile(path, silentLog, stranger),
      () => checkPrivateFile(`${path}-wal`, silentLog, stranger),
    ]) {
      const refusal = refusalOf(check);
      expect(refusal).toMatchObject({ code: 'bad-configuration' });
      expect(refusal.message).toMatch(/belongs to another user \(\d+\); run as that user, or .*chown -R/u);
    }
    expect(modes(path)).toEqual(PRIVATE);
  });

  it('the files of a database are refused when something else stands in their place', () => {
    const path = place();
    mkdirSync(path, { recursive: true, mode: 0o700 });
    expect(refusalOf(() => open(path)).message).toContain(`${path} is not a file`);

    const blocked = place();
    writeFileSync(dirname(blocked), '');
    expect(refusalOf(() => open(blocked))).toMatchObject({ code: 'bad-configuration' });
  });
});

describe('a database file that is empty', () => {
  it('is used, with one line that names the loss and the next step', () => {
    const path = placeInFolder();
    writeFileSync(path, '', { mode: 0o600 });
    const [line, ...more] = open(path);
    expect([line, more]).toEqual([expect.stringContaining(`${path} was empty: its contents were lost`), []]);
    expect(line).toContain(
      'Connect the account again, or stop Homebridge and restore the file from a backup',
    );
    expect(open(path)).toEqual([]);
  });

  it('causes no line when it is new', () => {
    expect(open(place())).toEqual([]);
  });
});

it('a file that is no database of ours is refused with the next step, and stays unchanged', () => {
  const path = placeInFolder();
  const foreign = 'This is a letter, and long enough to be taken for a page. '.repeat(100);
  writeFileSync(path, foreign, { mode: 0o600 });

  const refusal = refusalOf(() => open(path));
  expect(refusal).toMatchObject({ disposition: 'final', code: 'bad-configuration' });
  expect(refusal.message).toContain(`${path} is damaged (file is not a database); move it away`);
  expect(lstatSync(path).size).toBe(foreign.length);
});
