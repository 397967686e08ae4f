// Reads a text file that an option names, such as a certificate or a key.
import { readFileSync } from 'node:fs';
import { FinalError } from '../errors.ts';

/** Throws `bad-configuration`, which names the option and the file, when it cannot be read. */
export function readOptionFile(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new FinalError('bad-configuration', `${option} names a file that cannot be read: ${path}.`, {
      cause: error,
    });
  }
}
