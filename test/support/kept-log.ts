// A log whose lines a test looks at.
import type { Log } from '../../src/support/log.ts';

/** Adds every line to `lines`, whatever its level. */
export function keptLog(lines: string[]): Log {
  const keep = (line: string): void => {
    lines.push(line);
  };
  return { debug: keep, info: keep, warn: keep, error: keep };
}
