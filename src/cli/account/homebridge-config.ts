// Finds the storage folder, its config.json or latchkey.yaml, and the chosen account in it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AccountBlock } from '../../config/account-blocks.ts';
import {
  type Account,
  accountOf,
  configText,
  type Installation,
  installationOf,
  readInstallation,
} from '../../installation/installation.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { t } from '../../words/translate.ts';
import { meant, NameError } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Search options of the command line. */
export interface Whereabouts {
  readonly storage?: string;
  readonly config?: string;
  readonly account?: string;
}

/** Homebridge's file, and the one of `latchkey serve` for those who prefer YAML. */
const CONFIG_FILES = ['config.json', 'latchkey.yaml'] as const;

/**
 * Homebridge's storage folder: from the options, else from the Homebridge UI's terminal, else the first usual folder
 * with a configuration.
 */
export function storageFolder(
  { storage }: Whereabouts,
  { environment, home }: Pick<Terminal, 'environment' | 'home'>,
  exists: (path: string) => boolean = existsSync,
): string {
  const usual = join(home, '.homebridge');
  const named = storage ?? environment['UIX_STORAGE_PATH'];
  const places = [usual, '/var/lib/homebridge', '/homebridge', '/var/lib/latchkey'];
  // In full: the owner's socket lies here, and a command in another folder has to find it.
  return resolve(named ?? places.find((place) => filesIn(place, exists).length > 0) ?? usual);
}

function filesIn(folder: string, exists: (path: string) => boolean): readonly string[] {
  return CONFIG_FILES.map((name) => join(folder, name)).filter((file) => exists(file));
}

/** Reads the configuration. Rejects with a final error (`bad-configuration`) that gives the next step. */
export async function findInstallation(
  where: Whereabouts,
  terminal: Pick<Terminal, 'environment' | 'home'>,
): Promise<Installation> {
  const folder = storageFolder(where, terminal);
  return installationIn(folder, where.config ?? configFileOf(folder));
}

function configFileOf(folder: string): string {
  const [first, second] = filesIn(folder, existsSync);
  if (second !== undefined) {
    const message = t(
      '{folder} has both config.json and latchkey.yaml. Remove one, or name one with {option}.',
      { folder, option: '--config' },
    );
    throw new FinalError('bad-configuration', message);
  }
  return first ?? join(folder, 'config.json');
}

/** YAML by its name, else JSON. Rejects as `findInstallation` does. */
export async function installationIn(folder: string, file: string): Promise<Installation> {
  if (!/\.ya?ml$/iu.test(file)) {
    return readInstallation(folder, file);
  }
  const text = configText(file);
  // Loaded on demand, because few have such a file.
  const { readYaml } = await import('../../support/text/yaml.ts');
  const reading = readYaml(text, 'typed');
  if (!reading.ok) {
    const message = t('{file} cannot be used. {faults}', { file, faults: reading.faults.join(' ') });
    throw new FinalError('bad-configuration', message);
  }
  if (!isObject(reading.value)) {
    throw new FinalError('bad-configuration', t('{file} is no YAML with options by name.', { file }));
  }
  return installationOf(folder, file, reading.value);
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
      t(
        '{file} has no platform "{platform}". Add it in the Homebridge UI, or name another file with {option}.',
        { file: configFile, platform: 'Latchkey', option: '--config' },
      ),
    );
  }
  if (name !== undefined) {
    return meant(name, accounts, t('No account is called "{name}".', { name: oneLine(name) }));
  }
  if (second !== undefined) {
    const names = accounts.map((account) => `"${account.name}"`).join(', ');
    throw new NameError(
      t('There are several accounts ({names}). Name one with {option}.', { names, option: '--account' }),
    );
  }
  return first;
}

/** The account to use. Rejects with a final error (`bad-configuration`) with one sentence for each fault. */
export async function readAccount(
  where: Whereabouts,
  terminal: Pick<Terminal, 'environment' | 'home'>,
): Promise<Account> {
  const installation = await findInstallation(where, terminal);
  return accountOf(installation, chosenAccount(installation, where.account));
}
