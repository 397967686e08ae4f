// Where one account keeps its things: a folder of its own under the plugin's, so that several accounts never meet.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

export interface AccountPlace {
  readonly folder: string;
  readonly databaseFile: string;
}

/** The plugin's folder under Homebridge's storage path, unless the configuration names another. */
const PLUGIN_FOLDER = 'latchkey';
/** Apart, so that a demo never opens the database of an account. */
const DEMO_FOLDER = 'latchkey-demo';

/**
 * The place of one platform block. Readable where its name allows it, and always unique: names that differ in letter
 * case or in what a file system cannot write still get folders of their own.
 */
export function accountPlace(
  homebridgeFolder: string,
  { name, storagePath, demo = false }: Pick<Config, 'name' | 'storagePath'> & Partial<Pick<Config, 'demo'>>,
): AccountPlace {
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replaceAll(/^-|-$/g, '');
  const unique = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const pluginFolder = storagePath ?? join(homebridgeFolder, demo ? DEMO_FOLDER : PLUGIN_FOLDER);
  const folder = join(pluginFolder, readable === '' ? unique : `${readable}-${unique}`);
  return { folder, databaseFile: join(folder, 'latchkey.db') };
}
