// Where the package lies: the nearest folder above this file that holds package.json, in the sources and in what is published.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function packageRoot(folder = import.meta.dirname): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : packageRoot(dirname(folder));
}
