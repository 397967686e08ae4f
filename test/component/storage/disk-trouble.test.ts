// A disk that is full, read-only or repaired: no row is lost, and a process learns of it before it spends a token.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { nextLine, runProgram } from './place.ts';

const WRITER = new URL('disk-trouble.ts', import.meta.url);
const FAILED = 'retry: storage-failed';
const FULL = { write: FAILED, probeWrite: FAILED, isLastWrite: true, isWhole: true };

/** Gives a command a small disk of its own, mounted where its first argument says. */
const UNSHARE = 'unshare';
const SMALL_DISK = [
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=512k,mode=700 tmpfs "$0" && exec "$@"',
];

function mayMount(): boolean {
  return spawnSync(UNSHARE, [...SMALL_DISK, '/tmp', 'true'], { stdio: 'ignore' }).status === 0;
}

/** Half a megabyte per file, and an error instead of the signal that would end the process. */
const WITH_SMALL_FILES = ['sh', '-c', `trap '' XFSZ && ulimit -f 1000 && exec "$@"`, 'sh'];

describe('a full or broken disk', () => {
  it.skipIf(process.platform === 'win32')(
    'fails the probe, so that no refresh token is spent, what was written stays whole, and no error holds a token (faults#10)',
    async () => {
      const program = runProgram(WRITER, [temporaryFolder()], WITH_SMALL_FILES);
      expect(JSON.parse(await nextLine(program))).toEqual({ full: FULL });
    },
  );

  it.skipIf(!mayMount())(
    'is a retry when full or read-only, and is written to again once it works (faults#10)',
    async () => {
      const disk = temporaryFolder();
      const program = runProgram(WRITER, [disk, 'mounted'], [UNSHARE, ...SMALL_DISK, disk]);
      expect(JSON.parse(await nextLine(program))).toEqual({
        full: FULL,
        openNew: FAILED,
        afterRepair: 'done',
        openReadOnly: FAILED,
      });
    },
  );
});
