// Values in which every part carries its number, long enough to span pages: a torn row would show.
import type { LockDescription } from '../../../src/domain/locks/lock.ts';
import type { TokenPair } from '../../../src/domain/ports.ts';

const long = (number: number): string => `${number};`.repeat(900);

export function tokensOf(number: number): TokenPair {
  return {
    accessToken: long(number),
    refreshToken: long(number),
    receivedAt: number,
    expiresInMs: number,
    issuedAt: number,
  };
}

export function descriptionOf(number: number): LockDescription {
  const text = long(number);
  return { name: text, model: text, serial: text, firmware: text, role: 'owner' };
}
