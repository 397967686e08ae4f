// Judges where an account is stored: inside Homebridge's storage, unless config.json says why not.
import type { Config } from '../config/config.ts';
import { isInside } from '../support/files/is-inside.ts';
import { t } from '../words/translate.ts';

/** The fault and its remedy, in sentences. Null for a folder inside, and for one outside with a reason. */
export function outsideWithoutReason(
  { storagePath, storageOutsideReason }: Pick<Config, 'storagePath' | 'storageOutsideReason'>,
  homebridgeFolder: string,
): { readonly what: string; readonly remedy: string } | null {
  if (storagePath === null || storageOutsideReason !== null || isInside(homebridgeFolder, storagePath)) {
    return null;
  }
  return {
    what: t(
      '{option} ({path}) is outside the storage folder of Homebridge ({folder}), which is what backups save and a removal deletes.',
      { option: 'storage.path', path: storagePath, folder: homebridgeFolder },
    ),
    remedy: t(
      'Nothing in it was changed: link and history stay there. Either write into {reason} why it has to be there, or stop Homebridge, move the folder inside and correct {option}.',
      { reason: 'storage.outsideReason', option: 'storage.path' },
    ),
  };
}
