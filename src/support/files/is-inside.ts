// Decides by spelling alone whether a path lies inside a folder.
import { isAbsolute, relative, sep } from 'node:path';

/** The folder itself counts as inside. */
export function isInside(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return !isAbsolute(steps) && steps !== '..' && !steps.startsWith(`..${sep}`);
}
