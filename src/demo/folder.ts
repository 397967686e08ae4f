// Removes what a demo stored: it begins anew at each start, and leaves nothing behind.
import { rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import { accountPlace } from '../installation/place.ts';

type DemoBlock = Pick<Config, 'name'> & Partial<Pick<Config, 'bridge'>>;

/** Removes the demo's folder of a block, and the folder of all demos once it is empty. Throws what the disk does. */
export function removeDemoFolder(homebridgeFolder: string, { name, bridge = null }: DemoBlock): void {
  const { folder } = accountPlace(homebridgeFolder, { name, bridge, storagePath: null, demo: true });
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(dirname(folder));
  } catch {
    // The folder does not exist, or holds the demo of another block.
  }
}
