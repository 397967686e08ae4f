// Judges where an account is stored: inside Homebridge's storage, unless config.json says why not.
import type { Config } from '../../config/config.ts';
import { isInside } from '../../support/files/is-inside.ts';

export interface OutsideStorage {
  /** The fault, as a sentence. */
  readonly what: string;
  /** The remedy, as sentences. */
  readonly remedy: string;
}

/** Null for a folder inside, and for one outside with a reason. Nothing is opened or changed. */
export function outsideWithoutReason(
  { storagePath, storageOutsideReason }: Pick<Config, 'storagePath' | 'storageOutsideReason'>,
  homebridgeFolder: string,
): OutsideStorage | null {
  if (storagePath === null || storageOutsideReason !== null || isInside(homebridgeFolder, storagePath)) {
    return null;
  }
  return {
    what: `storage.path (${storagePath}) is outside the storage folder of Homebridge (${homebridgeFolder}), which is what backups save and a removal deletes.`,
    remedy:
      'Nothing in it was changed: link and history stay there. Either write into storage.outsideReason why it has to be there, ' +
      'or stop Homebridge, move the folder inside and correct storage.path.',
  };
}
