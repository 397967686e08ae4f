// Inspects the folder of an account before anything is opened, made or repaired.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountPlace } from '../../../src/installation/place.ts';
import { inspectStorage } from '../../../src/installation/storage-inspection.ts';
import { configOf } from '../../support/checked-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ANOTHER_USER = 54_321;

describe('the place of an account', () => {
  let folder: string;
  let databaseFile: string;
  const config = configOf({ platform: 'Latchkey' });

  beforeEach(() => {
    folder = temporaryFolder();
    ({ databaseFile } = accountPlace(folder, config));
  });

  function made(fileMode: number, folderMode = 0o700): void {
    mkdirSync(dirname(databaseFile), { recursive: true });
    writeFileSync(databaseFile, '');
    chmodSync(databaseFile, fileMode);
    chmodSync(dirname(databaseFile), folderMode);
  }

  function whats(user?: number): readonly string[] {
    return inspectStorage(config, folder, user).map(({ what }) => what);
  }

  it('that was never used is in order and is not made, and in order when it is private (faults#21)', () => {
    expect(whats()).toEqual([]);
    expect(existsSync(dirname(databaseFile))).toBe(false);
    made(0o600);
    expect(whats()).toEqual([]);
  });

  it('that others may read is reported, and left unchanged (faults#21)', () => {
    made(0o644, 0o755);
    const expected = ['has mode 755 instead of 700', 'has mode 644 instead of 600'];
    expect(whats()).toEqual(expected);
    expect(whats()).toEqual(expected);
  });

  it('with a link in it cannot be used (faults#21)', () => {
    mkdirSync(dirname(databaseFile), { recursive: true, mode: 0o700 });
    symlinkSync('/dev/null', databaseFile);
    expect(inspectStorage(config, folder)).toMatchObject([
      { what: 'is a symbolic link', repairsItself: false },
    ]);
  });

  it('may lie in a folder of Homebridge that belongs to another user, as in a container (faults#92)', () => {
    expect(inspectStorage(config, folder, ANOTHER_USER)).toEqual([]);
  });

  it('of another user cannot be used, except by root (faults#92)', () => {
    made(0o600);
    const owner = process.geteuid?.() ?? 0;
    const [fault] = inspectStorage(config, folder, ANOTHER_USER);
    expect(fault).toEqual({
      path: dirname(databaseFile),
      what: `belongs to another user (number ${owner})`,
      remedy: `give it to this user: chown -R ${ANOTHER_USER} "${dirname(databaseFile)}"`,
      repairsItself: false,
    });
    expect(inspectStorage(config, folder, 0)).toEqual([]);
  });

  it('below a folder that does not exist, or behind a file, cannot be used', () => {
    expect(inspectStorage(config, join(folder, 'nowhere'))).toMatchObject([{ what: 'does not exist' }]);
    const inTheWay = join(folder, 'in-the-way');
    writeFileSync(inTheWay, '');
    const [fault] = inspectStorage({ ...config, storagePath: inTheWay }, folder);
    expect(fault).toMatchObject({ what: 'cannot be looked at (ENOTDIR)', repairsItself: false });
  });
});
