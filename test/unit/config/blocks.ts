// Reads a block of config.json for a test, and addresses that make an account.
import type { Config } from '../../../src/config/config.ts';
import { type ConfigReading, readConfig } from '../../../src/config/read-config.ts';

export const ADDRESSES = {
  authUrl: 'https://auth.partner.example',
  baseUrl: 'https://api.partner.example',
  redirectUri: 'https://home.example/callback',
};

/** What an accepted block is read as; fails with the problems of another one. */
export function acceptedFrom(block: unknown): Extract<ConfigReading, { ok: true }> {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new Error(reading.problems.join('\n'));
  }
  return reading;
}

export function configOf(block: unknown): Config {
  return acceptedFrom(block).config;
}
