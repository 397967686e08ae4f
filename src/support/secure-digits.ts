// Digits for codes, from the system's secure source.
import { randomInt } from 'node:crypto';

export function secureDigits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join('');
}
