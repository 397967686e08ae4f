// Finds what a person wrote: Homebridge's storage folder, its config.json, and the platform block of one account.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { FinalError } from '../support/errors.ts';
import { meant } from './lock-names.ts';
import type { Terminal } from './terminal.ts';

/** Where to look, as the command line was told. */
export interface Whereabouts {
  readonly storage?: string;
  readonly config?: string;
  readonly account?: string;
}

/** One platform block, not judged yet. */
export interface AccountBlock {
  readonly id: string;
  readonly name: string;
  readonly block: Readonly<Record<string, unknown>>;
}

export interface Installation {
  /** Homebridge's storage folder. */
  readonly folder: string;
  readonly configFile: string;
  /** All of config.json. */
  readonly whole: Readonly<Record<string, unknown>>;
  readonly accounts: readonly AccountBlock[];
}

/** The account that a command is about. */
export interface Account {
  readonly folder: string;
  readonly config: Config;
}

/** The platform's name, alone or with the plugin's before it: Homebridge takes both. */
const PLATFORM = /^(?:homebridge-latchkey\.)?Latchkey$/u;

/** What a block without a name is called (README, Options). */
const DEFAULT_NAME = 'Latchkey';

/**
 * Homebridge's storage folder: as told, as the Homebridge UI's own terminal says, or the first of the usual places
 * that has a config.json.
 */
export function storageFolder(
  { storage }: Whereabouts,
  { environment, home }: Pick<Terminal, 'environment' | 'home'>,
  exists: (path: string) => boolean = existsSync,
): string {
  const usual = join(home, '.homebridge');
  const told = storage ?? environment['UIX_STORAGE_PATH'];
  const places = [usual, '/var/lib/homebridge', '/homebridge'];
  return told ?? places.find((place) => exists(join(place, 'config.json'))) ?? usual;
}

/** Reads config.json. Throws a final error (`bad-configuration`) that says what to do. */
export function readInstallation(
  where: Whereabouts,
  terminal: Pick<Terminal, 'environment' | 'home'>,
): Installation {
  const folder = storageFolder(where, terminal);
  const configFile = where.config ?? join(folder, 'config.json');
  const whole = jsonObject(configFile);
  const platforms = Array.isArray(whole['platforms']) ? whole['platforms'].filter(isObject) : [];
  const accounts = platforms
    .filter(({ platform }) => typeof platform === 'string' && PLATFORM.test(platform))
    .map((block, index) => {
      const { name } = block;
      return {
        id: `#${index + 1}`,
        name: typeof name === 'string' && name.trim() !== '' ? name.trim() : DEFAULT_NAME,
        block,
      };
    });
  return { folder, configFile, whole, accounts };
}

/** The block that is meant; the only one when none was named. Throws a final error that says what to do. */
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
    throw new FinalError('bad-request', `There are several accounts (${names}). Name one with --account.`);
  }
  return first;
}

/** The account a command is about. Throws a final error (`bad-configuration`) with one sentence for each fault. */
export function readAccount(where: Whereabouts, terminal: Pick<Terminal, 'environment' | 'home'>): Account {
  const installation = readInstallation(where, terminal);
  const reading = readConfig(chosenAccount(installation, where.account).block);
  if (!reading.ok) {
    const message = `The configuration has faults. ${reading.problems.join(' ')}`;
    throw new FinalError('bad-configuration', message);
  }
  return { folder: installation.folder, config: reading.config };
}

function jsonObject(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const message = `${file} cannot be read (${code}). Name the storage folder of Homebridge with --storage.`;
    throw new FinalError('bad-configuration', message, { cause: error });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      return value;
    }
  } catch {
    // The parser's message would repeat what stands there, which may be a secret.
  }
  throw new FinalError(
    'bad-configuration',
    `${file} is not valid JSON. Correct it in the Homebridge UI's editor.`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
