// Finds the package's folder: the nearest one above this file with a package.json, in the sources and when published.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function packageRoot(folder = import.meta.dirname): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : packageRoot(dirname(folder));
}
