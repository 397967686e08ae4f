// Which files a process may use, and that root gives its new files to the owner of the folder.
import { chownSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { giveToFolderOwner, mayUse } from '../../../src/support/files/file-owner.ts';
import { mayGiveAwayTo } from '../../support/file-ownership.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = 0;
const RESIDENT = 1_000;

describe('a file', () => {
  it('may be used by its owner and by root, and by all where files have no owners (faults#92)', () => {
    const allowed = [RESIDENT, ROOT, undefined, RESIDENT + 1].map((user) => mayUse({ uid: RESIDENT }, user));
    expect(allowed).toEqual([true, true, true, false]);
    expect(mayUse({ uid: ROOT }, RESIDENT)).toBe(false);
  });

  it.runIf(mayGiveAwayTo(RESIDENT))(
    'that root makes in the folder of another user belongs to that user (faults#92)',
    () => {
      const folder = temporaryFolder();
      chownSync(folder, RESIDENT, RESIDENT);
      const file = join(folder, 'latchkey.db');
      writeFileSync(file, '');
      giveToFolderOwner(file, RESIDENT + 1);
      expect(lstatSync(file).uid).toBe(ROOT);
      giveToFolderOwner(file, ROOT);
      expect(lstatSync(file)).toMatchObject({ uid: RESIDENT, gid: RESIDENT });
    },
  );
});
