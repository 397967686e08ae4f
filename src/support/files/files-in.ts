// Lists all files of a folder, for servers of built pages.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../errors.ts';

/** All file paths below `folder`; empty without such a folder. Throws any other disk error. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
