// The name of a lock or an account as programs at a broker show it.
import type { Lock } from '../../../domain/locks/lock.ts';
import type { MqttLockOptions } from './lock-options.ts';

/** Longer names help nobody (our choice), in characters. */
const LONGEST = 64;

/** One line of at most 64 characters, without control characters and direction marks; `otherwise` where nothing is left. */
export function shownName(text: string, otherwise: string): string {
  const readable = text
    .slice(0, 8 * LONGEST)
    .replaceAll(/[\p{Cf}\p{Cs}]+/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const name = Array.from(readable).slice(0, LONGEST).join('').trim();
  return name === '' ? otherwise : name;
}

/** The name that the options give the lock, or else its own. */
export function shownLockName(
  { name }: Pick<MqttLockOptions, 'name'>,
  { description }: Pick<Lock, 'description'>,
): string {
  return shownName(name ?? description.name, 'Lock');
}
