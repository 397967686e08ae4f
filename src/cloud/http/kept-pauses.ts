// Keeps the pauses that the service asked for in the database, so that the next process of the account obeys them, too.

import { tryDisk } from '../../support/files/try-disk.ts';
import type { Log } from '../../support/log.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import type { KeptPause, Operation, PauseStore } from './limits.ts';

const KEY_PREFIX = 'service.pause.';

/** Small values across restarts. Throws when the disk fails. */
interface KeptSettings {
  read(key: string): unknown;
  write(key: string, value: object): void;
}

export function keptPauses(settings: KeptSettings, log: Log): PauseStore {
  const attempt = <T>(work: () => T): T | null =>
    tryDisk(log, 'A pause of the service counts in this process alone', work, 'debug');
  return {
    read: (operation: Operation) => attempt(() => pauseIn(settings.read(KEY_PREFIX + operation))),
    save(operation, pause) {
      attempt(() => settings.write(KEY_PREFIX + operation, pause));
    },
  };
}

function pauseIn(kept: unknown): KeptPause | null {
  if (!isObject(kept)) {
    return null;
  }
  const { from, ms } = kept;
  return typeof from === 'number' && typeof ms === 'number' ? { from, ms } : null;
}
