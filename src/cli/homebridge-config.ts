// Finds Homebridge's storage folder, its config.json and the chosen account in it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, accountOf, type Installation, readInstallation } from '../app/installation.ts';
import type { AccountBlock } from '../config/account-blocks.ts';
import { FinalError } from '../support/errors.ts';
import { meant, NameError } from './lock-names.ts';
import type { Terminal } from './terminal.ts';

/** Search options of the command line. */
export interface Whereabouts {
  readonly storage?: string;
  readonly config?: string;
  readonly account?: string;
}

/**
 * Homebridge's storage folder: from the options, else from the Homebridge UI's terminal, else the first usual folder
 * with a config.json.
 */
export function storageFolder(
  { storage }: Whereabouts,
  { environment, home }: Pick<Terminal, 'environment' | 'home'>,
  exists: (path: string) => boolean = existsSync,
): string {
  const usual = join(home, '.homebridge');
  const named = storage ?? environment['UIX_STORAGE_PATH'];
  const places = [usual, '/var/lib/homebridge', '/homebridge', '/var/lib/latchkey'];
  return named ?? places.find((place) => exists(join(place, 'config.json'))) ?? usual;
}

/** Reads config.json. Throws a final error (`bad-configuration`) with the next step. */
export function findInstallation(
  where: Whereabouts,
  terminal: Pick<Terminal, 'environment' | 'home'>,
): Installation {
  const folder = storageFolder(where, terminal);
  return readInstallation(folder, where.config ?? join(folder, 'config.json'));
}

/**
 * The named platform block, or the only one. Throws a final error with the next step; a `NameError` when the name is
 * missing, unknown or ambiguous.
 */
export function chosenAccount(
  { accounts, configFile }: Installation,
  name: string | undefined,
): AccountBlock {
  const [first, second] = accounts;
  if (first === undefined) {
    throw new FinalError(
      'bad-configuration',
      `${configFile} has no platform "Latchkey". Add it in the Homebridge UI, or name another file with --config.`,
    );
  }
  if (name !== undefined) {
    return meant(name, accounts, 'account');
  }
  if (second !== undefined) {
    const names = accounts.map((account) => `"${account.name}"`).join(', ');
    throw new NameError(`There are several accounts (${names}). Name one with --account.`);
  }
  return first;
}

/** The account to use. Throws a final error (`bad-configuration`) with one sentence for each fault. */
export function readAccount(where: Whereabouts, terminal: Pick<Terminal, 'environment' | 'home'>): Account {
  const installation = findInstallation(where, terminal);
  return accountOf(installation, chosenAccount(installation, where.account));
}
