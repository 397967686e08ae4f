// Looks at where an account keeps its things, without opening or changing anything: opening would repair what it finds.
import { lstatSync, type Stats } from 'node:fs';
import type { Config } from '../config/config.ts';
import { FinalError } from '../support/errors.ts';
import { accountPlace } from './account-place.ts';
import type { Account } from './installation.ts';

/** Something that is not as it should be, and what to do about it. */
export interface StorageFault {
  readonly path: string;
  readonly what: string;
  readonly remedy: string;
  /** Whether opening the account puts it right. */
  readonly repairsItself: boolean;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSION_BITS = 0o777;

/** `user`: who will open the account; undefined where files have no such owners (Windows). */
export function inspectStorage(
  config: Config,
  homebridgeFolder: string,
  user: number | undefined = process.geteuid?.(),
): readonly StorageFault[] {
  const { folder, databaseFile } = accountPlace(homebridgeFolder, config);
  const owner = faultOfOwner(homebridgeFolder, user);
  if (owner !== null) {
    return [owner];
  }
  const files = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`];
  return [
    faultOf(folder, FOLDER_MODE, user, (stats) => stats.isDirectory()),
    ...files.map((path) => faultOf(path, FILE_MODE, user, (stats) => stats.isFile())),
  ].filter((fault) => fault !== null);
}

/**
 * Files that another user makes would be of no use to the plugin: throws a final error (`bad-configuration`) before
 * anything is opened in a place that is not ours.
 */
export function assertOurs({ config, folder }: Account): void {
  const fault = inspectStorage(config, folder).find(({ repairsItself }) => !repairsItself);
  if (fault !== undefined) {
    const { path, what, remedy } = fault;
    throw new FinalError('bad-configuration', `Nothing was opened: ${path} ${what}; ${remedy}.`);
  }
}

/** Whoever opens the account first owns its files: that has to be the user that Homebridge runs as. */
function faultOfOwner(path: string, user: number | undefined): StorageFault | null {
  const stats = look(path);
  if (stats === null) {
    return {
      path,
      what: 'does not exist',
      remedy: 'name the storage folder of Homebridge with --storage',
      repairsItself: false,
    };
  }
  if ('what' in stats) {
    return stats;
  }
  return user === undefined || stats.uid === user
    ? null
    : {
        path,
        what: `belongs to another user (number ${stats.uid})`,
        remedy: `run this as that user: sudo -u '#${stats.uid}' latchkey ...`,
        repairsItself: false,
      };
}

/** What lies there; null for nothing, and a fault when it cannot be seen. */
function look(path: string): Stats | StorageFault | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return {
      path,
      what: `cannot be looked at (${code})`,
      remedy: 'look whether every part of the path is a folder that this user may enter',
      repairsItself: false,
    };
  }
}

function faultOf(
  path: string,
  mode: number,
  user: number | undefined,
  isRight: (stats: Stats) => boolean,
): StorageFault | null {
  const stats = look(path);
  if (stats === null || 'what' in stats) {
    return stats;
  }
  if (!isRight(stats)) {
    const what = stats.isSymbolicLink() ? 'is a symbolic link' : 'is of another kind than it should be';
    return { path, what, remedy: 'move it away', repairsItself: false };
  }
  if (user === undefined) {
    return null;
  }
  if (stats.uid !== user) {
    const remedy = `give it to this user: chown -R ${user} "${path}"`;
    return { path, what: `belongs to another user (number ${stats.uid})`, remedy, repairsItself: false };
  }
  const found = stats.mode & PERMISSION_BITS;
  const wanted = mode.toString(8);
  return found === mode
    ? null
    : {
        path,
        what: `has mode ${found.toString(8)} instead of ${wanted}`,
        remedy: `chmod ${wanted} "${path}"`,
        repairsItself: true,
      };
}
