// Keeps in the database what a person calls a lock in an app: Homebridge saves its own cache seconds later, or never.
import type { LockId } from '../domain/lock.ts';
import type { KeptValues } from '../storage/settings.ts';
import type { Log } from '../support/log.ts';
import { tryDisk } from '../support/try-disk.ts';

const KEY_PREFIX = 'matter.label.';

/** A disk that fails costs the name in the app at the next start, and a warning. */
export class KeptLabels {
  readonly #settings: KeptValues;
  readonly #log: Log;

  constructor(settings: KeptValues, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  read(id: LockId): string | null {
    const label = this.#attempt(() => this.#settings.read(KEY_PREFIX + id));
    return typeof label === 'string' ? label : null;
  }

  keep(id: LockId, label: string): void {
    this.#attempt(() => {
      this.#settings.write(KEY_PREFIX + id, label);
    });
  }

  erase(id: LockId): void {
    this.#attempt(() => {
      this.#settings.erase(KEY_PREFIX + id);
    });
  }

  #attempt<T>(work: () => T): T | null {
    return tryDisk(this.#log, "A lock's name in an app could not be kept", work);
  }
}
