// Reads a port from the command line.
import { InvalidArgumentError } from 'commander';

const HIGHEST_PORT = 65_535;

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > HIGHEST_PORT) {
    throw new InvalidArgumentError(
      `A port is a number from 0 to ${String(HIGHEST_PORT)}; 0 takes a free one.`,
    );
  }
  return port;
}
