// Loads node:sqlite without the warning about an experiment, which Node 22 prints at every start.
import { createRequire } from 'node:module';
import type * as Sqlite from 'node:sqlite';

const load: (name: 'node:sqlite') => typeof Sqlite = createRequire(import.meta.url);

/**
 * Homebridge would show the warning as an error of its own. Loading is synchronous, so no other warning is asked for
 * while the function of the process is replaced.
 */
function loadQuietly(): typeof Sqlite {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back, not called
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

export const { DatabaseSync } = loadQuietly();
