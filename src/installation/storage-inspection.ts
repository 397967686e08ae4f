// Inspects an account's storage without opening or changing it, because opening would repair the faults.
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { message } from '../domain/language/message.ts';
import { OWNER_FILE } from '../storage/account/account-owner.ts';
import { FinalError, systemCodeOf } from '../support/errors.ts';
import { currentUser, mayUse, type User } from '../support/files/file-owner.ts';
import { t } from '../words/translate.ts';
import type { Account } from './installation.ts';
import { accountPlace } from './place.ts';

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

/** `user`: the user that opens the account; undefined where files have no such owners (Windows). */
export function inspectStorage(
  config: Config,
  homebridgeFolder: string,
  user: User = currentUser(),
): readonly StorageFault[] {
  const { folder, databaseFile } = accountPlace(homebridgeFolder, config);
  const missing = faultOfHomebridgeFolder(homebridgeFolder);
  if (missing !== null) {
    return [missing];
  }
  const files = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, join(folder, OWNER_FILE)];
  return [
    faultOf(folder, FOLDER_MODE, user, (stats) => stats.isDirectory()),
    ...files.map((path) => faultOf(path, FILE_MODE, user, (stats) => stats.isFile())),
  ].filter((fault) => fault !== null);
}

/** Throws a final error (`bad-configuration`) before anything is opened that this user cannot or must not use. */
export function assertOurs({ config, folder }: Pick<Account, 'folder' | 'config'>): void {
  const fault = inspectStorage(config, folder).find(({ repairsItself }) => !repairsItself);
  if (fault !== undefined) {
    const { path, what, remedy } = fault;
    throw new FinalError(
      'bad-configuration',
      message('Nothing was opened: {path} {what}; {remedy}.', { path, what, remedy }),
    );
  }
}

/** Its owner does not matter: in a container it is often another user than the one that runs Homebridge. */
function faultOfHomebridgeFolder(path: string): StorageFault | null {
  const stats = statOf(path);
  if (stats === null) {
    const remedy = t('name the storage folder of Homebridge with {option}', { option: '--storage' });
    return { path, what: t('does not exist'), remedy, repairsItself: false };
  }
  return 'what' in stats ? stats : null;
}

/** The entry's stats; null when it is absent, and a fault when it cannot be read. */
function statOf(path: string): Stats | StorageFault | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const code = systemCodeOf(error) ?? 'unknown';
    return {
      path,
      what: t('cannot be looked at ({code})', { code }),
      remedy: t('look whether every part of the path is a folder that this user may enter'),
      repairsItself: false,
    };
  }
}

function faultOf(
  path: string,
  mode: number,
  user: User,
  isRight: (stats: Stats) => boolean,
): StorageFault | null {
  const stats = statOf(path);
  if (stats === null || 'what' in stats) {
    return stats;
  }
  if (!isRight(stats)) {
    const what = t(stats.isSymbolicLink() ? 'is a symbolic link' : 'is of another kind than it should be');
    return { path, what, remedy: t('move it away'), repairsItself: false };
  }
  if (user === undefined) {
    return null;
  }
  if (!mayUse(stats, user)) {
    const remedy = t('give it to this user: {command}', { command: `chown -R ${user} "${path}"` });
    const what = t('belongs to another user (number {user})', { user: stats.uid });
    return { path, what, remedy, repairsItself: false };
  }
  const found = stats.mode & PERMISSION_BITS;
  const wanted = mode.toString(8);
  return found === mode
    ? null
    : {
        path,
        what: t('has mode {found} instead of {wanted}', { found: found.toString(8), wanted }),
        remedy: `chmod ${wanted} "${path}"`,
        repairsItself: true,
      };
}
