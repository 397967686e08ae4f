// Reads config.json from the disk, for processes that Homebridge does not pass it to.
import { readFileSync } from 'node:fs';
import { type AccountBlock, accountBlocks } from '../config/account-blocks.ts';
import type { Config } from '../config/config.ts';
import { problemSentences } from '../config/options/problem-line.ts';
import { readConfig } from '../config/read-config.ts';
import { message } from '../domain/language/message.ts';
import { FinalError, systemCodeOf } from '../support/errors.ts';
import { isObject } from '../support/text/foreign-json.ts';

export interface Installation {
  /** Homebridge's storage folder. */
  readonly folder: string;
  readonly configFile: string;
  /** All of config.json. */
  readonly whole: Readonly<Record<string, unknown>>;
  readonly accounts: readonly AccountBlock[];
  /** True for `latchkey serve`, which has one account alone: its user has no Homebridge to restart. */
  readonly isService: boolean;
}

/** One account, ready to be opened. */
export interface Account extends Pick<Installation, 'folder' | 'isService'> {
  readonly config: Config;
}

/** Reads config.json. Throws a final error (`bad-configuration`) that gives the next step and never quotes the file. */
export function readInstallation(folder: string, configFile: string): Installation {
  return installationOf(folder, configFile, jsonObject(configFile));
}

/** The same of a file that was read already. */
export function installationOf(
  folder: string,
  configFile: string,
  whole: Readonly<Record<string, unknown>>,
): Installation {
  const isService = whole['platforms'] === undefined && whole['bridge'] === undefined;
  return { folder, configFile, whole, accounts: accountBlocks(whole), isService };
}

/** The account of a block. Throws a final error (`bad-configuration`) with one sentence for each fault. */
export function accountOf({ folder, isService }: Installation, { block }: AccountBlock): Account {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new FinalError(
      'bad-configuration',
      message('The configuration has faults. {faults}', { faults: problemSentences(reading.problems) }),
    );
  }
  return { folder, config: reading.config, isService };
}

/** Throws a final error (`bad-configuration`) that gives the next step. */
export function configText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCodeOf(error) ?? 'unknown';
    const words = message(
      '{file} cannot be read ({code}). Look whether this is the storage folder of Homebridge, and who may read it.',
      { file, code },
    );
    throw new FinalError('bad-configuration', words, { cause: error });
  }
}

function jsonObject(file: string): Readonly<Record<string, unknown>> {
  const text = configText(file);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      return value;
    }
  } catch {
    // The parser's message would quote the file, which may hold a secret.
  }
  throw new FinalError(
    'bad-configuration',
    message("{file} is not valid JSON. Correct it in the Homebridge UI's editor.", { file }),
  );
}
