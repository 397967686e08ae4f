// Looks for the owner of the account, and remembers an owner that does not answer.
import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { accountPlace } from '../installation/place.ts';
import { PanelClient } from '../panel/socket/panel-client.ts';
import type { Owner } from '../storage/account/account-owner.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import type { Clock } from '../support/clock.ts';
import { LatchkeyError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** An account that is stored here, and what a process needs to read it. */
export interface AccountOnDisk {
  readonly config: Config;
  /** Homebridge's storage path, below which the plugin stores its data unless configured otherwise. */
  readonly homebridgeFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads from the account's storage, whoever owns it; null when the account was never opened. Throws as `openStorage` does. */
export function readStored<T>(
  { config, homebridgeFolder, clock, log }: AccountOnDisk,
  read: (storage: Storage) => T,
): T | null {
  const { databaseFile } = accountPlace(homebridgeFolder, config);
  if (!existsSync(databaseFile)) {
    return null;
  }
  const storage = openStorage({ path: databaseFile, clock, log });
  try {
    return read(storage);
  } finally {
    storage.close();
  }
}

/** The owner as it announced itself, dead or alive; null without one. */
export function ownerOf(parts: AccountOnDisk): Owner | null {
  return readStored(parts, ({ owner }) => owner.announced());
}

export class OwnerSearch {
  readonly #parts: AccountOnDisk;
  #silent: Owner | null = null;

  constructor(parts: AccountOnDisk) {
    this.#parts = parts;
  }

  /** An owner that has not answered so far, or no longer answers; null without one. */
  get silent(): Owner | null {
    return this.#silent;
  }

  /**
   * The owner's ear, or null when there is no owner that listens. `own`: where this process would listen, which is no
   * other owner. Rejects with `not-permitted` or `bad-configuration` when the owner is another user or of another
   * version, and with `aborted` when the signal comes first.
   */
  async find(signal: AbortSignal, own: string | null = null): Promise<PanelClient | null> {
    const { clock, log } = this.#parts;
    const holder = ownerOf(this.#parts);
    this.#silent = holder?.socketPath === own ? null : holder;
    if (this.#silent === null) {
      return null;
    }
    try {
      const client = await PanelClient.connect({ path: this.#silent.socketPath, clock, log, signal });
      this.#silent = null;
      return client;
    } catch (error) {
      if (!signal.aborted && error instanceof LatchkeyError && error.disposition !== 'final') {
        log.debug(`No owner of the account listens: ${error.message}`);
        return null;
      }
      throw error;
    }
  }
}
