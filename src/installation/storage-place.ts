// Whether an account is stored where Homebridge saves it, and removes it, with everything else.
import type { Config } from '../config/config.ts';
import { isInside } from '../support/files/is-inside.ts';
import { t } from '../words/translate.ts';

/** What a person should know of a folder outside; null for one inside. */
export function outsideWarning(
  { storagePath }: Pick<Config, 'storagePath'>,
  homebridgeFolder: string,
): string | null {
  return storagePath === null || isInside(homebridgeFolder, storagePath)
    ? null
    : t(
        '{option} ({path}) is outside the storage folder of Homebridge ({folder}): a backup of that folder does not have the account, and it stays when that folder goes.',
        { option: 'storage.path', path: storagePath, folder: homebridgeFolder },
      );
}
