// Lists all files of a folder, for servers of built pages.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of all files below `folder`; none when there is no such folder. Throws what the disk throws otherwise. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
