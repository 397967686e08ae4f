// A small real disk for tests, which can be made full, or read-only by an error as a worn memory card becomes.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

export type DiskTrouble = 'full' | 'read-only';

export interface SmallDisk {
  /** Where it is mounted. */
  readonly folder: string;
  /** Breaks it, with its files open. */
  break(trouble: DiskTrouble): void;
}

/** So large that the database of an account fits with room to spare, in bytes. */
const SIZE = 16 * 1024 * 1024;

/** Null where this user may mount no disk. */
export function mountSmallDisk(): SmallDisk | null {
  const place = temporaryFolder();
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, SIZE);
  const isMounted =
    succeeds('mkfs.ext4', '-q', '-m', '0', image) &&
    succeeds('mount', '-o', 'loop,errors=remount-ro', image, folder);
  if (!isMounted) {
    return null;
  }
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', folder]);
  });
  return {
    folder,
    break: (trouble) => {
      if (trouble === 'full') {
        fill(join(folder, 'fill'));
      } else {
        meetError(folder);
      }
    },
  };
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [65_536, 4_096, 1]) {
      fillWith(file, Buffer.alloc(bytes));
    }
  } finally {
    closeSync(file);
  }
}

function fillWith(file: number, block: Buffer): void {
  try {
    for (;;) {
      writeSync(file, block);
    }
  } catch {
    // It is full.
  }
}

/** The kernel meets an error on it, and takes no more writes (errors=remount-ro). */
function meetError(folder: string): void {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const device = mounts.find((line) => line.split(' ')[1] === folder)?.split(' ')[0] ?? '';
  writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, 'test');
}
