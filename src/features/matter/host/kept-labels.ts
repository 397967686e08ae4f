// Keeps in the database the names that a person gave to locks in an app: Homebridge saves its own cache seconds later, or never.
import type { LockId } from '../../../domain/locks/lock.ts';
import type { BridgeAccount } from '../../../homekit/bridge-features.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';

const KEY_PREFIX = 'matter.label.';

/** A disk that fails costs the name in the app at the next start, and a warning. */
export class KeptLabels {
  readonly #settings: BridgeAccount['settings'];
  readonly #log: Log;

  constructor(settings: BridgeAccount['settings'], log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  read(id: LockId): string | null {
    const label = this.#attempt(() => this.#settings.read(KEY_PREFIX + id));
    return typeof label === 'string' ? label : null;
  }

  save(id: LockId, label: string): void {
    this.#attempt(() => this.#settings.write(KEY_PREFIX + id, label));
  }

  erase(id: LockId): void {
    this.#attempt(() => this.#settings.erase(KEY_PREFIX + id));
  }

  #attempt<T>(work: () => T): T | null {
    return tryDisk(this.#log, t("A lock's name in an app could not be kept"), work);
  }
}
