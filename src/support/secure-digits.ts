// Digits for codes, from the system's secure source, and numbers that stand for a secret.
import { createHmac, randomBytes, randomInt } from 'node:crypto';

export function secureDigits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join('');
}

/** Of this process alone: without it nobody can try which text has a mark. */
const KEY = randomBytes(32);

/** A number that another text would not have in this process, and none would have in another one. */
export function markOf(text: string): number {
  return createHmac('sha256', KEY).update(text).digest().readUIntBE(0, 6);
}
