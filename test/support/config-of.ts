// The configuration of a platform block that has no faults.
import type { Config } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/read-config.ts';

export function configOf(block: unknown): Config {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new Error(reading.problems.join(' '));
  }
  return reading.config;
}
