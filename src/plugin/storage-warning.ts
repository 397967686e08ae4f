// Warns about a database folder outside Homebridge's storage, which its backups leave out.
import type { Config } from '../config/config.ts';
import { isInside } from '../support/is-inside.ts';

/** Null for a folder inside, or if the configuration allows one outside. */
export function storageWarning(
  { storagePath, storageMayBeOutside }: Pick<Config, 'storagePath' | 'storageMayBeOutside'>,
  homebridgeFolder: string,
): readonly string[] {
  return storagePath === null || storageMayBeOutside || isInside(homebridgeFolder, storagePath)
    ? []
    : [
        'storage.path: is outside the Homebridge storage folder, which backups leave out; move the folder there, or set storage.allowOutside to true',
      ];
}
