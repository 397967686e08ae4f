// Options that several commands of `latchkey relay` share.
import { InvalidArgumentError } from 'commander';
import { homeName } from '../../config/options/relay-enrolment.ts';

export const DEFAULT_CONFIG = '/etc/latchkey/relay.json';
const HIGHEST_GENERATION = 0xffff_ffff;

export function parseHome(text: string): string {
  if (!homeName().safeParse(text).success) {
    throw new InvalidArgumentError('A home is named by up to 64 small letters, digits and -.');
  }
  return text;
}

export function parseGeneration(text: string): number {
  const generation = Number(text);
  if (!/^[1-9]\d*$/u.test(text) || generation > HIGHEST_GENERATION) {
    throw new InvalidArgumentError('A generation is a whole number from 1 on.');
  }
  return generation;
}
