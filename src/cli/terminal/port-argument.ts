// Reads a port from the command line.
import { InvalidArgumentError } from 'commander';
import { t } from '../../words/translate.ts';

const HIGHEST_PORT = 65_535;

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > HIGHEST_PORT) {
    throw new InvalidArgumentError(
      t('A port is a number from 0 to {highest}; 0 takes a free one.', { highest: HIGHEST_PORT }),
    );
  }
  return port;
}
