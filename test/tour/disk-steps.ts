// A step in which the disk with the plugin's data is full, and the doors go on.
import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from '../harness/stage.ts';
import { agree, FRONT, NOTICED_WITHIN_MS, OK, settled, turn } from './acts.ts';
import type { Part } from './part.ts';

const BACK_WITHIN_MS = 40_000;

export const diskPart: Part = {
  steps: [
    {
      title: 'The disk is full; a hand opens the front door, and Home asks to lock it',
      warns: /disk that holds .* is full/,
      play: async (stage) => {
        const folder = join(stage.installation.storeFolder, 'latchkey');
        await stage.homebridge.stop();
        if (!mounted(folder)) {
          await stage.restartHomebridge();
          return 'not tried: only root may mount a small disk';
        }
        try {
          await stage.restartHomebridge();
          return await onFullDisk(stage, join(folder, 'fill'));
        } finally {
          await stage.homebridge.stop();
          unmount(folder);
          await stage.restartHomebridge();
        }
      },
    },
  ],
};

async function onFullDisk(stage: Stage, fill: string): Promise<string> {
  const lock = stage.lock(FRONT);
  await turn(lock, 'locked');
  await settled(lock, 'locked', BACK_WITHIN_MS);
  fillDisk(fill);
  await turn(lock, 'unlocked');
  await settled(lock, 'unlocked', NOTICED_WITHIN_MS);
  const before = (await stage.commands()).length;
  deepEqual(await lock.tap('locked'), OK);
  await settled(lock, 'locked', BACK_WITHIN_MS);
  agree(stage, lock, 'locked');
  equal((await stage.commands()).length - before, 1, 'The command was not sent once');
  rmSync(fill);
  return 'Home saw the open door, and locked it: the command was sent once';
}

/** Puts the folder's content on a small disk of its own, mounted in its place; false where this user may not. */
function mounted(folder: string): boolean {
  // A tour that is interrupted leaves no disk behind.
  process.once('exit', () => spawnSync('umount', ['--lazy', folder]));
  return carriedOver(
    folder,
    () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', folder]).status === 0,
  );
}

function unmount(folder: string): void {
  carriedOver(folder, () => spawnSync('umount', [folder]).status === 0);
}

/** Changes what is mounted there, and lets the content follow. */
function carriedOver(folder: string, change: () => boolean): boolean {
  const copy = mkdtempSync(join(tmpdir(), 'latchkey-disk-'));
  try {
    copyAll(folder, copy);
    const isChanged = change();
    if (isChanged) {
      copyAll(copy, folder);
    }
    return isChanged;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** With the modes of private files. */
function copyAll(from: string, to: string): void {
  execFileSync('cp', ['--archive', `${from}/.`, to]);
}

function fillDisk(path: string): void {
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
