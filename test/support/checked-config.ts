// Reads a block of config.json for a test: its configuration, or the lines that it causes; and addresses that make an account.
import type { Config } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { addCommands } from '../../src/start/commands.ts';
import { t } from '../../src/words/translate.ts';

// A process of a test that reads a configuration has the features, as every program has.
addCommands();

export const ADDRESSES = {
  authUrl: 'https://auth.partner.example',
  baseUrl: 'https://api.partner.example',
  redirectUri: 'https://home.example/callback',
};

/** The lines that a block causes: problems, which prevent a start, or else warnings. */
export function linesOf(block: unknown): readonly string[] {
  const reading = readConfig(block);
  return (reading.ok ? reading.warnings : reading.problems).map((line) => t(line));
}

/** The problems of a block; none of one that is accepted. */
export function problemsOf(block: unknown): readonly string[] {
  return readConfig(block).ok ? [] : linesOf(block);
}

/** What an accepted block is read as, with its warnings; fails with the problems of another one. */
export function acceptedFrom(block: unknown): { config: Config; warnings: readonly string[] } {
  const reading = readConfig(block);
  const lines = linesOf(block);
  if (!reading.ok) {
    throw new Error(lines.join('\n'));
  }
  return { config: reading.config, warnings: lines };
}

export function configOf(block: unknown): Config {
  return acceptedFrom(block).config;
}
