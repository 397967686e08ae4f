// Reads a text file that an option names, such as a certificate or a key.
import { readFileSync } from 'node:fs';
import { message } from '../../domain/language/message.ts';
import { FinalError } from '../errors.ts';

/** Throws `bad-configuration`, which names the option and the file, when it cannot be read. */
export function readOptionFile(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const words = message('{option} names a file that cannot be read: {path}.', { option, path });
    throw new FinalError('bad-configuration', words, { cause: error });
  }
}
